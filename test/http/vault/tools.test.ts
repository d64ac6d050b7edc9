import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

// Each tool of the vault over real sockets, against the embedded vault.
describe.each(['neutral', 'obsidian'] as const)('the vault tools, in the %s dialect', (dialect) => {
  let open: Awaited<ReturnType<typeof openVaultGateway>>;
  const call = (name: string, input: unknown) => open.call(name, input);
  const fileText = (path: string) => readFile(join(open.vault.folder, path), 'utf8');
  const write = (path: string, content: string) => call('notes.write', { path, content, mode: 'overwrite' });

  beforeEach(async () => {
    open = await openVaultGateway(dialect);
  });
  afterEach(() => open.close());

  describe('vault_note_write', () => {
    it('creates a note that does not exist yet (VAULT-005)', async () => {
      expect(await call('notes.write', { path: 'Deals/Acme.md', content: '# Acme\n' })).toMatchObject({ ok: true });
      expect(await fileText('Deals/Acme.md')).toBe('# Acme\n');
    });

    it('refuses to create an existing note, with a remedy (VAULT-005)', async () => {
      await write('A.md', 'first');
      const outcome = await call('notes.write', { path: 'A.md', content: 'second', mode: 'create' });
      expect(outcome).toMatchObject({
        ok: false,
        reason: 'conflict',
        message: expect.stringContaining('"append" or "overwrite"'),
      });
      expect(await fileText('A.md')).toBe('first');
    });

    it('appends and overwrites (VAULT-005)', async () => {
      await write('A.md', 'one\n');
      await call('notes.write', { path: 'A.md', content: 'two\n', mode: 'append' });
      expect(await fileText('A.md')).toBe('one\ntwo\n');
      await write('A.md', 'three');
      expect(await fileText('A.md')).toBe('three');
    });
  });

  it('include vault_note_read, which returns the text, whatever the name', async () => {
    for (const path of ['a b.md', 'c#d.md', '100%.md', 'what?.md', 'über/日本 🎉.md', 'עברית.md']) {
      await write(path, `text of ${path}`);
      expect(await call('notes.read', { path })).toMatchObject({ ok: true, data: `text of ${path}` });
    }
  });

  it('include vault_note_read, which reads a long note in parts, and says where the next one begins (TOOL-009)', async () => {
    const text = `${'a'.repeat(99_999)}🎉${'b'.repeat(150_000)}`;
    await write('Long.md', text);
    const read = (from: number) => call('notes.read_part', { path: 'Long.md', from });
    expect(await read(0)).toMatchObject({
      ok: true,
      data: 'a'.repeat(99_999),
      part: { begin: 0, end: 99_999, of: 250_001 },
    });
    expect(await read(99_999)).toMatchObject({ data: `🎉${'b'.repeat(99_998)}` });
    expect(await read(199_999)).toMatchObject({
      ok: true,
      data: 'b'.repeat(50_002),
      part: { begin: 199_999, end: 250_001, of: 250_001 },
    });
    expect(await read(250_001)).toMatchObject({ ok: false, reason: 'invalid_input' });
    await write('Short.md', 'text');
    expect(await call('notes.read_part', { path: 'Short.md' })).toMatchObject({ ok: true, data: 'text' });
  });

  it('include vault_note_read, which reports a missing note', async () => {
    expect(await call('notes.read', { path: 'Nowhere.md' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('include vault_note_delete, which deletes', async () => {
    await write('A.md', 'text');
    expect(await call('notes.delete', { path: 'A.md' })).toEqual({ ok: true, data: null });
    expect(await call('notes.delete', { path: 'A.md' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  describe('vault_note_patch', () => {
    const note = '# Deal\n\n## History\n\nold\n\n## Next\n\nmore\n';

    it('finds a bare heading by its full path', async () => {
      await write('A.md', note);
      expect(await call('notes.patch_part', { path: 'A.md', target: 'History', content: 'new' })).toMatchObject({
        ok: true,
      });
      expect(await fileText('A.md')).toMatch(/old\n+new\n+## Next/);
    });

    it.each([
      ['a row to a table', '| a |\n| - |\n| 1 |', '| 2 |'],
      ['an item to a list', '- one', '- two'],
      ['an item to a numbered list', '1. one', '2. two'],
    ])('appends %s without a blank line between (VAULT-015)', async (_, block, content) => {
      await write('A.md', `# Deal\n\n## Last\n\n${block}\n\n## Next\n\n${block}\n`);
      for (const target of ['Last', 'Next']) await call('notes.patch_part', { path: 'A.md', target, content });
      expect(await fileText('A.md')).toBe(
        `# Deal\n\n## Last\n\n${block}\n${content}\n\n## Next\n\n${block}\n${content}\n`,
      );
    });

    it('lists the choices when a bare heading occurs several times', async () => {
      await write('A.md', '# A\n\n## Notes\n\n# B\n\n## Notes\n');
      expect(await call('notes.patch_part', { path: 'A.md', target: 'Notes', content: 'x' })).toMatchObject({
        ok: false,
        reason: 'invalid_input',
        message: expect.stringContaining('"A::Notes" (line 3) and "B::Notes" (line 7)'),
      });
    });

    it('refuses a heading that is twice under one, and finds each by its place (VAULT-012)', async () => {
      const text = '# Deal\n\n## Log\n\none\n\n## Log\n\ntwo\n';
      await write('A.md', text);
      for (const target of ['Log', 'Deal::Log', '## Log', 'Log#3']) {
        expect(
          await call('notes.patch_part', { path: 'A.md', target, content: 'x', operation: 'replace' }),
        ).toMatchObject({
          ok: false,
          reason: 'invalid_input',
          message: expect.stringContaining('"Deal::Log#1" (line 3) and "Deal::Log#2" (line 7)'),
        });
      }
      expect(await fileText('A.md')).toBe(text);
      await call('notes.patch_part', { path: 'A.md', target: 'Log#1', content: 'x' });
      await call('notes.patch_part', { path: 'A.md', target: 'Deal::Log#2', content: 'y' });
      expect(await fileText('A.md')).toBe('# Deal\n\n## Log\n\none\n\nx\n\n## Log\n\ntwo\ny\n');
    });

    it('refuses a bare heading that is also below another, and finds it by its place (VAULT-012)', async () => {
      const text = '## Budget\n\none\n\n## Other\n\n### Budget\n\ntwo\n';
      await write('A.md', text);
      expect(await call('notes.patch_part', { path: 'A.md', target: 'Budget', content: 'x' })).toMatchObject({
        ok: false,
        message: expect.stringContaining('"Budget#1" (line 1) and "Other::Budget" (line 7)'),
      });
      const map = await call('notes.read', { path: 'A.md', format: 'document_map' });
      expect(map).toMatchObject({ data: { headings: ['Budget#1', 'Other', 'Other::Budget'] } });
      await call('notes.patch_part', { path: 'A.md', target: 'Budget#1', content: 'x' });
      expect(await fileText('A.md')).toBe(text.replace('one\n', 'one\n\nx\n'));
    });

    it('makes a missing heading below the title, or below the heading that its path begins with', async () => {
      const make = async (target: string) => {
        await write('A.md', '# Title\n\n## Deal\n\ntext\n');
        await call('notes.patch_part', { path: 'A.md', target, content: 'x', create_target_if_missing: true });
        return fileText('A.md');
      };
      expect(await make('Log')).toBe('# Title\n\n## Deal\n\ntext\n\n## Log\nx\n');
      expect(await make('Deal::Log')).toBe('# Title\n\n## Deal\n\ntext\n\n### Log\nx\n');
    });

    it('takes a target that begins with ^ as a block', async () => {
      await write('A.md', 'one ^first\n');
      await call('notes.patch_part', { path: 'A.md', target: '^first', content: 'two', operation: 'replace' });
      expect(await fileText('A.md')).toBe('two ^first\n');
    });

    it('creates a missing heading only on request', async () => {
      await write('A.md', note);
      const patch = { path: 'A.md', target: 'Elsewhere', content: 'x' };
      expect(await call('notes.patch_part', patch)).toMatchObject({ ok: false });
      expect(await call('notes.patch_part', { ...patch, create_target_if_missing: true })).toMatchObject({ ok: true });
      expect(await fileText('A.md')).toContain('Elsewhere');
    });

    it('puts text on lines of its own, even if the note or the text has no line end', async () => {
      await write('A.md', '# Deal\n\n## History\nold');
      await call('notes.patch_part', { path: 'A.md', target: 'History', content: 'new' });
      expect(await fileText('A.md')).toBe('# Deal\n\n## History\nold\nnew\n');
      await call('notes.patch_part', { path: 'A.md', target: 'History', content: 'newest', operation: 'prepend' });
      expect(await fileText('A.md')).toBe('# Deal\n\n## History\nnewest\nold\nnew\n');
    });

    it('lists the headings, blocks and keys when the target is missing, the nearest first, and how to create it (VAULT-008)', async () => {
      await write('A.md', '---\nstatus: open\n---\n# Deal\n## Next\n## History\ntext ^first\n');
      const missing = async (target_type: string, target: string, there: string) =>
        expect(await call('notes.patch_part', { path: 'A.md', target_type, target, content: 'x' })).toMatchObject({
          ok: false,
          reason: 'not_found',
          message: `The note has no ${there} With create_target_if_missing: true it is made.`,
        });
      await missing('heading', 'Histroy', 'heading "Histroy". It has: "Deal::History", "Deal::Next", "Deal".');
      await missing('block', 'firts', 'block "firts". It has: "first".');
      await missing('frontmatter', 'staus', 'frontmatter key "staus". It has: "status".');
    });

    it('replaces a frontmatter key by default, and appends to a heading', async () => {
      await write('A.md', '---\nstatus: open\n---\n# A\none\n');
      await call('notes.patch_part', { path: 'A.md', target_type: 'frontmatter', target: 'status', content: 'done' });
      await call('notes.patch_part', { path: 'A.md', target: 'A', content: 'two' });
      expect(await fileText('A.md')).toBe('---\nstatus: done\n---\n# A\none\ntwo\n');
    });

    it('sets a frontmatter key to a typed value', async () => {
      await write('A.md', '---\nstatus: open\n---\ntext');
      const patch = { path: 'A.md', target_type: 'frontmatter', target: 'value', operation: 'replace', content: 12.5 };
      expect(await call('notes.patch_part', { ...patch, create_target_if_missing: true })).toMatchObject({ ok: true });
      expect(await fileText('A.md')).toBe('---\nstatus: open\nvalue: 12.5\n---\ntext');
    });
  });

  it('include vault_vault_list, which lists the root and a folder', async () => {
    await write('A.md', '');
    await write('Deals/B.md', '');
    expect(await call('folders.contents', {})).toEqual({ ok: true, data: { files: ['A.md', 'Deals/'] } });
    expect(await call('folders.contents', { dir_path: '/Deals/' })).toEqual({ ok: true, data: { files: ['B.md'] } });
    expect(await call('folders.contents', { dir_path: 'Nowhere' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('include vault_search, which finds text and names', async () => {
    await write('A.md', 'The quick brown fox');
    await write('B.md', 'nothing');
    const outcome = await call('search.simple', { query: 'brown', contextLength: 6 });
    expect(outcome).toMatchObject({
      ok: true,
      data: [{ filename: 'A.md', matches: [{ match: { start: 10, end: 15 } }] }],
    });
  });

  it('include vault_search_advanced, which accepts a JsonLogic rule, as an object or as text', async () => {
    await write('A.md', '---\nstatus: open\n---\n');
    await write('B.md', '---\nstatus: won\n---\n');
    const rule = { '==': [{ var: 'frontmatter.status' }, 'won'] };
    const found = { ok: true, data: [expect.objectContaining({ filename: 'B.md' })] };
    expect(await call('search.advanced', { query: rule })).toEqual(found);
    expect(await call('search.advanced', { query: JSON.stringify(rule), type: 'jsonlogic' })).toEqual(found);
  });

  it('include vault_search_advanced, which accepts a DQL query', async () => {
    await write('A.md', '---\nstatus: open\n---\n#deal\n');
    expect(await call('search.advanced', { query: 'TABLE status FROM #deal', type: 'dql' })).toEqual({
      ok: true,
      data: [{ filename: 'A.md', result: { status: 'open' } }],
    });
  });

  it('include vault_periodic_write and vault_periodic_read for the current note and the one of a day', async () => {
    await call('periodic.write', { period: 'daily', content: 'today\n' });
    expect(await call('periodic.write', { period: 'daily', content: 'then\n', date: '2025-02-03' })).toEqual({
      ok: true,
      data: { path: 'Daily/2025-02-03.md', change: 'appended', revision: expect.any(String) },
    });
    await call('periodic.write', { period: 'daily', content: 'more\n', date: '2025-02-03' });
    expect(await call('periodic.read_any', { period: 'daily' })).toMatchObject({ ok: true, data: 'today\n' });
    expect(await call('periodic.read_any', { period: 'daily', date: '2025-02-03' })).toMatchObject({
      ok: true,
      data: 'then\nmore\n',
    });
    expect(await fileText('Daily/2025-02-03.md')).toBe('then\nmore\n');
  });

  it('include vault_commands_list and vault_command_run', async () => {
    const commands = await call('commands.list', {});
    expect(commands).toMatchObject({
      ok: true,
      data: { commands: expect.arrayContaining([{ id: 'daily-notes', name: expect.any(String) }]) },
    });
    expect(await call('commands.run', { command_id: 'daily-notes' })).toEqual({ ok: true, data: null });
    expect(await call('commands.run', { command_id: 'no-such' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  describe('vault_frontmatter_get and vault_frontmatter_set', () => {
    it('read the whole frontmatter or one key of it', async () => {
      await write('A.md', '---\nstatus: open\nvalue: 3\n---\n');
      expect(await call('frontmatter.get', { path: 'A.md' })).toMatchObject({
        ok: true,
        data: { status: 'open', value: 3 },
      });
      expect(await call('frontmatter.get', { path: 'A.md', key: 'value' })).toMatchObject({
        ok: true,
        data: { value: 3 },
      });
      expect(await call('frontmatter.get', { path: 'A.md', key: 'none' })).toMatchObject({
        ok: false,
        reason: 'not_found',
        message: expect.stringContaining('It has: status, value.'),
      });
    });

    it.each([['text'], [''], ['"quoted": # no'], [7], [true], [null], [['a', 'b']], [{ deep: [1] }]])(
      'set %j and return it (VAULT-006)',
      async (value) => {
        await write('A.md', '---\n# kept\nstatus: open # also kept\nlast: 1\n---\nbody\n');
        expect(await call('frontmatter.set', { path: 'A.md', key: 'status', value })).toMatchObject({ ok: true });
        expect(await call('frontmatter.get', { path: 'A.md', key: 'status' })).toMatchObject({
          ok: true,
          data: { status: value },
        });
        const text = await fileText('A.md');
        expect(text).toContain('# kept\nstatus:');
        expect(text).toContain('\nlast: 1\n---\nbody\n');
      },
    );
  });

  describe('vault_tags_list, vault_tags_add and vault_tags_remove', () => {
    it('list the tags of frontmatter and text, add each once, and remove those of the frontmatter (VAULT-006)', async () => {
      await write('A.md', '---\ntags: [a]\n---\nSee #b here.\n');
      expect(await call('tags.list', { path: 'A.md' })).toMatchObject({
        ok: true,
        data: { tags: expect.arrayContaining(['a', 'b']) },
      });
      expect(await call('tags.add', { path: 'A.md', tags: ['#a', 'c'] })).toMatchObject({
        ok: true,
        data: { path: 'A.md', tags: ['a', 'c'] },
      });
      expect(await call('tags.remove', { path: 'A.md', tags: ['a', 'b'] })).toMatchObject({
        ok: true,
        data: { path: 'A.md', tags: ['c'], stillInText: ['b'] },
      });
      expect(await fileText('A.md')).toMatch(/^---\ntags:\s+(\[ ?c ?\]|- c)\n---\nSee #b here\.\n$/);
    });

    it('turn tags in one text into a list', async () => {
      await write('A.md', '---\ntags: a, b\n---\n');
      expect(await call('tags.add', { path: 'A.md', tags: ['c'] })).toMatchObject({
        ok: true,
        data: { tags: ['a', 'b', 'c'] },
      });
    });

    it('refuse a tag with a space', async () => {
      await write('A.md', '');
      expect(await call('tags.add', { path: 'A.md', tags: ['two words'] })).toMatchObject({
        ok: false,
        reason: 'invalid_input',
      });
    });
  });

  it('see a manual edit at the next read', async () => {
    await write('A.md', 'old');
    await writeFile(join(open.vault.folder, 'A.md'), 'new by hand');
    expect(await call('notes.read', { path: 'A.md' })).toMatchObject({ ok: true, data: 'new by hand' });
  });
});
