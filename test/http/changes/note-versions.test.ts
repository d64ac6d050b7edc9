import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';

let world: UndoApp;
let app: string;
let number = 0;
let path = '';

beforeAll(async () => {
  world = await UndoApp.start();
  app = await world.app({ name: 'Scribe' });
});
afterAll(() => world.stop());
beforeEach(() => {
  number += 1;
  path = `Notes/Plan ${number}.md`;
});

const place = (of = path) => join(world.server.dataDir, 'vault', of);
const text = (of = path) => readFile(place(of), 'utf8').catch(() => null);

/** Writes as a person does, some time after the last change. */
async function byHand(content: string): Promise<void> {
  await writeFile(place(), content);
  const then = new Date(Date.now() - 1_000);
  await utimes(place(), then, then);
}
const write = (content: string, more: object = {}) =>
  world.made(app, 'vault_note_write', { path, content, mode: 'overwrite', ...more });

const versionSchema = z.looseObject({
  id: z.string(),
  at: z.iso.datetime(),
  change: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  restorable: z.boolean(),
  since: z.string().optional(),
});
const versionsOf = async (args: object = {}, token = app) =>
  z
    .looseObject({ data: z.array(versionSchema) })
    .parse(await world.made(token, 'vault_note_versions', { path, ...args })).data;
const restore = (args: object = {}, token = app) => world.call(token, 'vault_note_restore', { path, ...args });

describe('the versions of a note', () => {
  it('are its states before each change, with whose it is and how many lines came and went (VER-012)', async () => {
    await write('one\ntwo\n');
    await write('one\n2\nthree\n');
    await world.made(app, 'vault_tags_add', { path, tags: ['deal'] });
    await world.made(app, 'vault_note_delete', { path });
    const versions = await versionsOf();
    expect(versions).toMatchObject([
      { change: 'deleted', added: 0, removed: 7, restorable: true },
      { change: 'changed', added: 4, removed: 0, restorable: true },
      { change: 'changed', added: 2, removed: 1, restorable: true },
      { change: 'made', added: 2, removed: 0, restorable: false },
    ]);
    for (const version of versions) {
      expect(version).toMatchObject({ email: 'ada@example.com', app: 'Scribe' });
      expect(version.since).toBeUndefined();
    }
    expect(versions.map(({ at }) => at)).toEqual(
      versions
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(await versionsOf({ limit: 2, cursor: '1' })).toEqual(versions.slice(1, 3));
  });

  it('say where the note was changed by hand since, and still have short texts (VER-013)', async () => {
    await write('first\n');
    await write('second\n');
    await byHand('by a person\n');
    await write('third\n');
    const [third, second, first] = await versionsOf();
    expect([third?.since, second?.since, first?.since]).toEqual([undefined, 'changed by hand since', undefined]);
    expect([third?.restorable, second?.restorable]).toEqual([true, true]);
    expect(await restore({ version: second?.id })).toMatchObject({ isError: false });
    expect(await text()).toBe('first\n');
    await restore({ version: third?.id });
    expect(await text()).toBe('by a person\n');
  });

  it('of a long note are made from what was kept, and refused, not invented, after an edit by hand (VER-013)', async () => {
    const long = Array.from({ length: 20_000 }, (_, line) => `Line ${line}`).join('\n');
    await byHand(long);
    for (const [find, replace] of [
      ['Line 77\n', 'Line seventy-seven\n'],
      ['Line 5000\n', ''],
    ]) {
      await world.made(app, 'vault_note_replace', { path, find, replace });
    }
    const [second, first] = await versionsOf();
    expect([second, first]).toMatchObject([{ restorable: true, removed: 1 }, { restorable: true }]);
    await restore({ version: first?.id });
    expect(await text()).toBe(long);
    await byHand(`${long}\nby hand`);
    const after = await versionsOf();
    const [restored, ...others] = after;
    expect(restored).toMatchObject({ restorable: false, since: 'changed by hand since' });
    expect(others.map(({ restorable }) => restorable)).toEqual([false, false]);
    for (const { id } of after) {
      const { isError, data } = await restore({ version: id });
      expect([isError, data['reason']]).toEqual([true, 'conflict']);
      expect(data['message']).toContain('changed by hand since');
    }
    expect(await text()).toBe(`${long}\nby hand`);
  });

  it('follow a note that was moved (VER-012)', async () => {
    await write('first\n');
    await write('second\n');
    const from = path;
    path = `Moved/Plan ${number}.md`;
    await world.made(app, 'vault_note_move', { path: from, to: path });
    await write('third\n');
    const versions = await versionsOf();
    expect(versions.map(({ change }) => change)).toEqual(['changed', 'moved', 'changed', 'made']);
    await restore({ version: versions[2]?.id });
    expect([await text(), await text(from)]).toEqual(['first\n', null]);
  });

  it('are none of a note that nobody changed, and not found of one that never was (VER-012)', async () => {
    await byHand('text');
    expect(await versionsOf()).toEqual([]);
    const { isError, data } = await world.call(app, 'vault_note_versions', { path: `Notes/Plan ${number}0.md` });
    expect([isError, data['reason']]).toEqual([true, 'not_found']);
    expect(data['message']).toMatch(/Did you mean "Notes\/Plan/);
    expect(await restore({ path: 'Notes/Never.md' })).toMatchObject({ isError: true, data: { reason: 'not_found' } });
  });
});

describe('restoring', () => {
  it('brings a deleted note back byte for byte, once, and not over another (VER-014)', async () => {
    await byHand('one\r\ntwo');
    await world.made(app, 'vault_note_delete', { path });
    expect(await restore({ dry: true })).toMatchObject({
      data: { dry: true, effect: 'add', can_be_taken_back: true, changes: [{ path, what: 'made' }] },
    });
    expect(await text()).toBeNull();
    expect(await restore()).toMatchObject({ isError: false, data: { path, change: 'restored' } });
    expect(await text()).toBe('one\r\ntwo');
    const again = await restore();
    expect(again).toMatchObject({ isError: true, data: { reason: 'conflict' } });
    await world.made(app, 'workspace_undo', { activity: await world.latest(app) });
    expect(await text()).toBeNull();
    expect(await restore()).toMatchObject({ isError: false });
    expect(await text()).toBe('one\r\ntwo');
  });

  it('with a version overwrites, is shown and asked like what loses something, and is taken back (VER-015)', async () => {
    await write('first\n');
    await write('second\n');
    const [{ id: version } = { id: '' }] = await versionsOf();
    expect(await restore({ version, dry: true })).toMatchObject({
      data: { dry: true, effect: 'lose', changes: [{ path, lines: expect.arrayContaining(['-second', '+first']) }] },
    });
    const careful = await world.app({ name: 'Careful', ask: 'lose' });
    const asked = await restore({ version }, careful);
    expect(asked).toMatchObject({ isError: true, data: { reason: 'approval_required' } });
    expect(await text()).toBe('second\n');
    await restore({ version });
    expect(await text()).toBe('first\n');
    await world.made(app, 'workspace_undo', { activity: await world.latest(app) });
    expect(await text()).toBe('second\n');
  });

  it('from the trash works when nothing else was kept, of any size, and not once the trash is empty (VER-014)', async () => {
    const large = 'line of a note\n'.repeat(350_000);
    await byHand(large);
    await world.made(app, 'vault_note_delete', { path });
    const [deleted] = await versionsOf();
    expect(deleted).toMatchObject({ change: 'deleted', removed: 350_000, restorable: true });
    await restore();
    expect(await text()).toBe(large);
    await world.made(app, 'vault_note_delete', { path });
    await rm(place('.trash'), { recursive: true });
    expect((await versionsOf())[0]).toMatchObject({ restorable: false });
    expect(await restore()).toMatchObject({ isError: true, data: { reason: 'not_found' } });
  });

  it('is refused of a version before the note was made, of another note, and of no version (VER-014)', async () => {
    await write('text\n');
    const [made] = await versionsOf();
    expect(await restore({ version: made?.id })).toMatchObject({ isError: true, data: { reason: 'rejected' } });
    const first = path;
    path = `Notes/Other ${number}.md`;
    await write('other\n');
    await write('other 2\n');
    const [other] = await versionsOf();
    for (const version of [other?.id, 'none', '../x', `${other?.id}\0`, '%', 'x'.repeat(100)]) {
      expect(await restore({ path: first, version })).toMatchObject({ isError: true, data: { reason: 'not_found' } });
    }
    expect(await text(first)).toBe('text\n');
  });
});

describe('versions', () => {
  it('are everybody’s with the right to the vault, and nobody else’s (VER-016)', async () => {
    await write('first\n');
    await write('second\n');
    const bob = await invited(world.server, world.browser, `bob${number}@example.org`, { permissions: ['vault'] });
    const bobs = await grantToken(world.server.origin, bob, { name: 'Bob’s app' });
    const [version] = await versionsOf({}, bobs);
    expect(version).toMatchObject({ email: 'ada@example.com', app: 'Scribe' });
    expect(await restore({ version: version?.id }, bobs)).toMatchObject({ isError: false });
    expect((await versionsOf())[0]).toMatchObject({ email: `bob${number}@example.org`, app: 'Bob’s app' });
    const eve = await invited(world.server, world.browser, `eve${number}@example.org`, { permissions: ['tracker'] });
    const eves = await grantToken(world.server.origin, eve, { name: 'Eve’s app' });
    for (const tool of ['vault_note_versions', 'vault_note_restore']) {
      expect(await world.call(eves, tool, { path, version: version?.id })).toMatchObject({ isError: true });
    }
    const reader = await world.app({ name: 'Reader', services: ['vault'], access: 'read' });
    expect(await versionsOf({}, reader)).not.toEqual([]);
    expect(await restore({ version: version?.id }, reader)).toMatchObject({ isError: true });
    expect(await text()).toBe('first\n');
  });

  it('are none of the changes in users’ own notes apps, at the same path (VER-016)', async () => {
    await write('first\n');
    const before = await versionsOf();
    const database = new DatabaseSync(join(world.server.dataDir, 'portolan.sqlite'));
    const columns = 'user_id, grant_id, app, service, operation, effect, record_id, at, state, undone_at, undo_of';
    database.exec(
      `insert into kept_changes (id, account, irreversible, content, ${columns})
       select 'elsewhere', 'their own', irreversible, content, ${columns} from kept_changes where record_id = '${path}'`,
    );
    database.close();
    expect(await versionsOf()).toEqual(before);
    expect(await restore({ version: 'elsewhere' })).toMatchObject({ isError: true, data: { reason: 'not_found' } });
  });

  it('are served below /api/vault (VER-012, VER-014)', async () => {
    await write('first\n');
    await world.made(app, 'vault_note_delete', { path });
    const ask = (method: string, route: string, body?: object) =>
      fetch(`${world.server.origin}/api/vault/${route}/${encodeURI(path)}`, {
        method,
        headers: { authorization: `Bearer ${app}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const listed = await (await ask('GET', 'versions')).json();
    expect(listed).toMatchObject({ data: [{ change: 'deleted' }, { change: 'made' }], pagination: { hasMore: false } });
    const restored = await ask('POST', 'restore', {});
    expect([restored.status, await restored.json()]).toMatchObject([200, { data: { change: 'restored' } }]);
    expect(await text()).toBe('first\n');
    expect((await ask('POST', 'restore', {})).status).toBe(409);
  });

  it('are not of what is in the trash, of hidden files, nor of folders (VER-007)', async () => {
    await write('text');
    await world.made(app, 'vault_note_delete', { path });
    const [name = ''] = await readdir(place('.trash/portolan/Notes'));
    for (const hidden of [`.trash/portolan/Notes/${name}`, '.portolan/vault.json', '.trash/x.md', 'Notes', 'Notes/']) {
      for (const tool of ['vault_note_versions', 'vault_note_restore']) {
        const { isError, data } = await world.call(app, tool, { path: hidden });
        expect([tool, hidden, isError]).toEqual([tool, hidden, true]);
        expect(['not_found', 'invalid_input']).toContain(data['reason']);
      }
    }
  });
});

it('with UNDO_DAYS=0 there are none, and both tools say so (VER-009)', async () => {
  const other = await UndoApp.start({ UNDO_DAYS: '0' });
  try {
    const token = await other.app({ name: 'Scribe' });
    await other.made(token, 'vault_note_write', { path: 'A.md', content: 'text' });
    for (const tool of ['vault_note_versions', 'vault_note_restore']) {
      const { isError, data } = await other.call(token, tool, { path: 'A.md' });
      expect([isError, data['reason']]).toEqual([true, 'rejected']);
      expect(data['message']).toContain('UNDO_DAYS=0');
    }
  } finally {
    await other.stop();
  }
});
