import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { invited } from '#test/support/server/invited.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const created = z.object({ id: z.string(), token: z.string(), expires_at: z.number(), since: z.number() });
const listed = z.object({ data: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

let server: WholeServer;
let ada: PlainBrowser;
beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
});
afterAll(() => server[Symbol.asyncDispose]());

const create = async (asked: Readonly<Record<string, unknown>>, browser = ada) =>
  created.parse((await sendJson(server, browser, ['POST', '/api/account/tokens', asked])).body);
const list = async (path = '/api/account/tokens', browser = ada) =>
  listed.parse((await sendJson(server, browser, ['GET', path])).body).data;
/** Calls with a token; the status. */
async function call(token: string, method: string, path: string, body?: unknown): Promise<number> {
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.text();
  return answer.status;
}
const read = (token: string) => call(token, 'GET', '/api/vault/vault/');
const write = (token: string) => call(token, 'PUT', '/api/vault/vault/Script.md', { content: 'by a script' });

describe('a personal token', () => {
  it('does what was chosen and nothing else (ACCT-010, ACCT-012)', async () => {
    const reading = await create({ name: 'Reads', services: ['vault'], access: 'readonly', days: 7 });
    expect(reading.expires_at - reading.since).toBe(7 * 86_400_000);
    expect(await read(reading.token)).toBe(200);
    expect(await write(reading.token)).toBe(403);
    expect(await call(reading.token, 'GET', '/api/tracker/issues')).toBe(403);
    const all = await create({ name: 'All', access: 'full' });
    expect([await read(all.token), await write(all.token)]).toEqual([200, 200]);
    expect(await list()).toMatchObject([
      { name: 'All', services: null, access: 'full' },
      { name: 'Reads', services: ['vault'], access: 'readonly' },
    ]);
  });

  it('is listed among the apps with its last use, and revoked there (ACCT-012)', async () => {
    const { id, token } = await create({ name: 'Nightly' });
    expect(await read(token)).toBe(200);
    await expect
      .poll(async () => (await list('/api/apps')).find((one) => one.id === id))
      .toMatchObject({ name: 'Nightly', client_id: 'personal-token', last_used_at: expect.any(Number) });
    expect(await (await ada.get('/apps')).text()).toContain('A token of yours for scripts');
    await sendJson(server, ada, ['DELETE', `/api/apps/${id}`]);
    expect(await read(token)).toBe(401);
    expect((await list()).map((one) => one.id)).not.toContain(id);
  });

  it('is made and revoked on the page, shown once, and not stored (ACCT-010, ACCT-011)', async () => {
    const fields = hiddenFields(await (await ada.get('/account')).text());
    const asked = { ...fields, name: 'On <the> page', access_vault: 'full', days: '30' };
    expect((await ada.post('/account/tokens', { ...asked, csrf_token: 'forged' })).status).toBe(403);
    const made = await ada.post('/account/tokens', asked);
    const html = await made.text();
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const token = /<pre tabindex="0"><code>([^<]+)<\/code>/.exec(html)?.[1] ?? '';
    expect([await read(token), await write(token)]).toEqual([200, 200]);
    const again = await (await ada.get('/account')).text();
    expect(again).toContain('On &lt;the&gt; page');
    const audit = JSON.stringify((await sendJson(server, ada, ['GET', '/api/audit'])).body);
    expect(audit).toContain('token.created');
    for (const text of [again, JSON.stringify(await list()), audit, server.log()]) expect(text).not.toContain(token);
    const stored = await readFile(join(server.dataDir, 'portolan.sqlite'));
    const log = await readFile(join(server.dataDir, 'portolan.sqlite-wal')).catch(() => Buffer.alloc(0));
    for (const bytes of [stored, log]) expect(bytes.includes(token)).toBe(false);
    const id = (await list()).find(({ name }) => name === 'On <the> page')?.id ?? '';
    expect((await ada.post(`/account/tokens/${id}/revoke`, fields)).status).toBe(303);
    expect(await read(token)).toBe(401);
    const none = await ada.post('/account/tokens', {
      ...fields,
      name: 'x',
      access_vault: 'read',
      days: '31',
    });
    expect(none.status).toBe(400);
  });

  it('is 401 once its time is over (ACCT-012)', async () => {
    const { id, token } = await create({ name: 'Ends', days: 1 });
    expect(await read(token)).toBe(200);
    await withStored(server.dataDir, ({ database }) =>
      database.em.fork().execute('update app_grants set expires_at = ? where id = ?', [Date.now() - 1, id]),
    );
    // A grant is known for up to two seconds.
    await expect.poll(() => read(token), { timeout: 30_000 }).toBe(401);
    expect((await list()).map((one) => one.id)).not.toContain(id);
    expect((await list('/api/apps')).map((one) => one.id)).not.toContain(id);
  });

  it('decides nothing that a person decides, as a bearer or as a cookie (ACCT-013)', async () => {
    const { token } = await create({ name: 'Full', access: 'full' });
    const routes = [
      ['GET', '/api/approvals'],
      ['POST', '/api/approvals/1'],
      ['GET', '/api/users'],
      ['DELETE', '/api/apps/1'],
      ['POST', '/api/account/tokens'],
      ['GET', '/api/account/sessions'],
      ['PUT', '/api/setup/tracker'],
      ['POST', '/disconnect'],
    ] as const;
    const kinds: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${token}` },
      { cookie: `user=${token}` },
    ];
    for (const headers of kinds) {
      for (const [method, path] of routes) {
        const answer = await fetch(`${server.origin}${path}`, {
          method,
          headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
          ...(method === 'GET' ? {} : { body: '{}' }),
        });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
      }
    }
  });

  it('is neither seen nor revoked by others, and asks for no more than its user may (ACCT-014, ACCT-010)', async () => {
    const bob = await invited(server, ada, 'bob@example.com', { permissions: ['vault'] });
    const { id, token } = await create({ name: 'Of Ada' });
    expect(await list('/api/account/tokens', bob)).toEqual([]);
    for (const one of [id, '__proto__']) {
      expect((await sendJson(server, bob, ['DELETE', `/api/account/tokens/${one}`])).status).toBe(404);
    }
    expect(await read(token)).toBe(200);
    const asked = { name: 'More', services: ['tracker'], access: 'full' };
    expect(await sendJson(server, bob, ['POST', '/api/account/tokens', asked])).toMatchObject({
      status: 400,
      body: { reason: 'invalid_input' },
    });
    const ofBob = await create({ name: 'Both', services: ['tracker', 'vault'] }, bob);
    expect(await read(ofBob.token)).toBe(200);
    expect(await call(ofBob.token, 'GET', '/api/tracker/issues')).toBe(403);
  });

  it('is one of at most 50 (ACCT-015)', async () => {
    const bea = await invited(server, ada, 'bea@example.com', { permissions: ['vault'] });
    for (let count = 0; count < 50; count += 1) await create({ name: `Token ${count}` }, bea);
    expect(await sendJson(server, bea, ['POST', '/api/account/tokens', { name: 'One more' }])).toMatchObject({
      status: 409,
      body: { reason: 'conflict' },
    });
    const [first] = await list('/api/account/tokens', bea);
    await sendJson(server, bea, ['DELETE', `/api/account/tokens/${first?.id}`]);
    await create({ name: 'One more' }, bea);
  });
});
