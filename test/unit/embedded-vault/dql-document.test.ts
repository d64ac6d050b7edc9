import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fileFields } from '#domain/vault-queries/dql/file-fields.ts';
import { dqlFunctions } from '#domain/vault-queries/dql/functions/dql-functions.ts';

const namesIn = (rows: string) => [...rows.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '').toSorted();

it('docs/queries.md lists all functions and the fields of files, and no others', async () => {
  const text = await readFile('docs/queries.md', 'utf8');
  const [, , files = '', functions = ''] = text.split(/^\| (?=Part|Fields of `file`|Functions)/m);
  expect(namesIn(functions.slice(0, functions.indexOf('**Not')))).toEqual(Object.keys(dqlFunctions).toSorted());
  expect(namesIn(files.slice(files.indexOf('| `name`')))).toEqual(fileFields.toSorted());
});
