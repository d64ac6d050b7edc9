import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type Ear, ears, plain } from '#test/support/mcp/mcp-ears.ts';
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

const call = (token: string, path = '/api/connections') =>
  fetch(`${server.origin}${path}`, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } });
const apps = async (browser = ada) => (await sendJson(server, browser, ['GET', '/api/apps'])).body;

describe('granted apps', () => {
  it('are listed with what they were granted, and when they were last used (GRANT-005, GRANT-010)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'Claude Code', services: ['vault'], access: 'read' });
    expect((await call(token)).status).toBe(200);
    await expect
      .poll(() => apps())
      .toMatchObject({
        data: [{ name: 'Claude Code', services: ['vault'], access: 'readonly', last_used_at: expect.any(Number) }],
      });
    const html = await (await ada.get('/apps')).text();
    expect(html).toContain('Claude Code');
    expect(html).toContain('Read-only');
    const [row = ''] = html.match(/<tr>\s*<th scope="row".*?<\/tr>/gs) ?? [];
    const time = /<time datetime="[\d-]+T[\d:.]+Z" title="[\d-]+ [\d:]+ UTC"/;
    expect(/data-label="Services">([^<]*)</.exec(row)?.[1]).toBe('Vault');
    expect(/<span class="note">since .*?<\/span>/s.exec(row)?.[0]).toMatch(time);
    expect(/<td data-label="Last used".*?<\/td>/s.exec(row)?.[0]).toMatch(time);
  });

  it('get 401 at once when they are revoked with the form (GRANT-005)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'To revoke' });
    expect((await call(token)).status).toBe(200);
    const html = await (await ada.get('/apps')).text();
    const form =
      (html.match(/<form.*?<\/form>/gs) ?? []).find((text) => text.includes('Revoke access: To revoke')) ?? '';
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
    expect((await ada.post(action, { csrf_token: 'forged' })).status).toBe(403);
    expect((await call(token)).status).toBe(200);
    expect((await ada.post(action, hiddenFields(form))).status).toBe(303);
    expect((await call(token)).status).toBe(401);
    expect((await call(token, '/message')).status).toBe(401);
  });

  it('are revoked by DELETE, which another site cannot send (GRANT-010)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'By program' });
    const { data } = (await apps()) as { data: { id: string; name: string }[] };
    const id = data.find(({ name }) => name === 'By program')?.id ?? '';
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const foreign = await fetch(`${server.origin}/api/apps/${id}`, {
      method: 'DELETE',
      headers: { cookie, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await call(token)).status).toBe(200);
    expect(await sendJson(server, ada, ['DELETE', `/api/apps/${id}`])).toEqual({
      status: 200,
      body: { id, state: 'revoked' },
    });
    expect((await call(token)).status).toBe(401);
    expect(await sendJson(server, ada, ['DELETE', `/api/apps/${id}`])).toMatchObject({
      status: 404,
      body: { reason: 'not_found' },
    });
  });

  it('can be neither seen nor revoked by an app, with a bearer token or a cookie (GRANT-010, SESS-020)', async () => {
    const limited = await grantToken(server.origin, ada, { name: 'Limited', services: ['vault'], access: 'change' });
    const whole = await grantToken(server.origin, ada, { name: 'Whole' });
    const { data } = (await apps()) as { data: { id: string }[] };
    for (const token of [limited, whole]) {
      for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `user=${token}` }]) {
        const asProgram = { ...headers, accept: 'application/json' };
        for (const path of ['/api/apps', '/apps']) {
          expect((await fetch(`${server.origin}${path}`, { headers: asProgram })).status).toBe(403);
        }
        const path = `/api/apps/${data[0]?.id}`;
        expect((await fetch(`${server.origin}${path}`, { method: 'DELETE', headers: asProgram })).status).toBe(403);
      }
    }
    expect(((await apps()) as { data: unknown[] }).data).toHaveLength(data.length);
  });

  it('can be neither seen nor revoked by another user, the guest, or an anonymous caller (GRANT-007)', async () => {
    expect((await fetch(`${server.origin}/api/apps`)).status).toBe(401);
    const guest = new PlainBrowser({ origin: server.origin });
    await guest.get('/set');
    expect((await sendJson(server, guest, ['GET', '/api/apps'])).status).toBe(403);
    const bob = await invited(server, ada, 'bob@example.com');
    expect(await apps(bob)).toEqual({ data: [] });
    const { data } = (await apps()) as { data: { id: string }[] };
    expect((await sendJson(server, guest, ['DELETE', `/api/apps/${data[0]?.id}`])).status).toBe(403);
    expect((await sendJson(server, bob, ['DELETE', `/api/apps/${data[0]?.id}`])).status).toBe(404);
    expect(((await apps()) as { data: unknown[] }).data).toHaveLength(data.length);
  });

  it('are not listed once their tokens have ended by age (GRANT-008)', async () => {
    await grantToken(server.origin, ada, { name: 'Of last month' });
    expect(JSON.stringify(await apps())).toContain('Of last month');
    await withStored(server.dataDir, ({ database }) =>
      database.em.fork().execute('update app_grants set since = since - ?', [30 * 86_400_000 + 1]),
    );
    // Grants are known for up to two seconds.
    await expect.poll(async () => JSON.stringify(await apps()), { timeout: 30_000 }).not.toContain('Of last month');
  });

  it('are not listed once their user has signed out everywhere (GRANT-008)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'Signed out' });
    expect((await call(token)).status).toBe(200);
    const page = await (await ada.get('/logout')).text();
    const forms = page.match(/<form.*?<\/form>/gs) ?? [page];
    const everywhere = forms.find((text) => text.includes('everywhere')) ?? page;
    await ada.post('/logout', { ...hiddenFields(everywhere), everywhere: 'yes' });
    ada = await server.signedIn();
    expect((await call(token)).status).toBe(401);
    expect(await apps()).toEqual({ data: [] });
  });
});

describe('the open streams of a revoked app', () => {
  const idOf = async (wanted: string): Promise<string> => {
    const { data } = (await apps()) as { data: { id: string; name: string }[] };
    return data.find(({ name }) => name === wanted)?.id ?? '';
  };
  const untilItsEnd = async (ear: Ear): Promise<void> => {
    while ((await ear.next()) !== null);
  };

  it.each(Object.keys(ears))('end, while those of another app stay open: %s (GRANT-009)', async (era) => {
    const open = ears[era];
    if (open === undefined) throw new Error(`There is no ${era}.`);
    const place = { url: server.origin };
    const ear = await open(place, await grantToken(server.origin, ada, { name: `Revoked ${era}` }));
    const other = await open(place, await grantToken(server.origin, ada, { name: `Kept ${era}` }));
    await sendJson(server, ada, ['DELETE', `/api/apps/${await idOf(`Revoked ${era}`)}`]);
    await untilItsEnd(ear);
    await sendJson(server, ada, ['PUT', '/api/switches', { off: ['vault:*write'] }]);
    expect(plain(await other.next())).toBe('notifications/tools/list_changed');
    await sendJson(server, ada, ['PUT', '/api/switches', { off: [] }]);
    await Promise.all([ear.close(), other.close()]);
  });
});
