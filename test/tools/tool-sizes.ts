import { readFile, writeFile } from 'node:fs/promises';
import { measuredSizes, retold, tableOf } from '#test/support/mcp/tool-sizes.ts';

/* Measures what the lists of tools take of a model's context, and writes it into docs/conformance.md, between its marks. */
const table = tableOf(await measuredSizes());
const document = 'docs/conformance.md';
await writeFile(document, retold(await readFile(document, 'utf8'), table));
process.stdout.write(`${table}\n`);
