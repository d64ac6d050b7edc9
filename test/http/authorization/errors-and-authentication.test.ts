import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';

let app: AuthApp;
let token: string;

beforeAll(async () => {
  app = await openAuthApp();
  token = await accessToken(app);
});
beforeEach(() => {
  app.lines.length = 0;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.origin}${path}`, { headers, redirect: 'manual' });
const linesAt = (level: string) => app.lines.filter((line) => line.level === level);
const protectedRoutes = ['/floki/index', '/page', '/message', '/sse', '/save', '/any/future/route'];

describe('Server errors', () => {
  it.each(protectedRoutes)(
    'No session cookie on %s: 401, HTML page titled Authentication Required with a log-in link (PUB-002, SESS-007)',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const html = await answer.text();
      expect(html).toContain('<title>Authentication Required</title>');
      expect(html).toMatch(/<a [^>]*href="\/login"[^>]*>Log in<\/a>/);
      expect(linesAt('warn')).toEqual([]);
    },
  );

  it.each([
    ['Cookie invalid', () => 'nonsense'],
    ['Cookie tampered', () => `${token.slice(0, -3)}AAA`],
    ['Cookie empty', () => ''],
  ])(
    'an invalid session on %s: 401, HTML text "Invalid session. Please log in again."; warning logged (SESS-008)',
    async (_, value) => {
      for (const path of protectedRoutes) {
        app.lines.length = 0;
        const answer = await get(path, { cookie: `user=${value()}` });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(await answer.text()).toContain('Invalid session. Please log in again.');
        expect(linesAt('warn')).toEqual([
          {
            level: 'warn',
            message: 'Invalid session',
            fields: { requestId: answer.headers.get('x-request-id'), path },
          },
        ]);
      }
    },
  );

  it('a client lookup of an unknown id returns the internal result not_found', async () => {
    expect(await app.ports.clients.find('client_unknown')).toEqual({ ok: false, failure: { reason: 'not_found' } });
  });
});

describe('Session cookie rules', () => {
  it.each([
    [{}, /^user=/],
    [{ cookie: 'user=nonsense' }, /^user=/],
    [{ authorization: 'Bearer nonsense' }, /^$/],
  ])('When the path is /set, the check is skipped: %j', async (headers, cookie) => {
    const answer = await get('/set', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.getSetCookie().join()).toMatch(cookie);
    expect(linesAt('warn')).toEqual([]);
  });

  it.each(['/set/', '/Set', '//set', '/set%2f', '/%73et', '/set;x', '/x/../set/x'])(
    'only the very path /set: %s is 401',
    async (path) => expect((await get(path)).status).toBe(401),
  );

  it('a successful check logs the user id at debug level (SESS-015)', async () => {
    const answer = await get('/page', { cookie: `user=${token}` });
    expect(linesAt('debug')).toEqual([
      {
        level: 'debug',
        message: 'Session accepted',
        fields: { requestId: answer.headers.get('x-request-id'), userId: 1 },
      },
    ]);
  });

  it('the value and the token occur in no log line (SESS-015, ERR-005)', async () => {
    await get('/page', { cookie: `user=${token}` });
    await get(`/page?access_token=${token}`, { authorization: `Bearer ${token}x` });
    expect(JSON.stringify(app.lines)).not.toContain(token.slice(-20));
  });
});

describe('Bearer token', () => {
  it('is decrypted by the same routine as the cookie: the same value opens the same routes (SESS-002)', async () => {
    for (const headers of [{ cookie: `user=${token}` }, { authorization: `Bearer ${token}` }]) {
      expect((await get('/page', headers)).status).toBe(200);
    }
  });

  it.each([
    ['good bearer, bad cookie', () => ({ authorization: `Bearer ${token}`, cookie: 'user=bad' }), 200],
    ['bad bearer, good cookie', () => ({ authorization: 'Bearer bad', cookie: `user=${token}` }), 401],
    ['empty bearer, good cookie', () => ({ authorization: 'Bearer', cookie: `user=${token}` }), 401],
    ['another scheme, good cookie', () => ({ authorization: 'Basic bad', cookie: `user=${token}` }), 200],
    ['another scheme alone', () => ({ authorization: `Token ${token}` }), 401],
  ])('takes precedence over the cookie: %s (SESS-005)', async (_, headers, status) => {
    expect((await get('/page', headers())).status).toBe(status);
  });
});

describe('Request pipeline order', () => {
  it('1. static files are served first, without authentication (EDGE-010)', async () => {
    const answer = await get('/static/portolan.css', { cookie: 'user=bad', authorization: 'Bearer bad' });
    expect(answer.status).toBe(200);
    expect(linesAt('warn')).toEqual([]);
  });

  it('2. route matching comes before the check: a public route never looks at the session (EDGE-010)', async () => {
    expect((await get('/healthz', { authorization: 'Bearer bad' })).status).toBe(200);
    expect(linesAt('warn')).toEqual([]);
  });

  it('3. JSON body parsing comes before 4. the authentication check (EDGE-010)', async () => {
    const opened: string[] = [];
    const open = app.ports.tokens.open.bind(app.ports.tokens);
    app.ports.tokens.open = async (value) => {
      opened.push(value);
      return open(value);
    };
    const { hostname, port } = new URL(app.origin);
    const socket = connect({ host: hostname, port: Number(port) });
    const answered = new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk)));
    });
    const head = [
      'POST /message HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
    ];
    await new Promise<void>((resolve) => {
      socket.write(`${head.join('\r\n')}\r\nContent-Length: 7\r\n\r\n{"a":`, () => resolve());
    });
    // The server has seen the first request when it has answered others that came after it.
    for (let round = 0; round < 5; round += 1) await get('/healthz');
    expect(opened).toEqual([]);
    socket.write('1}');
    expect(await answered).toContain('200 OK');
    expect(opened).toEqual([token]);
    socket.destroy();
    app.ports.tokens.open = open;
  });

  it('4. the check comes before 5. the route handler, and before a body is refused (SESS-010, EDGE-010)', async () => {
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${app.origin}/message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    expect((await post({}, '{"broken')).status).toBe(401);
    expect((await post({}, '{}')).status).toBe(401);
    expect((await post({ authorization: `Bearer ${token}` }, '{"broken')).status).toBe(400);
    expect((await post({ authorization: `Bearer ${token}` }, '{}')).status).toBe(200);
  });
});

describe('public routes', () => {
  it.each([
    ['GET', '/set', 200],
    ['GET', '/login', 200],
    ['GET', '/logout', 303],
    ['GET', '/authorize', 400],
    ['POST', '/authorize', 400],
    ['POST', '/register', 201],
    ['POST', '/token', 400],
    ['GET', '/.well-known/oauth-authorization-server', 404],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/robots.txt', 200],
  ])('%s %s needs no session: %i (PUB-001)', async (method, path, status) => {
    const answer = await fetch(`${app.origin}${path}`, { method, redirect: 'manual' });
    expect(answer.status).toBe(status);
  });

  it('lead to a form from the log-in link of the 401 page', async () => {
    const page = await (await new PlainBrowser(app).get('/login')).text();
    expect(page).toContain('<form method="post" action="/login">');
  });
});
