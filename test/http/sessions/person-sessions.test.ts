import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedIdOf } from '#domain/sessions/person-session.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { accessToken, authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { invited } from '#test/support/server/invited.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { sendJson, startWholeServer } from '#test/support/server/whole-server.ts';

const dayMs = 86_400_000;

const logIn = async (browser: PlainBrowser): Promise<void> => {
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, ...ada }, { 'user-agent': 'Test/1' });
};
const signOut = async (browser: PlainBrowser): Promise<Response> =>
  browser.post('/logout', hiddenFields(await (await browser.get('/logout')).text()));
/** A browser with this cookie, and whatever else the other browser has. */
const copyOf = (browser: PlainBrowser, at: Readonly<{ origin: string }>): PlainBrowser => {
  const copy = new PlainBrowser(at);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
};
const sessionOf = async (app: AuthApp, browser: PlainBrowser) =>
  app.ports.tokens.open(browser.cookies.get('user') ?? '');

describe('a person’s session', () => {
  let app: AuthApp;
  beforeAll(async () => {
    app = await openAuthApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('is stored at sign-in, and ends when its row is deleted (SESS-022)', async () => {
    const browser = new PlainBrowser(app);
    await logIn(browser);
    const session = await sessionOf(app, browser);
    const id = storedIdOf(session?.sessionId ?? '');
    expect(await app.ports.sessions.find(id)).toEqual({
      id,
      userId: 1,
      begunBy: 'login',
      begunAt: app.time.now,
      expiresAt: app.time.now + 30 * dayMs,
      userAgent: 'Test/1',
    });
    expect((await browser.get('/page')).status).toBe(200);
    await app.ports.sessions.end(1, id);
    expect((await browser.get('/page')).status).toBe(401);
  });

  it('ends at sign-out, in every copy of its cookie, and no other session does (SESS-025)', async () => {
    const [browser, other] = [new PlainBrowser(app), new PlainBrowser(app)];
    await Promise.all([logIn(browser), logIn(other)]);
    const copy = copyOf(browser, app);
    expect((await copy.get('/page')).status).toBe(200);
    await signOut(browser);
    expect((await copy.get('/page')).status).toBe(401);
    const headers = { authorization: `Bearer ${copy.cookies.get('user')}` };
    expect((await fetch(`${app.origin}/page`, { headers })).status).toBe(401);
    expect((await other.get('/page')).status).toBe(200);
  });

  it('is renewed by /set for 30 more days, and stays the same session (SESS-016, SESS-025)', async () => {
    await using later = await openAuthApp();
    const browser = new PlainBrowser(later);
    await logIn(browser);
    const first = copyOf(browser, later);
    later.time.now += 20 * dayMs;
    await browser.get('/set');
    later.time.now += 20 * dayMs;
    expect((await first.get('/page')).status).toBe(401);
    expect((await browser.get('/page')).status).toBe(200);
    const renewed = copyOf(browser, later);
    await signOut(browser);
    expect((await renewed.get('/page')).status).toBe(401);
    await renewed.get('/set');
    expect(await (await renewed.get('/floki/index')).text()).toContain('as a guest');
  });

  it('keeps a consent form valid while /set renews it', async () => {
    const browser = new PlainBrowser(app);
    await logIn(browser);
    const client = await registered(app);
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
    const fields = hiddenFields(await (await browser.get(path)).text());
    app.time.now += 1_000;
    await browser.get('/set');
    expect((await browser.post('/authorize', { ...fields, decision: 'allow' })).status).toBe(302);
  });

  it('is what an older cookie counts as for a while, and /set creates no stored one from it (SESS-023)', async () => {
    await using upgraded = await openAuthApp({ formerCookiesUntil: 1_800_000_000_000 + 7 * dayMs });
    const browser = new PlainBrowser(upgraded);
    browser.cookies.set('user', await upgraded.ports.tokens.seal({ userId: 1, issuedAt: upgraded.time.now }));
    expect(await (await browser.get('/login')).text()).not.toContain('name="password"');
    await browser.get('/set');
    expect((await browser.get('/login')).headers.get('location')).toBe('/floki/index');
    expect(await upgraded.ports.sessions.list(1)).toEqual([]);
    upgraded.time.now += 7 * dayMs;
    expect(await (await browser.get('/login')).text()).toContain('name="password"');
    expect((await browser.get('/page')).status).toBe(200);
  });

  it.each([true, false])(
    'is valid on this server only, like a token, with metadata: %s (SESS-027)',
    async (oauthMetadata) => {
      await using here = await openAuthApp({ oauthMetadata });
      await using there = await openAuthApp({ oauthMetadata });
      const browser = new PlainBrowser(here);
      await logIn(browser);
      const session = await sessionOf(here, browser);
      expect(session?.audience).toBe(oauthMetadata ? here.baseUrl : undefined);
      const stored = await here.ports.sessions.find(storedIdOf(session?.sessionId ?? ''));
      expect((await copyOf(browser, there).get('/page')).status).toBe(401);
      if (stored !== null) await there.ports.sessions.begin(stored);
      expect((await copyOf(browser, there).get('/page')).status).toBe(oauthMetadata ? 401 : 200);
      await browser.get('/set');
      expect((await sessionOf(here, browser))?.audience).toBe(session?.audience);
    },
  );

  it('ends by signing out everywhere, even if the clock was set back since it and its tokens were issued (SESS-024)', async () => {
    await using back = await openAuthApp();
    const [browser, token] = [new PlainBrowser(back), await accessToken(back)];
    await logIn(browser);
    const copy = copyOf(browser, back);
    back.time.now -= 1_800_000;
    expect((await copy.get('/page')).status).toBe(200);
    const fields = hiddenFields(await (await browser.get('/logout')).text());
    await browser.post('/logout', { ...fields, everywhere: '1' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await copy.get('/page')).status).toBe(401);
    expect((await fetch(`${back.origin}/page`, { headers })).status).toBe(401);
    await logIn(browser);
    expect((await browser.get('/page')).status).toBe(200);
  });
});

it('an upgraded server accepts older cookies as persons’ sessions, and a new one does not (SESS-023)', async () => {
  await using server = await startWholeServer({});
  const secret = (await readFile(join(server.dataDir, 'secret_key_base'), 'utf8')).trim();
  const sealed = new JweSessionTokens([deriveKey(secret, 'session')]).seal({ userId: 1, issuedAt: Date.now() });
  const headers = { cookie: `user=${await sealed}` };
  expect((await fetch(`${server.origin}/account`, { headers, redirect: 'manual' })).status).toBe(303);
  await server.stop();
  // As a release left it that stored no sessions.
  await withStored(server.dataDir, ({ database }) =>
    database.em.fork().execute("delete from server_facts where name = 'sessions_stored_since'"),
  );
  await using upgraded = await startWholeServer({}, server.dataDir);
  expect((await fetch(`${upgraded.origin}/account`, { headers, redirect: 'manual' })).status).toBe(200);
  expect(
    (await fetch(`${upgraded.origin}/account`, { headers: { authorization: `Bearer ${await sealed}` } })).status,
  ).toBe(403);
});

describe('a person’s session on the whole server', () => {
  let server: WholeServer;
  let admin: PlainBrowser;
  beforeAll(async () => {
    server = await openWholeServer();
    admin = await signedInAt(server.origin, ada);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const rows = () =>
    withStored(server.dataDir, async ({ database }) =>
      JSON.stringify(await database.em.fork().execute('select * from sessions order by begun_at')),
    );

  it('also begins with a password link (USER-017, SESS-022)', async () => {
    const answer = await sendJson(server, admin, ['POST', '/api/users', { email: 'wil@example.com' }]);
    const { link } = answer.body as { link: string };
    const browser = new PlainBrowser(server);
    const page = await browser.get(link.slice(new URL(link).origin.length));
    const set = await browser.post('/welcome', { ...hiddenFields(await page.text()), password: 'a good password' });
    expect([set.status, set.headers.get('location')]).toEqual([303, '/floki/index']);
    expect(await (await browser.get('/account')).text()).toContain('wil@example.com');
    expect(await rows()).toContain('"begun_by":"welcome"');
  });

  it('is stored without the content of its cookie (SESS-022)', async () => {
    const stored = await rows();
    expect(stored).toContain('"begun_by":"login"');
    expect(stored).not.toContain(admin.cookies.get('user'));
  });

  it('ends when an administrator deactivates its user, and is not restored (USER-011)', async () => {
    const browser = await invited(server, admin, 'xeni@example.com');
    const { data } = (await sendJson(server, admin, ['GET', '/api/users'])).body as {
      data: { id: number; email: string }[];
    };
    const id = data.find(({ email }) => email === 'xeni@example.com')?.id ?? 0;
    expect((await browser.get('/page')).status).toBe(200);
    await sendJson(server, admin, ['PATCH', `/api/users/${id}`, { active: false }]);
    expect((await browser.get('/page')).status).toBe(401);
    await sendJson(server, admin, ['PATCH', `/api/users/${id}`, { active: true }]);
    expect((await browser.get('/page')).status).toBe(401);
    expect(await rows()).not.toContain(`"user_id":${id},`);
  });

  it('continues in the browser that signs all others out, with the time of its sign-in (ACCT-002)', async () => {
    const browser = await invited(server, admin, 'yan@example.com');
    const copy = copyOf(browser, server);
    const before: readonly { begun_at: number }[] = JSON.parse(await rows());
    const fields = hiddenFields(await (await browser.get('/account')).text());
    await delay(2);
    expect((await browser.post('/account/sign-out-others', fields)).status).toBe(303);
    expect((await copy.get('/page')).status).toBe(401);
    expect((await browser.get('/account')).status).toBe(200);
    const after: readonly { begun_at: number }[] = JSON.parse(await rows());
    expect(after.at(-1)?.begun_at).toBe(before.at(-1)?.begun_at);
  });

  it.each([
    ['a stream of the older transport', 'GET', '/sse', null],
    ['a subscription', 'POST', '/message', 'subscriptions/listen'],
  ])('ends with its open streams: %s (SESS-026)', async (_, method, path, rpc) => {
    const browser = await signedInAt(server.origin, ada);
    const body =
      rpc === null
        ? null
        : JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: rpc,
            params: {
              notifications: { toolsListChanged: true },
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          });
    const stream = await fetch(`${server.origin}${path}`, {
      method,
      headers: {
        cookie: `user=${browser.cookies.get('user')}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': rpc ?? '',
      },
      body,
    });
    expect(stream.status).toBe(200);
    const reader = stream.body?.getReader();
    await reader?.read();
    await signOut(browser);
    while (!((await reader?.read())?.done ?? true));
    expect((await admin.get('/page')).status).toBe(200);
  });
});
