import { writeFile } from 'node:fs/promises';
import { openToolLists } from '#test/support/mcp/listed-tools.ts';
import { toolsDocument } from '#test/support/mcp/tools-document.ts';

/* Writes docs/tools.md: the tools as tools/list sends them. */
await using lists = await openToolLists();
await writeFile('docs/tools.md', toolsDocument(await lists.list('?mode=all')));
