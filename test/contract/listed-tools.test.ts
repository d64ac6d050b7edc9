import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ListedTool, openToolLists, type ToolLists } from '#test/support/mcp/listed-tools.ts';
import { toolsDocument } from '#test/support/mcp/tools-document.ts';
import { foldedJson } from '#test/support/services/folded-json.ts';

let lists: ToolLists;

beforeAll(async () => {
  lists = await openToolLists();
});
afterAll(() => lists[Symbol.asyncDispose]());

/** By hand: the folder of the snapshots, the query of its list, and how many tools it has. */
const folders = [
  ['sales-crm', '?services=sales_crm', 24],
  ['signing', '?services=signing', 11],
  ['suite-crm', '?services=suite_crm', 15],
  ['tracker', '?services=tracker', 28],
  ['vault', '?services=vault', 23],
  ['catalogue', '?mode=catalogue', 3],
  ['programs', '?mode=programs', 1],
  ['workspace', '', 5],
] as const;

const forms = [
  ['by default', '', '.json'],
  ['with schemas=full', '&schemas=full', '.full.json'],
] as const;

/** The tools of a list that no service has are those of the catalogue mode itself, and those over all services. */
const ownOf = (tools: readonly ListedTool[], folder: string) =>
  tools.filter(({ name }) => {
    if (folder === 'catalogue') return /^(?:search|run)_/.test(name);
    if (folder === 'programs') return name === 'workspace_run';
    return name.startsWith('workspace_') === (folder === 'workspace');
  });

describe.each(folders)('tools/list of %s', (folder, query, count) => {
  it.each(forms)('sends each tool as its snapshot shows it, %s (TOOL-003)', async (_, form, ending) => {
    const tools = ownOf(await lists.list((query === '' ? '?mode=all' : query) + form), folder);
    expect(tools).toHaveLength(count);
    for (const tool of tools)
      await expect.soft(foldedJson(tool)).toMatchFileSnapshot(`tools/${folder}/${tool.name}${ending}`);
  });

  it('has a snapshot for each tool and form, and no other', async () => {
    const names = ownOf(await lists.list(query), folder).map(({ name }) => name);
    const files = await readdir(join('test/contract/tools', folder));
    expect(files.sort()).toEqual(names.flatMap((name) => [`${name}.full.json`, `${name}.json`]).sort());
  });
});

it('tools/list of all services sends the same tools as the lists of each', async () => {
  for (const [, form] of forms) {
    const each = await Promise.all(folders.slice(0, 5).map(([, query]) => lists.list(query + form)));
    const all = await lists.list(`?mode=all${form}`);
    expect(ownOf(all, 'services')).toEqual(each.flatMap((tools) => ownOf(tools, 'services')));
  }
});

const changeable = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
  annotations: z.looseObject({ readOnlyHint: z.boolean() }),
});

it('tools/list of all services has what each changing tool takes besides its own inputs, as bare types (ASK-021)', async () => {
  const bare = { dry: { type: 'boolean' }, explain: { type: 'string' }, approval: { type: 'string' } };
  const tools = z.array(changeable).parse(await lists.list('?mode=all'));
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(changing).toHaveLength(52);
  for (const { name, inputSchema } of changing) expect(inputSchema.properties, name).toMatchObject(bare);
  for (const { name, inputSchema, annotations } of tools) {
    if (annotations.readOnlyHint) expect(Object.keys(inputSchema.properties), name).not.toContain('dry');
  }
});

it('docs/tools.md lists each of them; `npm run tools` writes it', async () => {
  const tools = await lists.list('?mode=all');
  const document = await readFile('docs/tools.md', 'utf8');
  expect(document).toBe(toolsDocument(tools));
  for (const { name } of tools) expect(document).toContain(`| \`${name}\``);
});
