import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
let outside: string;
beforeEach(async () => {
  vault = await openTestVault();
  outside = await mkdtemp(join(vault.folder, '..', 'outside-'));
  await mkdir(join(vault.folder, '.obsidian', 'plugins', 'periodic-notes'), { recursive: true });
});
afterEach(() => vault.close());

const daily = () => join(vault.folder, '.obsidian/daily-notes.json');
const plugin = () => join(vault.folder, '.obsidian/plugins/periodic-notes/data.json');
const write = () => vault.local.get('periodic.append')?.({ period: 'daily', content: 'x' }, () => undefined);
const warned = () => vault.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['ignored']);

/** The note lies where it does without configuration, nothing lies outside, and the answer and the log name `reason`. */
async function expectIgnored(reason: string): Promise<void> {
  expect(await write()).toMatchObject({ ok: true, warnings: [expect.stringContaining(reason)] });
  expect(await write()).toMatchObject({ ok: true });
  expect(await readFile(join(vault.folder, 'Daily/2026-11-21.md'), 'utf8')).toBe('x\nx');
  expect(await readdir(outside)).toEqual([]);
  expect((await readdir(join(vault.folder, '..'))).filter((name) => name.endsWith('.md') || name === 'x')).toEqual([]);
  expect((await readdir(vault.folder)).toSorted()).toEqual(['.obsidian', 'Daily']);
  expect(warned()).toEqual([expect.stringContaining(reason)]);
}

describe('a configuration of periodic notes (EMB-025)', () => {
  it.each([
    [{ folder: '../x' }, 'leads out of the vault'],
    [{ folder: 'a/../../x' }, 'leads out of the vault'],
    [{ folder: '/etc' }, 'leads out of the vault'],
    [{ folder: 'a\\..\\..\\x' }, 'leads out of the vault'],
    [{ folder: 'a\0' }, 'leads out of the vault'],
    [{ folder: '.obsidian' }, 'begins with a dot'],
    [{ folder: '.obsidian/plugins/periodic-notes' }, 'begins with a dot'],
    [{ folder: 'a/.git' }, 'begins with a dot'],
    [{ format: '[../../x/]YYYY' }, 'leads out of the vault'],
    [{ format: '../YYYY' }, 'leads out of the vault'],
    [{ format: '[/etc/]YYYY' }, 'leads out of the vault'],
    [{ format: '.YYYY' }, 'begins with a dot'],
    [{ format: '[.git/hooks/]YYYY' }, 'begins with a dot'],
    [{ format: 'YYYY'.repeat(60) }, 'more than 200 characters'],
    [{ format: 'YYYY-MM-DD HH:mm' }, 'which is no part of a date'],
    [{ folder: ['x'] }, 'no configuration'],
    [{ folder: { toString: 'x' } }, 'no configuration'],
    [[], 'no configuration'],
    ['../x', 'no configuration'],
  ])('%j is ignored and named', async (settings, reason) => {
    await writeFile(daily(), JSON.stringify(settings));
    await expectIgnored(reason);
  });

  it.each([
    ['malformed', '{"folder": "x"', 'no configuration'],
    ['no text', Buffer.from([0xff, 0xfe, 0x00]), 'no configuration'],
    ['empty', '', 'no configuration'],
    ['too large', JSON.stringify({ folder: 'x', more: 'x'.repeat(70_000) }), 'more than 65536 bytes'],
    ['deep', '['.repeat(60_000), 'no configuration'],
    ['of a prototype', '{"__proto__": {"folder": "x"}, "folder": 5}', 'no configuration'],
  ])('that is %s is ignored and named', async (_, settings, reason) => {
    await writeFile(daily(), settings);
    await expectIgnored(reason);
  });

  it('that is a link out of the vault is not read', async () => {
    await writeFile(join(vault.folder, '..', 'foreign.json'), '{"folder": "x"}');
    await symlink(join(vault.folder, '..', 'foreign.json'), daily());
    await expectIgnored('a link leads out of the vault');
  });

  it('that is a folder is ignored and named', async () => {
    await mkdir(daily());
    await expectIgnored('it is no file');
  });

  it('of the plugin is checked as well', async () => {
    await writeFile(plugin(), '{"daily": {"enabled": true, "folder": "../x"}}');
    await expectIgnored('periodic-notes/data.json is not used: "../x');
  });

  it('whose folder is a link out of the vault writes nothing there', async () => {
    await symlink(outside, join(vault.folder, 'out'));
    await writeFile(daily(), '{"folder": "out", "template": "out/t"}');
    expect(await write()).toMatchObject({ ok: false, reason: 'rejected' });
    expect(await readdir(outside)).toEqual([]);
    await rm(join(vault.folder, 'out'));
  });

  it('whose template is a link out of the vault reads nothing there', async () => {
    await writeFile(join(outside, 't.md'), 'a secret next to the vault');
    await symlink(join(outside, 't.md'), join(vault.folder, 't.md'));
    await writeFile(daily(), '{"template": "t"}');
    expect(await write()).toMatchObject({ ok: true, warnings: [expect.stringContaining('"t.md" cannot be read')] });
    expect(await readFile(join(vault.folder, '2026-11-21.md'), 'utf8')).toBe('x');
  });
});
