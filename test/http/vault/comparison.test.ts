import { afterEach, expect, it } from 'vitest';
import { rows } from '#adapters/services/vault/rows.ts';
import { apiKey, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openVaultBehind } from '#test/support/vault/vault-front.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';
import { answersOf, differencesOf } from '#test/tools/compare-vaults.ts';

const opened: TestVault[] = [];
const open = async (made: Promise<TestVault>) => {
  const vault = await made;
  opened.push(vault);
  return { url: vault.url, key: apiKey };
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((vault) => vault.close()));
});

it('two embedded vaults do not differ, and the comparison leaves nothing behind', async () => {
  const [first, second] = [await open(openTestVault()), await open(openTestVault())];
  const answers = await answersOf(first);
  expect(answers.filter(({ status }) => typeof status !== 'number')).toEqual([]);
  expect(differencesOf(answers, await answersOf(second))).toEqual([]);
  expect(await (await opened[0]?.ask('GET', '/vault/'))?.json()).toEqual({ files: [] });
});

it('a vault gives each operation the same outcome here as over its REST interface (EMB-023)', async () => {
  const [here, there] = await Promise.all([
    openVaultGateway('neutral', await openTestVault({ listen: null, bodyLimit: 1_000_000 })),
    openVaultGateway('neutral', await openTestVault({ bodyLimit: 1_000_000 })),
  ]);
  opened.push(here.vault, there.vault);
  for (const [name, input] of calls) {
    const [outcome, sent] = [await here.call(name, input), await there.call(name, input)];
    expect({ name, input, outcome: timeless(outcome) }).toEqual({ name, input, outcome: timeless(sent) });
  }
  expect(here.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual(
    there.changes.map(({ path, kind }) => `${kind} ${path}`),
  );
});

it('a vault does each request that a notes app is sent here', async () => {
  const vault = await openTestVault({ listen: null });
  opened.push(vault);
  expect(Object.keys(rows).filter((name) => !vault.local.has(name))).toEqual([]);
});

/** What only an operation says: that a note was deleted for good. A request has no place for it. */
const isOfDeletes = (name: string, value: unknown): boolean =>
  name === 'warnings' && JSON.stringify(value).includes('deleted for good');

/** An outcome without times of files. */
const timeless = (outcome: unknown): unknown =>
  JSON.parse(
    JSON.stringify(outcome, (name, value) => (isOfDeletes(name, value) ? undefined : name === 'stat' ? 'stat' : value)),
  );

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const patch = (more: object) => ({ path: 'Deals/Acme.md', operation: 'append', target_type: 'heading', ...more });
const day = { period: 'daily', year: 2026, month: 3, day: 31 };

/** Calls that succeed and calls that fail, in order: later ones rest on earlier ones. */
const calls: readonly (readonly [name: string, input: object])[] = [
  ['active.read', {}],
  ['folders.root', {}],
  ['notes.read', { path: 'Deals/Acme.md' }],
  ['notes.put', { path: 'Deals/Acme.md', content: '\uFEFF---\nstatus: open\n---\n# Deal\n\n## History\n\nOne ^one\n' }],
  ['notes.put', { path: 'Deals/Acme.md', content: 'x', if_none_match: '*' }],
  ['notes.put', { path: 'Deals/Acme.md', content: 'x', if_match: '"0123456789abcdef"' }],
  ['notes.put', { path: 'Deals/Acme.md', content: 'x', if_match: ' , ' }],
  ['notes.put', { path: 'Deals/Acme.md/Below.md', content: 'x' }],
  ['notes.put', { path: 'Deals/', content: 'x' }],
  ['notes.put', { path: '.hidden/Note.md', content: 'x' }],
  ['notes.put', { path: 'a\\b.md', content: 'x' }],
  ['notes.put', { path: `${'n'.repeat(300)}.md`, content: 'x' }],
  ['notes.put', { path: 'Large.md', content: 'x'.repeat(1_000_001) }],
  ['notes.put', { path: 'Deals/100% ünï?#.md', content: 'Odd.' }],
  ['notes.read', { path: 'Deals/100% ünï?#.md' }],
  ['notes.read', { path: './Deals//Acme.md' }],
  ['notes.read', { path: 'Deals/Acme.md', format: 'note' }],
  ['notes.read', { path: 'Deals/Acme.md', format: 'document_map' }],
  ['notes.read', { path: 'Deals' }],
  ['notes.read', { path: 'Deals/' }],
  ['notes.read', { path: 'Missing/' }],
  ['notes.read', { path: '.hidden/Note.md' }],
  ['notes.put', { path: 'data.json', content: '{"a": [1]}' }],
  ['notes.read', { path: 'data.json' }],
  ['notes.put', { path: 'data.json', content: JSON.stringify(deep(101)) }],
  ['notes.read', { path: 'data.json' }],
  ['notes.put', { path: 'data.json', content: '{' }],
  ['notes.read', { path: 'data.json' }],
  ['notes.put', { path: 'data.json', content: '' }],
  ['notes.read', { path: 'data.json' }],
  ['folders.list', { dir_path: 'Deals' }],
  ['folders.list', { dir_path: 'Nowhere' }],
  ['folders.list', { dir_path: '.git' }],
  ['notes.append', { path: 'Deals/Acme.md', content: 'Two' }],
  ['notes.append', { path: 'Deals/Acme.md', content: 'Three' }],
  ['notes.patch', patch({ target: 'Deal::History', content: 'Four\n' })],
  ['notes.patch', patch({ target: 'Deal/History', target_delimiter: '/', content: 'Five\n' })],
  ['notes.patch', patch({ target: 'Deal::History', content: 'Five', reject_if_content_preexists: true })],
  ['notes.patch', patch({ target: 'Nothing', content: 'x' })],
  ['notes.patch', patch({ target: 'Deal', content: ['x'] })],
  ['notes.patch', patch({ target_type: 'block', target: '^one', operation: 'replace', content: 'Eins' })],
  ['notes.patch', patch({ target_type: 'frontmatter', target: 'status', operation: 'replace', content: 'won' })],
  ['notes.patch', patch({ target_type: 'frontmatter', target: 'due', operation: 'replace', content: { a: null } })],
  ['notes.patch', patch({ target_type: 'frontmatter', target: 'status', operation: 'replace', content: deep(102) })],
  ['notes.patch', { ...patch({ target: 'x', content: 'x' }), path: 'Deals' }],
  ['notes.patch', { ...patch({ target: 'x', content: 'x' }), path: 'None.md' }],
  ['notes.patch', patch({ target: 'Deal', content: 'x', if_match: '"no"' })],
  ['active.read', {}],
  ['active.patch', { ...patch({ target: 'Deal', content: 'Active\n' }) }],
  ['periodic.read', { period: 'weekly' }],
  ['periodic.append', { period: 'weekly', content: 'A week.' }],
  ['periodic.read', { period: 'weekly', format: 'note' }],
  ['periodic_dated.read', day],
  ['periodic_dated.put', { ...day, content: 'A day.' }],
  ['periodic_dated.read', day],
  ['periodic_dated.put', { ...day, month: 2, content: 'No day.' }],
  ['periodic_dated.patch', { ...patch({ target: 'x', content: 'x' }), ...day, day: 30 }],
  ['periodic_dated.delete', day],
  ['periodic_dated.delete', day],
  ['search.simple', { query: 'deal' }],
  ['search.simple', { query: 'two', contextLength: 3 }],
  ['search.advanced', { query: { '==': [{ var: 'frontmatter.status' }, 'won'] } }],
  ['search.advanced', { query: '{"in": ["Acme", {"var": "path"}]}' }],
  ['search.advanced', { query: 'no JSON' }],
  ['search.advanced', { query: { none: [] } }],
  ['search.advanced', { query: { or: ['x'.repeat(65_536)] } }],
  ['search.advanced', { query: 'LIST FROM "Deals"', type: 'dql' }],
  ['search.advanced', { query: 'CALENDAR x', type: 'dql' }],
  ['commands.list', {}],
  ['commands.run', { command_id: 'file-explorer:new-file' }],
  ['commands.run', { command_id: 'none such/%' }],
  ['open.file', { filename: 'Opened' }],
  ['active.read', { format: 'note' }],
  ['notes.delete', { path: 'Opened.md' }],
  ['notes.delete', { path: 'Opened.md' }],
  ['notes.delete', { path: 'Deals' }],
  ['active.delete', {}],
  ['system.info', {}],
  ['system.openapi', {}],
  ['system.certificate', {}],
  ['notes.write', { path: 'Deals/Acme.md', content: 'x' }],
  ['notes.patch_part', { path: 'Deals/Acme.md', target: 'Histori', content: 'x' }],
  ['notes.put', { path: 'Twice.md', content: '# A\n## B\n## B\none\n# C\n## A\n' }],
  ['notes.read', { path: 'Twice.md', format: 'document_map' }],
  ['notes.patch', { ...patch({ target: 'A::B', content: 'x' }), path: 'Twice.md' }],
  ['notes.patch_part', { path: 'Twice.md', target: 'B', content: 'x' }],
  ['notes.patch_part', { path: 'Twice.md', target: 'B#2', content: 'x' }],
  ['notes.patch_part', { path: 'Twice.md', target: 'A#1', content: 'x' }],
  ['notes.patch_part', { path: 'Twice.md', target: 'D', content: 'x' }],
  ['notes.patch_part', { path: 'Twice.md', target: 'C::D', content: 'x', create_target_if_missing: true }],
  ['notes.read', { path: 'Twice.md' }],
  ['notes.put', { path: 'Rows.md', content: '# A\n\n| a |\n| - |\n\n# B\n\n- one\n' }],
  ['notes.patch_part', { path: 'Rows.md', target: 'A', content: '| 1 |' }],
  ['notes.patch_part', { path: 'Rows.md', target: 'B', content: '- two' }],
  ['notes.read', { path: 'Rows.md' }],
  ['tags.add', { path: 'Deals/Acme.md', tags: ['customer'] }],
  ['tags.list', { path: 'Deals/Acme.md' }],
  ['frontmatter.get', { path: 'Deals/Acme.md', key: 'none' }],
  ['frontmatter.get', { path: 'Deals/Acme.md' }],
];

it('a vault that answers differently is found: by status, code, media type, shape and text', async () => {
  const first = await answersOf(await open(openTestVault()));
  const other = await open(
    openVaultBehind(async (request, pass) => {
      const answer = await pass(request);
      if (answer === null) return null;
      if (request.path === '/commands/') return { ...answer, body: '{"commands":[]}' };
      if (answer.status === 404) return { ...answer, body: answer.body.replace('40400', '40499') };
      if (request.path.endsWith('data.json')) return { ...answer, headers: { 'content-type': 'text/plain' } };
      if (answer.status === 412 || answer.status === 405) return { ...answer, status: 418 };
      return { ...answer, body: answer.body.replace('odd name', 'another') };
    }),
  );
  const found = new Set(differencesOf(first, await answersOf(other)).map(({ what }) => what));
  expect([...found]).toEqual(expect.arrayContaining(['status', 'errorCode', 'type', 'shape', 'text']));
});
