import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
beforeEach(async () => {
  vault = await openTestVault();
});
afterEach(() => vault.close());

const place = (path: string) => join(vault.folder, path);
const put = async (path: string, content: unknown) => {
  await mkdir(dirname(place(path)), { recursive: true });
  await writeFile(place(path), typeof content === 'string' ? content : JSON.stringify(content));
};
const daily = (settings: unknown) => put('.obsidian/daily-notes.json', settings);
const plugin = (settings: unknown) => put('.obsidian/plugins/periodic-notes/data.json', settings);
const headers = { 'Content-Type': 'text/markdown' };
const add = async (url: string, body: string) => {
  const answer = await vault.ask('POST', url, { body, headers });
  return answer.status === 204 ? answer.headers.get('content-location') : answer.status;
};
const local = (name: string, input: Readonly<Record<string, unknown>>) =>
  vault.local.get(name)?.(input, () => undefined);
const text = (path: string) => readFile(place(path), 'utf8');

describe('the configuration of the notes app', () => {
  it('places the daily note at the root, where it is added to (EMB-025)', async () => {
    await daily({ format: 'YYYY-MM-DD', folder: '' });
    await put('2026-11-21.md', '# Today\n');
    expect(await add('/periodic/daily/', 'more\n')).toBe('2026-11-21.md');
    expect(await local('periodic.append', { period: 'daily', content: 'and more\n' })).toMatchObject({ ok: true });
    expect(await local('periodic.read', { period: 'daily', format: 'markdown' })).toMatchObject({
      data: '# Today\nmore\nand more\n',
    });
    expect(await readdir(vault.folder)).not.toContain('Daily');
  });

  it.each([
    [{}, '2026-11-21.md'],
    [{ folder: '/', format: null }, '2026-11-21.md'],
    [{ folder: 'Journal/', autorun: true }, 'Journal/2026-11-21.md'],
    [
      { folder: ' Journal ', format: 'YYYY/MM-MMMM/YYYY-MM-DD-dddd' },
      'Journal/2026/11-November/2026-11-21-Saturday.md',
    ],
    [{ format: 'DD.MM.YYYY[.md]' }, '21.11.2026.md'],
  ])('%j places the daily note at %s (EMB-025)', async (settings, path) => {
    await daily(settings);
    expect(decodeURIComponent(String(await add('/periodic/daily/', 'x')))).toBe(path);
    expect(await text(path)).toBe('x');
  });

  it('of the plugin for periodic notes goes before that of daily notes, for each period that it has enabled (EMB-025)', async () => {
    await daily({ folder: 'Core' });
    const on = { format: '', folder: 'P', template: '', enabled: true };
    await plugin({
      daily: { ...on, enabled: false },
      weekly: on,
      monthly: { ...on, format: 'YYYY-MM MMM' },
      yearly: on,
    });
    const paths = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'].map((period) =>
      add(`/periodic/${period}/`, 'x'),
    );
    expect(await Promise.all(paths)).toEqual([
      'Core/2026-11-21.md',
      'P/2026-W47.md',
      'P/2026-11%20Nov.md',
      'Quarterly/2026-Q4.md',
      'P/2026.md',
    ]);
    await plugin({ daily: on });
    expect(await add('/periodic/daily/2024/2/29/', 'x')).toBe('P/2024-02-29.md');
  });

  it('is read again when it changes (EMB-025)', async () => {
    for (const folder of ['A', 'B']) {
      await daily({ folder });
      expect(await add('/periodic/daily/', 'x')).toBe(`${folder}/2026-11-21.md`);
    }
  });

  it('is named by the error for a note that is not there, with the path (EMB-025)', async () => {
    await daily({ folder: 'Journal' });
    const answer = await vault.ask('GET', '/periodic/daily/');
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('There is no note "Journal/2026-11-21.md".'),
    });
    expect(await local('periodic.read', { period: 'daily', format: 'markdown' })).toMatchObject({
      reason: 'not_found',
      message: expect.stringContaining('There is no note "Journal/2026-11-21.md".'),
    });
  });
});

it('without configuration, a periodic note that is at the root is taken and no other made (EMB-025)', async () => {
  await put('2026-11-21.md', 'here\n');
  expect(await add('/periodic/daily/', 'x')).toBe('2026-11-21.md');
  expect(await add('/periodic/daily/2026/11/22/', 'x')).toBe('Daily/2026-11-22.md');
});

describe('the template of a periodic note', () => {
  beforeEach(async () => {
    await daily({ folder: 'Journal', template: 'Templates/Day' });
    await put('Templates/Day.md', '# {{title}}\n\n## Log\n');
  });

  it('is what a new note begins with, however it is made (EMB-026)', async () => {
    await add('/periodic/daily/', '- a');
    expect(await text('Journal/2026-11-21.md')).toBe('# 2026-11-21\n\n## Log\n- a');
    const patch = { operation: 'append', target_type: 'heading', target: 'Log', content: '- b\n' };
    await local('periodic_dated.patch', {
      period: 'daily',
      year: 2026,
      month: 11,
      day: 22,
      ...patch,
      target: '2026-11-22::Log',
    });
    expect(await text('Journal/2026-11-22.md')).toBe('# 2026-11-22\n\n## Log\n- b\n');
    await vault.ask('DELETE', '/periodic/daily/');
    expect(await local('commands.run', { command_id: 'daily-notes' })).toMatchObject({ ok: true });
    expect(await text('Journal/2026-11-21.md')).toBe('# 2026-11-21\n\n## Log\n');
  });

  it('adds nothing to a note that is there, nor to one that is written whole (EMB-026)', async () => {
    await put('Journal/2026-11-21.md', '');
    await add('/periodic/daily/', 'x');
    await vault.ask('PUT', '/periodic/daily/2026/11/22/', { body: 'whole', headers });
    expect([await text('Journal/2026-11-21.md'), await text('Journal/2026-11-22.md')]).toEqual(['x', 'whole']);
  });

  it.each(['Missing', '../Day', '.obsidian/daily-notes', '/Templates/Day', 'Templates', 'Templates/'])(
    '%s is not used, and named (EMB-026)',
    async (template) => {
      await daily({ folder: 'Journal', template });
      expect(await local('periodic.append', { period: 'daily', content: 'x' })).toMatchObject({
        ok: true,
        warnings: [
          expect.stringMatching(
            /^The template in \.obsidian\/daily-notes\.json is not used: ".*Day|Missing|\.obs|Templates/,
          ),
        ],
      });
      expect(await text('Journal/2026-11-21.md')).toBe('x');
    },
  );
});
