import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { tellSourcesInStacks } from '#bootstrap/clone/stacks-of-sources.ts';

const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
  else Object.defineProperty(Error, 'prepareStackTrace', before);
});

it('a stack names the file and line of the source, and begins as Node has it (RUN-018)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-stacks-'));
  const sources = { version: 3, names: [], sources: ['../domain/one.ts'], mappings: 'AAIA' };
  await writeFile(
    join(folder, 'one.mjs'),
    'export const fails = () => new TypeError("no");\nexport const other = 1;\n',
  );
  await writeFile(join(folder, 'one.mjs.map'), JSON.stringify(sources));
  await writeFile(join(folder, 'two.mjs'), 'export const fails = () => new Error("no map");\n');
  const { fails } = await import(pathToFileURL(join(folder, 'one.mjs')).href);
  const { fails: failsToo } = await import(pathToFileURL(join(folder, 'two.mjs')).href);
  tellSourcesInStacks(folder);
  const source = new URL('../domain/one.ts', pathToFileURL(join(folder, 'one.mjs'))).href;
  expect(fails().stack.split('\n').slice(0, 2)).toEqual(['TypeError: no', `    at fails (${source}:5:1)`]);
  expect(failsToo().stack).toContain(`${pathToFileURL(join(folder, 'two.mjs')).href}:1:`);
  expect(() => new URL('nowhere')).toThrow(
    expect.objectContaining({ stack: expect.stringMatching(/^TypeError(?: \[ERR_INVALID_URL\])?: Invalid URL\n/) }),
  );
  await rm(folder, { recursive: true });
});
