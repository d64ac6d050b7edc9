import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { sqlStores } from '#adapters/persistence/sql-stores.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;
let token: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  token = await grantToken(server.origin, ada, { name: 'An assistant' });
});

afterAll(() => server[Symbol.asyncDispose]());

const listSchema = z.object({
  data: z.array(
    z.strictObject({
      id: z.number(),
      at: z.number(),
      actor_id: z.number().nullable(),
      action: z.string(),
      user_id: z.number().nullable(),
      subject: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  ),
  pagination: z.object({ next: z.string().nullable(), hasMore: z.boolean() }),
});
const audit = async (query = '') =>
  listSchema.parse((await sendJson(server, ada, ['GET', `/api/audit${query}`])).body).data;
/** What was recorded since, the first first, without ids and times. */
const since = async (before: number) =>
  (await audit())
    .filter(({ id }) => id > before)
    .toReversed()
    .map(({ actor_id, action, user_id, subject, detail }) => [actor_id, action, user_id, subject, detail]);
const lastId = async () => (await audit())[0]?.id ?? 0;

describe('the audit log of a whole server', () => {
  it('has what an administrator does to users, over JSON and by forms, and nothing that was refused (AUDIT-001)', async () => {
    const before = await lastId();
    const invitation = { email: 'cy@example.com', permissions: ['vault'] };
    const { id } = (await sendJson(server, ada, ['POST', '/api/users', invitation])).body as { id: number };
    await sendJson(server, ada, ['POST', '/api/users', invitation]);
    await sendJson(server, ada, ['PATCH', `/api/users/${id}`, { permissions: ['tracker', 'vault'], admin: true }]);
    await sendJson(server, ada, ['PATCH', `/api/users/${id}`, { active: false }]);
    await sendJson(server, ada, ['PATCH', `/api/users/${id}`, { active: false }]);
    await sendJson(server, ada, ['PATCH', '/api/users/1', { active: false }]);
    await sendJson(server, ada, ['PATCH', `/api/users/${id}`, { active: true, admin: false }]);
    const hidden = hiddenFields(await (await ada.get('/users')).text());
    await ada.post(`/users/${id}/link`, hidden);
    expect(await since(before)).toEqual([
      [1, 'user.invited', id, null, 'vault'],
      [1, 'user.rights_changed', id, null, 'tracker, vault; administrator'],
      [1, 'user.deactivated', id, null, '0 browsers and 0 apps signed out, 0 connections removed'],
      [1, 'user.rights_changed', id, null, 'tracker, vault'],
      [1, 'user.activated', id, null, null],
      [1, 'user.password_link_made', id, null, null],
    ]);
  });

  it('has what is asked first, switched reactions and revoked apps (AUDIT-001)', async () => {
    const before = await lastId();
    const floor = { tracker: ['lose', 'reach'] };
    await sendJson(server, ada, ['PUT', '/api/approval-floor', { floor }]);
    await sendJson(server, ada, ['PUT', '/api/approval-floor', { floor: { nothing: ['lose'] } }]);
    const reactions = await (await ada.get('/reactions')).text();
    const shown = [...reactions.matchAll(/name="shown" value="([^"]+)"/g)].map(([, name = '']) => name);
    const [first = '', ...others] = shown;
    const fields = new URLSearchParams(hiddenFields(reactions));
    for (const name of shown) fields.append('shown', name);
    for (const name of others) fields.append('on', name);
    await ada.post('/reactions/switches', fields);
    const grant = await grantToken(server.origin, ada, { name: 'Another app' });
    expect(grant).not.toBe('');
    const apps = (await sendJson(server, ada, ['GET', '/api/apps'])).body as { data: { id: string; name: string }[] };
    const app = apps.data.find(({ name }) => name === 'Another app');
    await sendJson(server, ada, ['DELETE', `/api/apps/${app?.id}`]);
    await sendJson(server, ada, ['DELETE', `/api/apps/${app?.id}`]);
    expect(await since(before)).toEqual([
      [1, 'approval_floor.changed', null, null, 'tracker: lose, reach'],
      [1, 'reaction.switched', null, first, 'off'],
      [1, 'app.revoked', 1, app?.id, 'Another app'],
    ]);
  });

  it('has no link, password or token (AUDIT-003)', async () => {
    const bob = await sendJson(server, ada, ['POST', '/api/users', { email: 'di@example.com' }]);
    const { link } = bob.body as { link: string };
    const text = JSON.stringify(await audit());
    for (const secret of [new URL(link).searchParams.get('link') ?? '', token]) expect(text).not.toContain(secret);
  });

  it('is listed by user, action and day, on a page that works with links and a form (AUDIT-004)', async () => {
    const page = async (query: string) => (await ada.get(`/audit${query}`)).text();
    expect(await page('')).toContain('Invited a user');
    expect(await page('?user=cy%40example.com&action=user.activated&day=')).toContain('Activated a user</td>');
    expect(await page('?user=&action=user.linked&day=')).toContain('Nothing matches these filters.');
    expect(await page('?day=2020-01-31')).toContain('Nothing matches these filters.');
    expect(await page('?user=nobody%40example.com')).toContain('There is no user with that e-mail or id.');
    expect((await ada.get('/audit?action=user.exploded')).status).toBe(400);
    const cy = (await audit('?action=user.activated'))[0]?.user_id;
    expect((await audit(`?user=${cy}`)).every(({ user_id }) => user_id === cy)).toBe(true);
    expect((await audit('?user=1')).length).toBeGreaterThan(5);
  });

  it('is for administrators in a browser, and for no app (AUDIT-006)', async () => {
    const bob = await invited(server, ada, 'bob@example.com', { permissions: ['vault'] });
    for (const path of ['/audit', '/audit.csv', '/api/audit']) {
      expect((await bob.get(path)).status, path).toBe(403);
      const asApp = await fetch(`${server.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(asApp.status, path).toBe(403);
      expect((await fetch(`${server.origin}${path}`, { redirect: 'manual' })).status, path).toBe(401);
    }
  });
});

describe('a long audit log', () => {
  it('is pruned, paged, and written whole into a file without formulas (AUDIT-004, AUDIT-005, AUDIT-007)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portolan-audit-'));
    try {
      await (await startWholeServer({}, folder)).stop();
      const database = await openDatabase({ url: `sqlite:${join(folder, 'portolan.sqlite')}`, entities, migrations });
      const { auditLog } = sqlStores(database);
      const dayMs = 86_400_000;
      const entry = { actorId: 77, action: 'user.invited', userId: 1, subject: null, detail: '=1+1' } as const;
      await auditLog.add({ ...entry, at: Date.now() - 366 * dayMs, detail: 'older than a year' });
      await auditLog.add({ ...entry, at: Date.now() - 364 * dayMs, detail: 'younger than a year' });
      for (let count = 0; count < 1_203; count += 1)
        await auditLog.add({ ...entry, at: Date.now(), subject: `No ${count}` });
      await database.close();
      await using whole = await startWholeServer({}, folder);
      const browser = await whole.signedIn();
      const file = async () => (await browser.get('/audit.csv')).text();
      await expect.poll(file, { timeout: 30_000 }).not.toContain('older than a year');
      const csv = await file();
      expect(csv).toContain('younger than a year');
      expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + 1 + 1_203);
      expect(csv).toContain('"User 77"');
      expect(csv).not.toContain(',"=');
      const page = await (await browser.get('/audit')).text();
      expect(page.match(/<tr>/g)).toHaveLength(51);
      const [, older = ''] = /href="(\/audit\?before=\d+)"/.exec(page) ?? [];
      expect(await (await browser.get(older)).text()).toContain('No 1152<');
      const all = await sendJson(whole, browser, ['GET', '/api/audit']);
      expect(listSchema.parse(all.body)).toMatchObject({ pagination: { hasMore: true, next: expect.any(String) } });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
