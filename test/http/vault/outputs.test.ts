import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { vaultProvider } from '#test/support/services/providers.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

// What each tool answers, as its published schema has it: over real sockets, in the neutral dialect and before releases of the notes app.
describe.each([
  ['neutral', null],
  ['obsidian', null],
  ['obsidian', '3.4.6'],
  ['obsidian', '5.1.0'],
] as const)('the answers of the vault tools, in the %s dialect (%s)', (dialect, release) => {
  let open: Awaited<ReturnType<typeof openVaultGateway>>;
  let call: ReturnType<typeof documentedTools>;
  const note = '---\nstatus: open\ntags: [deal]\n---\n# Acme\n\nThe quick brown fox #fox\n';
  const acme = { path: 'Deals/Acme.md' };

  beforeEach(async () => {
    const vault = release === null ? undefined : (await openNotesApp(release)).vault;
    open = await openVaultGateway(dialect, vault);
    call = documentedTools(vaultProvider(dialect), open.gateway);
    await call('vault_note_write', { path: 'Deals/Acme.md', content: note });
  });
  afterEach(() => open.close());

  it.each([
    ['vault_note_delete', { path: 'Deals/Acme.md' }],
    ['vault_command_run', { command_id: 'daily-notes' }],
  ])('are that it is done from %s (%j)', async (tool, args) => {
    expect(await call(tool, args)).toEqual({ texts: ['Done.'], content: { done: true } });
  });

  it.each([
    ['vault_vault_list', {}, { files: ['Deals/'] }],
    ['vault_vault_list', { dir_path: 'Deals' }, { files: ['Acme.md'] }],
    ['vault_frontmatter_get', { path: 'Deals/Acme.md' }, { status: 'open', tags: ['deal'] }],
    ['vault_tags_list', { path: 'Deals/Acme.md' }, { path: 'Deals/Acme.md', tags: ['deal', 'fox'] }],
  ])('are a record from %s (%j)', async (tool, args, record) => {
    const { texts, content } = await call(tool, args);
    expect(content).toEqual(record);
    expect(withoutRevision(texts).map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  const writes: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>, changed: object])[] = [
    ['vault_note_write', { path: 'New.md', content: 'text' }, { path: 'New.md', change: 'created' }],
    ['vault_note_write', { ...acme, content: 'text', mode: 'append' }, { ...acme, change: 'appended' }],
    ['vault_note_write', { ...acme, content: 'text', mode: 'overwrite' }, { ...acme, change: 'overwritten' }],
    [
      'vault_note_patch',
      { ...acme, target: 'Log', content: '- x' },
      { ...acme, target: 'Acme::Log', change: 'appended' },
    ],
    [
      'vault_note_patch',
      { ...acme, target: 'status', target_type: 'frontmatter', content: 'won' },
      { ...acme, target: 'status', change: 'replaced', value: 'won' },
    ],
    [
      'vault_note_patch',
      { ...acme, target: 'New', content: 'x', create_target_if_missing: true },
      { ...acme, target: expect.stringMatching(/New$/), change: 'appended' },
    ],
    ['vault_note_patch', { ...acme, target: '^fact', content: ' x' }, { ...acme, target: '^fact', change: 'appended' }],
    ['vault_frontmatter_set', { ...acme, key: 'value', value: 7 }, { ...acme, key: 'value', value: 7 }],
    ['vault_tags_add', { ...acme, tags: ['won'] }, { ...acme, tags: ['deal', 'won'] }],
    ['vault_tags_remove', { ...acme, tags: ['deal', 'fox'] }, { ...acme, tags: [], stillInText: ['fox'] }],
    ['vault_note_replace', { ...acme, find: 'quick', replace: 'slow' }, { ...acme, count: 1, lines: [7] }],
    [
      'vault_periodic_write',
      { period: 'yearly', content: 'text' },
      { path: expect.stringMatching(/20\d\d\.md$/), change: 'appended' },
    ],
  ];

  it.each(writes)(
    'are what has changed in a long note, and its revision, from %s (%j) (VAULT-020)',
    async (tool, args, changed) => {
      await call('vault_note_write', {
        ...acme,
        content: `${note}\n## Log\n\nA fact. ^fact\n\n${'A line.\n'.repeat(12_000)}`,
        mode: 'overwrite',
      });
      const { texts, content } = await call(tool, args);
      const path = String(content?.['path']);
      const read = (await call('vault_note_read', { path })).texts.at(-1) ?? '';
      const stated = /^Revision: (\w{16})$/.exec(read)?.[1];
      expect(content).toEqual({ ...changed, ...(stated === undefined ? {} : { revision: stated }) });
      expect(texts).toEqual([JSON.stringify(content)]);
      expect(JSON.stringify({ texts, content }).length).toBeLessThan(1_000);
    },
  );

  it('are notes with their matches from vault_search', async () => {
    const { texts, content } = await call('vault_search', { query: 'brown' });
    expect(content).toMatchObject({
      data: [{ filename: 'Deals/Acme.md', matches: [expect.stringContaining('quick brown fox')] }],
    });
    expect(texts).toHaveLength(1);
  });

  it('are notes with the results of the rule from vault_search_advanced', async () => {
    const query = { '==': [{ var: 'frontmatter.status' }, 'open'] };
    const { texts, content } = await call('vault_search_advanced', { query });
    expect(content).toEqual({ data: [{ filename: 'Deals/Acme.md', result: true }] });
    expect(texts).toHaveLength(1);
  });

  it('are names and ids from vault_commands_list', async () => {
    const { texts, content } = await call('vault_commands_list');
    expect(content).toMatchObject({
      commands: expect.arrayContaining([{ name: "Daily notes: Open today's daily note", id: 'daily-notes' }]),
    });
    expect(texts[0]).toContain('{"name":"Daily notes: Open today\'s daily note","id":"daily-notes"}');
  });

  it.each([
    ['vault_note_read', { path: 'Deals/Acme.md' }, [/brown fox/]],
    ['vault_periodic_read', { period: 'daily', date: '2025-02-03' }, [/^then$/, /^Path: (Daily\/)?2025-02-03\.md$/]],
  ])(
    'are the text of a note, its path unless it was given, and its revision, from %s (%j) (VAULT-022)',
    async (tool, args, shown) => {
      await call('vault_periodic_write', { period: 'daily', date: '2025-02-03', content: 'then' });
      const { texts, content } = await call(tool, args);
      expect(withoutRevision(texts)).toEqual(shown.map((pattern) => expect.stringMatching(pattern)));
      expect(content).toBeNull();
    },
  );
});

/** The texts of a result without the revision of what was read, which is its last. */
function withoutRevision(texts: readonly string[]): readonly string[] {
  return /^Revision: [0-9a-f]{16}$/.test(texts.at(-1) ?? '') ? texts.slice(0, -1) : texts;
}
