import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { rounds } from '#test/support/form.ts';

let app: AuthApp;
let token: string;

beforeAll(async () => {
  app = await openAuthApp();
  token = await accessToken(app);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const message = (headers: Record<string, string>, body = '{"a":1}') =>
  fetch(`${app.origin}/message`, { method: 'POST', headers: { ...json, ...headers }, body });

describe('a protected route', () => {
  it('answers 401 without a cookie, with a page titled Authentication Required and a log-in link (META-004, SESS-007)', async () => {
    const answer = await fetch(`${app.origin}/page`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="portolan"');
    const html = await answer.text();
    expect(html).toContain('<title>Authentication Required</title>');
    expect(html).toContain('<a class="button" href="/login">Log in</a>');
  });

  it('answers a program with JSON (SESS-009)', async () => {
    const answer = await message({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="portolan"');
    expect(await answer.json()).toEqual({ error: 'unauthorized', error_description: 'Authentication Required' });
  });

  it('accepts the cookie and the bearer token, which are the same value', async () => {
    expect(await (await message({ authorization: `Bearer ${token}` })).json()).toMatchObject({ userId: 1 });
    expect(await (await message({ authorization: `bearer ${token}` })).json()).toMatchObject({ userId: 1 });
    expect(await (await message({ cookie: `a=b; user=${token}; c=d` })).json()).toMatchObject({ userId: 1 });
    expect(app.lines).toContainEqual({
      level: 'debug',
      message: 'Session accepted',
      fields: expect.objectContaining({ userId: 1 }),
    });
  });

  it('refuses a bad bearer token even with a good cookie (SESS-005)', async () => {
    for (const authorization of ['Bearer x', 'Bearer', 'Bearer ', `Bearer ${token}x`]) {
      const answer = await message({ authorization, cookie: `user=${token}` });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('reports an invalid session, and logs a warning', async () => {
    app.lines.length = 0;
    const answer = await fetch(`${app.origin}/page`, { headers: { cookie: 'user=nonsense' } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('Invalid session. Please log in again.');
    expect(app.lines.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 'Invalid session', fields: expect.objectContaining({ path: '/page' }) },
    ]);
  });

  it('refuses a token with any one character changed, also where it decodes to the same bytes (SESS-003)', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const headers = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
    expect((await fetch(`${app.origin}/page`, headers(token))).status).toBe(200);
    for (const [at, character] of Array.from(token).entries()) {
      // The neighbour differs in the lowest bit, which is unused at the end of some parts.
      const other = alphabet[alphabet.indexOf(character) ^ 1] ?? 'A';
      const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
      expect((await fetch(`${app.origin}/page`, headers(changed))).status, `changed at ${at}`).toBe(401);
    }
  });

  it('refuses a token that is altered, truncated, foreign, overlong or over 30 days old (SESS-003, SESS-004, SESS-006)', async () => {
    const foreign = new JweSessionTokens([deriveKey('another secret of thirty-two bytes', 'session')]);
    const parts = token.split('.');
    const bad = [
      '',
      '.',
      '....',
      token.slice(0, -1),
      `${token.slice(0, -2)}AA`,
      parts.with(0, btoa('{"alg":"none"}')).join('.'),
      parts.with(2, 'AAAA').join('.'),
      `${token}.`,
      'x'.repeat(12_000),
      await foreign.seal({ userId: 1, issuedAt: app.time.now }),
      await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now - 2_592_000_000 }),
      await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now + 3_600_000 }),
      await app.ports.tokens.seal({ userId: 99, issuedAt: app.time.now }),
    ];
    for (const value of bad) {
      expect((await message({ cookie: `user=${value}` })).status).toBe(401);
      expect((await message({ authorization: `Bearer ${value}` })).status).toBe(401);
    }
    const last = await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now - 2_592_000_000 + 1 });
    expect((await message({ authorization: `Bearer ${last}` })).status).toBe(200);
  });

  it('accepts what the previous key encrypted, and encrypts with the current one (SET-007)', async () => {
    const old = 'the secret of yesterday, 32 bytes';
    await using rotated = await openAuthApp({ secrets: ['the secret of today is 32 bytes too', old] });
    const before = await new JweSessionTokens([deriveKey(old, 'session')]).seal({
      userId: 1,
      issuedAt: rotated.time.now,
    });
    const headers = { ...json, authorization: `Bearer ${before}` };
    expect((await fetch(`${rotated.origin}/message`, { method: 'POST', headers, body: '{}' })).status).toBe(200);
    const after = await rotated.ports.tokens.seal({ userId: 1, issuedAt: rotated.time.now });
    expect(await new JweSessionTokens([deriveKey(old, 'session')]).open(after)).toBeNull();
  });
});

describe('the order of the pipeline', () => {
  it('serves static files first, without authentication', async () => {
    const html = await (await fetch(`${app.origin}/login`)).text();
    const path = /href="(\/static\/portolan\.css[^"]*)"/.exec(html)?.[1];
    const answer = await fetch(`${app.origin}${path}`, { headers: { cookie: 'user=nonsense' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const etag = answer.headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await fetch(`${app.origin}${path}`, { headers })).status).toBe(304);
  });

  it('serves no path outside the static folder', async () => {
    for (const path of ['/static/../app.ts', '/static/..%2fapp.ts', '/static/%2e%2e/app.ts', '/static/.hidden']) {
      expect((await fetch(`${app.origin}${path}`)).status).toBe(401);
    }
  });

  it('answers unknown paths with 401 to anonymous callers and 404 to users (PUB-003)', async () => {
    expect((await fetch(`${app.origin}/nowhere`)).status).toBe(401);
    const answer = await fetch(`${app.origin}/nowhere`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'not_found' });
  });

  it('checks authentication before it refuses a body (SESS-010)', async () => {
    expect((await message({}, '{"broken')).status).toBe(401);
    const broken = await message({ authorization: `Bearer ${token}` }, '{"broken');
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: 'invalid_request' });
    const typed = await message({ authorization: `Bearer ${token}`, 'content-type': 'text/plain' }, 'hello');
    expect(typed.status).toBe(415);
  });

  it('reads up to 4 MiB of JSON on /message (EDGE-011)', async () => {
    const authorization = `Bearer ${token}`;
    const text = 'x'.repeat(3_900_000);
    expect((await message({ authorization }, JSON.stringify({ text }))).status).toBe(200);
    const large = await message({ authorization }, JSON.stringify({ text: text + text }));
    expect(large.status).toBe(413);
  });

  it('answers another method with 405 and Allow (PUB-006)', async () => {
    const authorization = `Bearer ${token}`;
    const answer = await fetch(`${app.origin}/message`, { method: 'PUT', headers: { authorization } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect((await fetch(`${app.origin}/message`, { method: 'PUT' })).status).toBe(401);
    expect((await fetch(`${app.origin}/token`)).status).toBe(405);
  });

  it('reveals nothing about an error, and logs it with the request id (ERR-001)', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${app.origin}/broken`, { headers });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).not.toContain('the secret of the server');
    const requestId = answer.headers.get('x-request-id');
    expect(text).toContain(requestId);
    expect(app.lines).toContainEqual({
      level: 'error',
      message: 'Request failed',
      fields: expect.objectContaining({ requestId, path: '/broken' }),
    });
  });

  it('logs one line per request, without its query', async () => {
    app.lines.length = 0;
    await fetch(`${app.origin}/login?code=secret`);
    expect(app.lines).toEqual([
      {
        level: 'info',
        message: 'Request',
        fields: {
          requestId: expect.any(String),
          method: 'GET',
          path: '/login',
          status: 200,
          ms: expect.any(Number),
        },
      },
    ]);
  });
});

describe('the route GET /set', () => {
  it('answers 200 with a short text and the cookie of a guest, who may do nothing (SESS-011, SESS-019)', async () => {
    const browser = new PlainBrowser(app);
    const answer = await browser.get('/set');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^user=[^;]+; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
    ]);
    const page = await browser.get('/floki/index');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('as a guest');
  });

  it('gives a signed-in caller a fresh cookie of their own (SESS-016)', async () => {
    const browser = new PlainBrowser(app);
    browser.cookies.set('user', token);
    await browser.get('/set');
    expect(await (await browser.get('/floki/index')).text()).toContain(ada.email);
  });

  it('gives a cookie that is an app’s token back with the same grant and age (SESS-021)', async () => {
    await using other = await openAuthApp();
    const granted = await accessToken(other);
    const before = await other.ports.tokens.open(granted);
    other.time.now += 86_400_000;
    const browser = new PlainBrowser(other);
    browser.cookies.set('user', granted);
    await browser.get('/set');
    expect(before).toMatchObject({ userId: 1, grantId: expect.any(String) });
    expect(await other.ports.tokens.open(browser.cookies.get('user') ?? '')).toEqual(before);
  });

  it.each(['Bearer', 'bearer', 'Bearer nonsense and', 'Basic'])(
    'sets no cookie for a request with a token: %s (SESS-014)',
    async (scheme) => {
      const headers = { authorization: `${scheme} ${token}`, cookie: `user=${token}` };
      const answer = await fetch(`${app.origin}/set`, { headers });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      expect(await answer.text()).toContain('No cookie is set');
    },
  );

  it('sets the guest cookie for a caller with a bad cookie (SESS-011, SESS-019)', async () => {
    const browser = new PlainBrowser(app);
    browser.cookies.set('user', 'nonsense');
    await browser.get('/set');
    expect(await (await browser.get('/page')).text()).toContain('Your connections');
  });
});

describe('the routes /login and /logout', () => {
  const logIn = async (browser: PlainBrowser, password = ada.password) => {
    const fields = hiddenFields(await (await browser.get('/login')).text());
    return browser.post('/login', { ...fields, email: ` ${ada.email.toUpperCase()} `, password });
  };

  it('sign in, in any case of the e-mail, and lead home (PAGE-001)', async () => {
    const browser = new PlainBrowser(app);
    const answer = await logIn(browser);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/floki/index');
    const home = await (await browser.get('/floki/index')).text();
    for (const text of [ada.email, `${app.baseUrl}/message`, 'Claude Code', 'Cursor', 'VS Code', 'href="/page"']) {
      expect(home).toContain(text);
    }
    const again = await browser.get('/login');
    expect(again.headers.get('location')).toBe('/floki/index');
  });

  it('start a new session at every login', async () => {
    const browser = new PlainBrowser(app);
    browser.cookies.set('user', 'planted');
    await logIn(browser);
    const first = browser.cookies.get('user');
    expect(first).not.toBe('planted');
    browser.cookies.delete('user');
    await logIn(browser);
    expect(browser.cookies.get('user')).not.toBe(first);
  });

  it('show a banner for a wrong password and keep the e-mail', async () => {
    const answer = await logIn(new PlainBrowser(app), 'wrong');
    expect(answer.status).toBe(401);
    const html = await answer.text();
    expect(html).toContain('role="alert"');
    expect(html).toContain(ada.email.toUpperCase());
    expect(html).not.toContain('value="wrong"');
  });

  it('sign out with a form of this server only (PAGE-003)', async () => {
    const browser = new PlainBrowser(app);
    await logIn(browser);
    expect((await browser.post('/logout', {})).status).toBe(403);
    expect(browser.cookies.has('user')).toBe(true);
    const fields = hiddenFields(await (await browser.get('/logout')).text());
    const answer = await browser.post('/logout', fields);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toContain('user=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax');
    expect((await browser.get('/page')).status).toBe(401);
  });

  it('sign out everywhere: tokens issued before are invalid, new ones are valid (SESS-006, SESS-018)', async () => {
    await using other = await openAuthApp();
    const mine = await accessToken(other);
    // It names no grant and no session that could be ended.
    const former = await other.ports.tokens.seal({ userId: 1, issuedAt: other.time.now });
    other.time.now += 1_000;
    const browser = new PlainBrowser(other);
    await logIn(browser);
    const fields = hiddenFields(await (await browser.get('/logout')).text());
    await browser.post('/logout', { ...fields, everywhere: '1' });
    for (const bearer of [mine, former]) {
      const headers = { authorization: `Bearer ${bearer}` };
      expect((await fetch(`${other.origin}/page`, { headers })).status).toBe(401);
    }
    other.time.now += 1_000;
    await logIn(browser);
    expect((await browser.get('/page')).status).toBe(200);
  });
});

describe('the limit of failed logins', () => {
  it('stops after 10 for an e-mail from one address, even with the right password, and admits others (AUTH-020, EDGE-008)', async () => {
    await using limited = await openAuthApp({ rateLimits: true, trustProxy: true });
    const from = (address: string) => ({ 'x-forwarded-for': `203.0.113.99, ${address}` });
    const tryOnce = async (password: string, address: string) => {
      const browser = new PlainBrowser(limited);
      const fields = hiddenFields(await (await browser.get('/login')).text());
      return browser.post('/login', { ...fields, email: ada.email, password }, from(address));
    };
    for (let count = 0; count < 10; count += 1) expect((await tryOnce('wrong', '198.51.100.1')).status).toBe(401);
    const stopped = await tryOnce(ada.password, '198.51.100.1');
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await tryOnce(ada.password, '198.51.100.2')).status).toBe(303);
  });

  it('cannot be raised by many concurrent attempts', async () => {
    await using limited = await openAuthApp({ rateLimits: true });
    const browser = new PlainBrowser(limited);
    const fields = hiddenFields(await (await browser.get('/login')).text());
    const tries = Array.from({ length: 30 }, (_, index) =>
      browser.post('/login', { ...fields, email: ada.email, password: `wrong${index}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('recognizes a browser in which an account has signed in, and no other by a copied part (AUTH-032)', async () => {
    await using limited = await openAuthApp({ rateLimits: true, trustProxy: true });
    const attempt = async (browser: PlainBrowser, password: string, address: string) => {
      const fields = hiddenFields(await (await browser.get('/login')).text());
      return browser.post('/login', { ...fields, email: ada.email, password }, { 'x-forwarded-for': address });
    };
    const known = new PlainBrowser(limited);
    expect((await attempt(known, ada.password, '198.51.100.1')).status).toBe(303);
    known.cookies.delete('user');
    const stranger = new PlainBrowser(limited);
    for (let count = 0; count < 100; count += 1) {
      expect((await attempt(stranger, 'wrong', `203.0.113.${count}`)).status).toBe(401);
    }
    const stopped = await attempt(stranger, ada.password, '203.0.113.200');
    expect([stopped.status, Number(stopped.headers.get('retry-after')) > 80_000]).toEqual([429, true]);
    expect(await stopped.text()).toContain('in a browser in which you have signed in before');
    const [id, digest] = (known.cookies.get('portolan_known') ?? '').split('.');
    for (const forged of [id, `${id}.`, `${id}.${'A'.repeat(43)}`, `${'A'.repeat(22)}.${digest}`, digest]) {
      stranger.cookies.set('portolan_known', forged ?? '');
      expect((await attempt(stranger, ada.password, '203.0.113.200')).status).toBe(429);
    }
    expect((await attempt(known, ada.password, '203.0.113.200')).status).toBe(303);
  });

  it('stops an address after 100 failed logins of any e-mail (AUTH-020)', async () => {
    await using limited = await openAuthApp({ rateLimits: true });
    const browser = new PlainBrowser(limited);
    const fields = hiddenFields(await (await browser.get('/login')).text());
    const tries = Array.from({ length: 101 }, (_, index) =>
      browser.post('/login', { ...fields, email: `user${index}@example.com`, password: 'x' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('allows 600 requests for tokens a minute by address (TOKEN-014)', async () => {
    await using limited = await openAuthApp({ rateLimits: true });
    // In the short form most of them are counted without being sent.
    const counted = rounds(560, 0);
    for (let index = 0; index < counted; index += 1) await limited.ports.limits.take('token', '127.0.0.1');
    const sent = Array.from({ length: 601 - counted });
    const tries = sent.map(() => fetch(`${limited.origin}/token`, { method: 'POST', body: '' }));
    const answers = await Promise.all(tries);
    const stopped = answers.filter(({ status }) => status === 429);
    expect(stopped).toHaveLength(1);
    expect(Number(stopped[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('allows 60 registrations a minute by address (REG-015)', async () => {
    await using limited = await openAuthApp({ rateLimits: true });
    const tries = Array.from({ length: 61 }, () =>
      fetch(`${limited.origin}/register`, { method: 'POST', headers: json, body: '{}' }),
    );
    const answers = await Promise.all(tries);
    const stopped = answers.filter(({ status }) => status === 429);
    expect(stopped).toHaveLength(1);
    expect(Number(stopped[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
