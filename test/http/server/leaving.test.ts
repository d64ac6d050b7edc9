import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { sqlStores } from '#adapters/persistence/sql-stores.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: unknown, browser = ada) =>
  sendJson(server, browser, body === undefined ? [method, path] : [method, path, body]);
const idOf = async (email: string) =>
  ((await send('GET', `/api/users?search=${encodeURIComponent(email)}`)).body as { data: { id: number }[] }).data[0]
    ?.id;

/** Stores a connection with a key for the user, as another process would. */
const connect = (userId: number, service = 'tracker') =>
  withStored(server.dataDir, ({ database }) =>
    new MikroOrmConnections(database).save(
      {
        userId,
        service,
        authMethod: 'api_key',
        accessToken: 'sealed',
        refreshToken: null,
        scope: null,
        expiresAt: null,
        extra: {},
        updatedAt: 1,
      },
      { state: 'connected', since: 1, reason: null },
    ),
  );
const rowsOf = (userId: number) =>
  withStored(server.dataDir, async ({ database }) => {
    const counts: Record<string, number> = {};
    for (const table of [
      'outbound_tokens',
      'connection_standings',
      'sessions',
      'app_grants',
      'approvals',
      'kept_changes',
    ]) {
      const rows: unknown[] = await database.em.fork().execute(`select 1 from ${table} where user_id = ?`, [userId]);
      counts[table] = rows.length;
    }
    return counts;
  });
const nothing = {
  outbound_tokens: 0,
  connection_standings: 0,
  sessions: 0,
  app_grants: 0,
  approvals: 0,
  kept_changes: 0,
};

async function newcomer(email: string, more: object = {}) {
  const browser = await invited(server, ada, email, { permissions: ['vault', 'tracker'], ...more });
  return { browser, id: (await idOf(email)) ?? 0 };
}

const formOf = async (path: string, browser = ada) => hiddenFields(await (await browser.get(path)).text());

describe('a user who leaves', () => {
  it('is deactivated after a page that names the effects, which disconnects and signs out (USER-026, USER-027)', async () => {
    const { browser, id } = await newcomer('bea@example.com');
    const token = await grantToken(server.origin, browser, { name: 'Bea’s app' });
    await connect(id);
    const question = await (await ada.get(`/users/${id}/deactivate`)).text();
    for (const effect of [
      'signed out of every browser and app',
      'revoked at the provider',
      'Changes of apps that wait',
    ]) {
      expect(question).toContain(effect);
    }
    expect((await browser.get('/page')).status).toBe(200);
    const done = await ada.post(`/users/${id}/deactivate`, hiddenFields(question));
    expect(done.status).toBe(303);
    const shown = await (await ada.get(done.headers.get('location') ?? '')).text();
    expect(shown).toContain('The user is deactivated: 2 browsers and 1 app signed out, 1 connection removed.');
    expect(await rowsOf(id)).toEqual(nothing);
    expect((await browser.get('/page')).status).toBe(401);
    const call = await fetch(`${server.origin}/api/connections`, { headers: { authorization: `Bearer ${token}` } });
    expect(call.status).toBe(401);
  });

  it('has what was interrupted finished by deactivating or deleting again (USER-027, USER-028)', async () => {
    const { id } = await newcomer('cut@example.com');
    await withStored(server.dataDir, ({ users }) => users.change(id, { deactivatedAt: Date.now() }));
    await connect(id);
    await expect.poll(async () => (await send('GET', `/api/users/${id}`)).body).toMatchObject({ active: false });
    expect(await send('PATCH', `/api/users/${id}`, { active: false })).toMatchObject({ status: 200 });
    expect(await rowsOf(id)).toEqual(nothing);
    await connect(id);
    expect(await send('DELETE', `/api/users/${id}`)).toMatchObject({ status: 200, body: { connections: 1 } });
    expect(await rowsOf(id)).toEqual(nothing);
    expect((await send('DELETE', `/api/users/${id}`)).status).toBe(404);
  });

  it('ends their streams (USER-027)', async () => {
    const { browser, id } = await newcomer('stream@example.com');
    const token = await grantToken(server.origin, browser, { name: 'A stream' });
    const open = await fetch(`${server.origin}/sse`, { headers: { authorization: `Bearer ${token}` } });
    expect(open.status).toBe(200);
    await send('PATCH', `/api/users/${id}`, { active: false });
    const ended = (async () => {
      for await (const _ of open.body ?? []);
      return 'ended';
    })();
    expect(await ended).toBe('ended');
  });

  it('is deleted with all that is theirs, and the activity and audit log keep the id (USER-028)', async () => {
    const { browser, id } = await newcomer('gone@example.com');
    const token = await grantToken(server.origin, browser, { name: 'Gone’s app' });
    await fetch(`${server.origin}/api/vault/vault/None.md`, { headers: { authorization: `Bearer ${token}` } });
    await connect(id);
    const activity = async () =>
      ((await send('GET', '/api/activity?of=all')).body as { data: { user_id: number }[] }).data;
    await expect.poll(activity, { timeout: 30_000 }).toContainEqual(expect.objectContaining({ user_id: id }));
    const done = await ada.post(`/users/${id}/delete`, await formOf(`/users/${id}/delete`));
    expect([done.status, done.headers.get('location')]).toEqual([303, '/users?done=left&what=deleted.1.2.1.1.0']);
    expect(await (await ada.get(done.headers.get('location') ?? '')).text()).toContain(
      'The user is deleted: 2 browsers',
    );
    expect(await rowsOf(id)).toEqual(nothing);
    expect((await send('GET', `/api/users/${id}`)).status).toBe(404);
    expect(await idOf('gone@example.com')).toBeUndefined();
    expect(await activity()).toContainEqual(expect.objectContaining({ user_id: id }));
    expect(await (await ada.get(`/audit?user=${id}`)).text()).toContain(`User ${id}`);
    const stored = await withStored(server.dataDir, async ({ database }) => {
      const { auditLog } = sqlStores(database);
      return JSON.stringify(await auditLog.list({ limit: 100 }));
    });
    expect(stored).not.toContain('gone@example.com');
    const again = await newcomer('gone@example.com');
    expect(again.id).toBeGreaterThan(id);
  });

  it('is never oneself, the last administrator or the automation user (USER-029)', async () => {
    const { browser, id } = await newcomer('eli@example.com', { admin: true });
    for (const [method, path, body] of [
      ['PATCH', `/api/users/${id}`, { active: false }],
      ['DELETE', `/api/users/${id}`, undefined],
      ['DELETE', '/api/users/1', undefined],
    ] as const) {
      expect((await send(method, path, body, browser)).status, `${method} ${path}`).toBe(409);
    }
    const form = await formOf('/users', browser);
    expect((await browser.post(`/users/${id}/deactivate`, form)).status).toBe(409);
    expect((await browser.post(`/users/${id}/delete`, form)).status).toBe(409);
    expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { active: true } });
  });

  it('is deleted by no app of an administrator, nor shown to one (USER-028)', async () => {
    const { id } = await newcomer('kept@example.com');
    const token = await grantToken(server.origin, ada, { name: 'Cleaner' });
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    for (const method of ['DELETE', 'GET']) {
      const answer = await fetch(`${server.origin}/api/users/${id}`, { method, headers });
      expect([method, answer.status]).toEqual([method, 403]);
    }
    expect(await send('GET', `/api/users/${id}`)).toMatchObject({ status: 200, body: { active: true } });
  });

  it('is one at most of two administrators who deactivate each other at once (USER-029)', async () => {
    const [one, two] = [
      await newcomer('one@example.com', { admin: true }),
      await newcomer('two@example.com', { admin: true }),
    ];
    const answers = await Promise.all([
      send('DELETE', `/api/users/${two.id}`, undefined, one.browser),
      send('DELETE', `/api/users/${one.id}`, undefined, two.browser),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('an administrator', () => {
  it('sees when somebody was last here (USER-031)', async () => {
    const before = Date.now();
    const { browser, id } = await newcomer('seen@example.com');
    await browser.get('/page');
    const seen = async () => ((await send('GET', `/api/users/${id}`)).body as { last_seen_at: number }).last_seen_at;
    await expect.poll(seen).toBeGreaterThanOrEqual(before);
    expect(await (await ada.get('/users?search=seen')).text()).toMatch(/<time datetime=[^>]*data-age/);
  });

  it('disconnects and revokes what is anybody’s, by page and by JSON (USER-022)', async () => {
    const { browser, id } = await newcomer('fee@example.com');
    const token = await grantToken(server.origin, browser, { name: 'Fee’s app' });
    await connect(id);
    await expect.poll(async () => (await ada.get(`/users/${id}`)).text()).toContain('Disconnect Tracker');
    const form = await formOf(`/users/${id}`);
    const gone = await ada.post(`/users/${id}/disconnect`, { ...form, service: 'tracker' });
    expect(gone.headers.get('location')).toBe(`/users/${id}?done=disconnected_here`);
    expect((await rowsOf(id)).outbound_tokens).toBe(0);
    expect((await ada.post(`/users/${id}/disconnect`, { ...form, service: 'tracker' })).status).toBe(404);
    await connect(id);
    await expect.poll(async () => (await send('DELETE', `/api/users/${id}/connections/tracker`)).status).toBe(200);
    expect((await send('DELETE', `/api/users/${id}/connections/vault`)).status).toBe(409);
    const apps = (await send('GET', '/api/apps', undefined, browser)).body as { data: { id: string }[] };
    const revoked = await ada.post(`/users/${id}/revoke-app`, { ...form, app: apps.data[0]?.id ?? '' });
    expect(revoked.status).toBe(303);
    const call = await fetch(`${server.origin}/api/connections`, { headers: { authorization: `Bearer ${token}` } });
    expect(call.status).toBe(401);
    expect((await send('DELETE', `/api/users/1/apps/${apps.data[0]?.id}`)).status).toBe(404);
  });

  it('gives, takes and deactivates several at once, with the forms of the page only (USER-023)', async () => {
    const ids = [(await newcomer('s1@example.com')).id, (await newcomer('s2@example.com')).id];
    const fields = async (act: string, more: Readonly<Record<string, string>> = {}) => {
      const sent = new URLSearchParams({ ...(await formOf('/users')), do: act, ...more });
      for (const id of ids) sent.append('user', String(id));
      return sent;
    };
    expect((await ada.post('/users/several', await fields('permit', { permission: 'signing' }))).status).toBe(303);
    expect((await ada.post('/users/several', await fields('revoke', { permission: 'vault' }))).status).toBe(303);
    for (const id of ids) {
      expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { permissions: ['signing', 'tracker'] } });
    }
    expect((await ada.post('/users/several', await fields('permit', { permission: 'all' }))).status).toBe(400);
    expect((await ada.post('/users/several', await fields('deactivate', { csrf_token: 'forged' }))).status).toBe(403);
    const question = await ada.post('/users/several', await fields('deactivate'));
    expect(await question.text()).toContain('Deactivate 2 users?');
    expect(await send('GET', `/api/users/${ids[0]}`)).toMatchObject({ body: { active: true } });
    const done = await ada.post('/users/several', await fields('deactivate', { sure: '1' }));
    expect(done.headers.get('location')).toContain('what=deactivated.2.4.0.0.0');
    for (const id of ids) expect(await send('GET', `/api/users/${id}`)).toMatchObject({ body: { active: false } });
  });

  it('invites a pasted list, judged line by line, with the rights of new users (USER-024, USER-025)', async () => {
    const form = await formOf('/users');
    const kept = new URLSearchParams(form);
    for (const permission of ['tracker', 'nonsense']) kept.append('permissions', permission);
    expect((await ada.post('/users/defaults', kept)).headers.get('location')).toBe('/users?done=defaults');
    expect(await (await ada.get('/users')).text()).toMatch(/id="new-tracker"[^>]* checked/);
    const emails = 'p1@example.com\nnobody, admin@localhost;P1@example.com\r\n p2@example.com ';
    const html = await (await ada.post('/users/invite', { ...form, emails, permissions: 'signing' })).text();
    expect(html.match(/\/welcome\?link=/g)).toHaveLength(2);
    expect(html.match(/There is already a user/g)).toHaveLength(2);
    expect(html.match(/This is not an e-mail/g)).toHaveLength(1);
    const many = Array.from({ length: 51 }, (_, index) => `m${index}@example.com`).join('\n');
    expect((await ada.post('/users/invite', { ...form, emails: many })).status).toBe(400);
    expect(await idOf('m0@example.com')).toBeUndefined();
    const like = await ada.post('/users/invite', { ...form, emails: 'like@example.com', like: 'p1@example.com' });
    expect(like.status).toBe(200);
    expect(await send('GET', `/api/users/${await idOf('like@example.com')}`)).toMatchObject({
      body: { permissions: ['signing'], state: 'invited', last_seen_at: null },
    });
    expect(await send('POST', '/api/users', { email: 'def@example.com' })).toMatchObject({
      body: { permissions: ['tracker'] },
    });
    await ada.post('/users/defaults', form);
    expect(await send('POST', '/api/users', { email: 'undef@example.com' })).toMatchObject({
      body: { permissions: [] },
    });
  });

  it('is no app, whatever it was granted, and no other user (USER-013, USER-028)', async () => {
    const { browser, id } = await newcomer('app@example.com');
    const token = await grantToken(server.origin, ada, { name: 'Everything' });
    const answer = await fetch(`${server.origin}/api/users/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(403);
    expect((await send('DELETE', '/api/users/1', undefined, browser)).status).toBe(403);
    expect((await browser.get(`/users/${id}`)).status).toBe(403);
    const changed = await send('PATCH', `/api/users/${id}`, { id: 1, email: 'x@example.com', deactivatedAt: null });
    expect(changed.status).toBe(400);
  });
});

describe('a server with 20,000 users', () => {
  it('shows and searches them in pages of at most 100 KB (USER-020, USER-021, USER-030, USER-033)', async () => {
    await withStored(server.dataDir, ({ database }) =>
      database.em.fork().execute(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
         insert into users (email, email_key, search_key, password_hash, permissions, is_admin, name)
         select 'person.' || i || '@a-long-company-name.example', 'person.' || i || '@a-long-company-name.example',
           'person.' || i || '@a-long-company-name.example', 'x', '["sales_crm","signing","suite_crm","tracker","vault"]', false,
           'A rather long name of person ' || i from n`,
      ),
    );
    const first = await (await ada.get('/users?search=company')).text();
    expect(Buffer.byteLength(first)).toBeLessThan(100_000);
    expect(first.match(/<tr>/g)).toHaveLength(51);
    expect(first.indexOf('Invite…')).toBeLessThan(first.indexOf('<table'));
    const [, next = ''] = /href="(\/users\?search=company&amp;after=\d+)"/.exec(first) ?? [];
    const second = await (await ada.get(next.replaceAll('&amp;', '&'))).text();
    expect(second).toContain('person.51@');
    expect(second).not.toContain('person.50@');
    const one = await (
      await ada.get('/users?search=PERSON.19999%40&state=active&role=member&permission=tracker')
    ).text();
    expect(one.match(/<tr>/g)).toHaveLength(2);
    for (const path of ['/activity?of=all', '/audit']) {
      expect((await (await ada.get(path)).text()).length, `${path} (USER-033)`).toBeLessThan(100_000);
    }
    expect((await ada.get('/users?stat=active')).status).toBe(400);
    const json = (await send('GET', '/api/users?limit=3&search=person')).body;
    expect(json).toMatchObject({ data: [{}, {}, {}], pagination: { hasMore: true, next: expect.any(String) } });
    expect((await send('GET', '/api/users?limit=201')).status).toBe(400);
    expect((await send('GET', '/api/users')).body).toMatchObject({ pagination: { hasMore: true } });
  });
});
