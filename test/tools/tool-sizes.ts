import { readFile, writeFile } from 'node:fs/promises';
import { measuredSizes, retold, tableOf } from '#test/support/mcp/tool-sizes.ts';

/* Measures what the lists of tools take of a model's context, and writes it into the README, between its marks. */
const table = tableOf(await measuredSizes());
await writeFile('README.md', retold(await readFile('README.md', 'utf8'), table));
process.stdout.write(`${table}\n`);
