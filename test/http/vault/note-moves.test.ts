import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { failed } from '#domain/operations/outcome.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

type Opened = Awaited<ReturnType<typeof openVaultGateway>>;

const opened: Opened[] = [];
afterEach(() => Promise.all(opened.splice(0).map((gateway) => gateway.close())));

/** The team’s vault with these notes. */
async function vaultWith(notes: Readonly<Record<string, string>>): Promise<Opened> {
  const vault = await openTestVault({ listen: null });
  const gateway = await openVaultGateway('neutral', vault);
  opened.push(gateway);
  for (const [path, content] of Object.entries(notes)) {
    expect(await gateway.call('notes.put', { path, content })).toMatchObject({ ok: true });
  }
  gateway.changes.length = 0;
  return gateway;
}

const textOf = ({ vault }: Opened, path: string) => readFile(join(vault.folder, path), 'utf8').catch(() => null);

const links = `---
up: "[[Acme]]"
---
# Links

[[Acme]] and [[Acme|shown]], ![[Acme#History]], [[Deals/Acme#^fact|a fact]], [[Deals/Acme.md]]
| [[Acme\\|in a table]] | \`[[Acme]]\` |
[text](Deals/Acme.md#History), [more](<Deals/Acme.md> "title"), [web](https://example.com/Acme.md)

[ref]: Deals/Acme.md "title"

\`\`\`
[[Acme]]
\`\`\`
`;

it('a note is moved, and the links to it and its own are rewritten as they were written (VAULT-024)', async () => {
  const gateway = await vaultWith({
    'Deals/Acme.md': 'See [log](Log.md), ![x](../img.png), [[Log]] and [[#Here]].\n',
    'Deals/Log.md': '[deal](Acme.md)\n',
    'Sub/Other.md': '[deal](../Deals/Acme.md#History) [[Unrelated]]\n',
    'Links.md': links,
  });
  await writeFile(join(gateway.vault.folder, 'img.png'), 'x');
  await gateway.call('commands.run', { command_id: 'vault:rebuild-index' });
  const moved = await gateway.call('notes.move', { path: 'Deals/Acme.md', to: 'Won/2026/Acme Ltd (new)' });
  expect(moved).toMatchObject({
    ok: true,
    data: {
      path: 'Won/2026/Acme Ltd (new).md',
      from: 'Deals/Acme.md',
      left: [],
      revision: expect.stringMatching(/^\w{16}$/),
    },
  });
  expect(await textOf(gateway, 'Deals/Acme.md')).toBeNull();
  expect(await textOf(gateway, 'Won/2026/Acme Ltd (new).md')).toBe(
    'See [log](../../Deals/Log.md), ![x](../../img.png), [[Log]] and [[#Here]].\n',
  );
  expect(await textOf(gateway, 'Deals/Log.md')).toBe('[deal](../Won/2026/Acme%20Ltd%20%28new%29.md)\n');
  expect(await textOf(gateway, 'Sub/Other.md')).toBe(
    '[deal](../Won/2026/Acme%20Ltd%20%28new%29.md#History) [[Unrelated]]\n',
  );
  expect(await textOf(gateway, 'Links.md')).toBe(`---
up: "[[Acme Ltd (new)]]"
---
# Links

[[Acme Ltd (new)]] and [[Acme Ltd (new)|shown]], ![[Acme Ltd (new)#History]], [[Won/2026/Acme Ltd (new)#^fact|a fact]], [[Won/2026/Acme Ltd (new).md]]
| [[Acme Ltd (new)\\|in a table]] | \`[[Acme]]\` |
[text](Won/2026/Acme%20Ltd%20%28new%29.md#History), [more](<Won/2026/Acme Ltd (new).md> "title"), [web](https://example.com/Acme.md)

[ref]: Won/2026/Acme%20Ltd%20%28new%29.md "title"

\`\`\`
[[Acme]]
\`\`\`
`);
  expect(gateway.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual(
    expect.arrayContaining(['gone Deals/Acme.md', 'made Won/2026/Acme Ltd (new).md', 'changed Links.md']),
  );
  expect(await readdir(join(gateway.vault.folder, '.portolan', 'changes'))).toEqual([]);
});

it('a link that may mean several notes is left and named, and so is one that would become unclear (VAULT-024)', async () => {
  const gateway = await vaultWith({
    'A/Plan.md': 'a\n',
    'B/Plan.md': 'b\n',
    'C/Goal.md': 'c\n',
    'Links.md': 'x\n[[Plan]] [[A/Plan]]\n[[Goal]]\n',
  });
  expect(await gateway.call('notes.move', { path: 'A/Plan.md', to: 'D/Goal.md' })).toMatchObject({
    ok: true,
    data: {
      count: 1,
      notes: ['Links.md'],
      left: [
        { path: 'Links.md', line: 2, why: expect.stringContaining('"A/Plan.md" or "B/Plan.md"') },
        { path: 'Links.md', line: 3, why: expect.stringContaining('"C/Goal.md"') },
      ],
    },
  });
  expect(await textOf(gateway, 'Links.md')).toBe('x\n[[Plan]] [[D/Goal]]\n[[Goal]]\n');
});

it('a bare name that another note has is written as a path (VAULT-024)', async () => {
  const gateway = await vaultWith({ 'Acme.md': 'a\n', 'Old/Plan.md': 'b\n', 'Links.md': '[[Acme]] [[Old/Plan]]\n' });
  await gateway.call('notes.move', { path: 'Acme.md', to: 'New/Plan.md' });
  expect(await textOf(gateway, 'Links.md')).toBe('[[New/Plan]] [[Old/Plan]]\n');
});

it('a move to a folder keeps the name, and one within it the folder (VAULT-024)', async () => {
  const gateway = await vaultWith({ 'A.md': '[[B]]', 'B.md': '[[A]]', 'Archive/C.md': '' });
  const at = async (to: string, path: string) =>
    expect(await gateway.call('notes.move', { path, to })).toMatchObject({ ok: true });
  await at('Archive/', 'A.md');
  await at('Archive', 'B.md');
  expect(await textOf(gateway, 'Archive/A.md')).toBe('[[B]]');
  await at('Archive/Bee', 'Archive/B.md');
  expect(await textOf(gateway, 'Archive/A.md')).toBe('[[Bee]]');
  await at('Archive/bee.md', 'Archive/Bee.md');
  expect(await readdir(join(gateway.vault.folder, 'Archive'))).toEqual(['A.md', 'C.md', 'bee.md']);
});

it('a move is refused where it cannot be, and changes nothing (VAULT-024)', async () => {
  const gateway = await vaultWith({ 'A.md': 'a', 'B.md': '[[A]]', 'Folder/C.md': '' });
  const { folder } = gateway.vault;
  await mkdir(join(dirname(folder), 'outside'), { recursive: true });
  await symlink(join(dirname(folder), 'outside'), join(folder, 'Out'));
  await symlink(join(folder, 'A.md'), join(folder, 'Link.md'));
  const read = await gateway.call('notes.read_part', { path: 'A.md' });
  const revision = read.ok ? read.revision : undefined;
  for (const [input, reason] of [
    [{ path: 'A.md', to: 'B.md' }, 'conflict'],
    [{ path: 'A.md', to: 'A.md' }, 'conflict'],
    [{ path: 'None.md', to: 'C.md' }, 'not_found'],
    [{ path: 'Folder', to: 'Other' }, 'invalid_input'],
    [{ path: 'Folder/', to: 'Other' }, 'invalid_input'],
    [{ path: 'A.md', to: '../C.md' }, 'invalid_input'],
    [{ path: 'A.md', to: 'Out/C.md' }, 'rejected'],
    [{ path: 'A.md', to: 'B.md/C.md' }, 'rejected'],
    [{ path: 'A.md', to: 'x/.git/C.md' }, 'invalid_input'],
    [{ path: 'A.md', to: ' .md' }, 'invalid_input'],
    [{ path: 'Link.md', to: 'C.md' }, 'rejected'],
    [{ path: 'A.md', to: 'C.md', if_match: '0123456789abcdef' }, 'conflict'],
  ] as const) {
    expect({ input, ...(await gateway.call('notes.move', input)) }).toMatchObject({ input, ok: false, reason });
  }
  expect(await textOf(gateway, 'A.md')).toBe('a');
  expect(await textOf(gateway, 'B.md')).toBe('[[A]]');
  expect(gateway.changes).toEqual([]);
  expect(await gateway.call('notes.move', { path: 'A.md', to: 'C.md', if_match: revision })).toMatchObject({
    ok: true,
  });
});

it('a heading is renamed with the links to it, by its path where it is repeated (VAULT-025)', async () => {
  const gateway = await vaultWith({
    'Deal.md': '# Deal\n\n[[#Old log]] [[#Deal#Old log]]\n\n## Old log\n\n### Calls\n\n# Person\n\n## Calls\n',
    'Links.md':
      '[[Deal#Old log|x]] ![[Deal#Old log#Calls]] [t](Deal.md#Old%20log) [u](Deal.md#old-log) [[Deal#Calls]] [[Deal]]\n',
  });
  const rename = (target: string, title: string) => gateway.call('headings.rename', { path: 'Deal.md', target, title });
  expect(await rename('Old log', 'History: new')).toMatchObject({
    ok: true,
    data: { path: 'Deal.md', target: 'Deal::History: new', count: 6, notes: ['Deal.md', 'Links.md'], left: [] },
  });
  expect(await textOf(gateway, 'Deal.md')).toBe(
    '# Deal\n\n[[#History new]] [[#Deal#History new]]\n\n## History: new\n\n### Calls\n\n# Person\n\n## Calls\n',
  );
  expect(await textOf(gateway, 'Links.md')).toBe(
    '[[Deal#History new|x]] ![[Deal#History new#Calls]] [t](Deal.md#History%20new) [u](Deal.md#history-new) [[Deal#Calls]] [[Deal]]\n',
  );
  expect(await rename('Calls', 'Talks')).toMatchObject({
    reason: 'invalid_input',
    message: expect.stringMatching(/"Deal::History: new::Calls" \(line 7\).*"Person::Calls" \(line 11\)/),
  });
  expect(await rename('Calls#2', 'Talks')).toMatchObject({
    ok: true,
    data: {
      target: 'Person::Talks',
      count: 0,
      left: [{ path: 'Links.md', line: 1, why: expect.stringContaining('Several headings') }],
    },
  });
  expect(await rename('Nothing', 'X')).toMatchObject({
    reason: 'not_found',
    message: expect.stringContaining('"Person::Talks"'),
  });
  expect(await rename('Person', 'Deal')).toMatchObject({ reason: 'conflict' });
  expect(await rename('Person', 'a\nb')).toMatchObject({ reason: 'invalid_input' });
  const stale = { path: 'Deal.md', target: 'Person', title: 'X', if_match: '0123456789abcdef' };
  expect(await gateway.call('headings.rename', stale)).toMatchObject({ reason: 'conflict' });
});

it('a tag is renamed in frontmatter and text, with the tags below it, and counted (VAULT-026)', async () => {
  const gateway = await vaultWith({
    'A.md':
      '---\ntags: [deal, deal/won, other] # deal\nstatus: deal\n---\n#deal #deal/lost #dealer `#deal`\n\n```\n#deal\n```\n',
    'B.md': '---\ntags:\n  - client\n  - "#Deal"\n---\n',
    'C.md': '---\ntags: deal, x\n---\n',
    'D.md': 'deal\n',
  });
  expect(await gateway.call('tags.rename', { tag: '#deal', to: 'client' })).toMatchObject({
    ok: true,
    data: { tag: 'deal', to: 'client', count: 6, notes: ['A.md', 'B.md', 'C.md'], left: [] },
  });
  expect(await textOf(gateway, 'A.md')).toBe(
    '---\ntags: [client, client/won, other] # deal\nstatus: deal\n---\n#client #client/lost #dealer `#deal`\n\n```\n#deal\n```\n',
  );
  expect(await textOf(gateway, 'B.md')).toBe('---\ntags:\n  - client\n---\n');
  expect(await textOf(gateway, 'C.md')).toBe('---\ntags: client, x\n---\n');
  expect(await gateway.call('tags.rename', { tag: 'deal', to: 'client' })).toMatchObject({ reason: 'not_found' });
  for (const to of ['a b', '2026', 'a//b', '']) {
    expect(await gateway.call('tags.rename', { tag: 'client', to })).toMatchObject({ reason: 'invalid_input' });
  }
});

it('a connected notes app is refused by name (VAULT-024, VAULT-025, VAULT-026)', async () => {
  const gateway = await openVaultGateway('obsidian');
  opened.push(gateway);
  await writeFile(join(gateway.vault.folder, 'A.md'), '# A\n');
  for (const [name, input] of [
    ['notes.move', { path: 'A.md', to: 'B.md' }],
    ['headings.rename', { path: 'A.md', target: 'A', title: 'B' }],
    ['tags.rename', { tag: 'a', to: 'b' }],
  ] as const) {
    expect(await gateway.call(name, input)).toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('notes app'),
    });
  }
  expect(await textOf(gateway, 'A.md')).toBe('# A\n');
});

it.each([
  ['notes.move', { path: 'A.md', to: 'B.md' }],
  ['headings.rename', { path: 'A.md', target: 'A', title: 'B' }],
  ['tags.rename', { tag: 'a', to: 'b' }],
])(
  '%s changes nothing if it is ended when it has been planned (VAULT-024, VAULT-025, VAULT-026)',
  async (name, input) => {
    const gateway = await vaultWith({ 'A.md': '# A\n\n#a\n', 'L.md': '[[A#A]]\n' });
    const ended = failed('rejected', 'ended');
    const call = { userId: 1, service: 'vault', name, input, onPlanned: async () => ended } as const;
    expect(await gateway.gateway.call(call)).toEqual(ended);
    expect([await textOf(gateway, 'A.md'), await textOf(gateway, 'L.md')]).toEqual(['# A\n\n#a\n', '[[A#A]]\n']);
  },
);
