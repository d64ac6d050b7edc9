import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { allow, authorizePath, callback, register, registered } from '#test/support/authorization/auth-flow.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendRaw } from '#test/support/network/raw-http.ts';

let app: AuthApp;

beforeAll(async () => {
  app = await openAuthApp({ allowedOrigins: ['https://app.example'] });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** The status of a request with a Host of its own, which fetch would not send. */
function statusFor(target: AuthApp, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target.origin}${path}`, { headers, method: 'POST' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('Host and Origin', () => {
  it.each([
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example:80', 403],
    ['localhost@evil.example', 403],
    ['localhost:99999999', 403],
    ['localhost:1', 401],
    ['127.0.0.1', 401],
    ['[::1]:3000', 401],
    ['LOCALHOST', 401],
  ])('answers Host %s with %i while it listens on loopback (EDGE-001)', async (host, status) => {
    expect(await statusFor(app, '/message', { host })).toBe(status);
  });

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost.evil.example', 403],
    ['http://localhost:5173', 401],
    ['http://127.0.0.1:6274', 401],
    ['https://app.example', 401],
    ['https://app.example.evil.example', 403],
  ])('answers Origin %s with %i (EDGE-002)', async (origin, status) => {
    const answer = await fetch(`${app.origin}/message`, { method: 'POST', headers: { origin } });
    expect(answer.status).toBe(status);
  });

  it('are limited to those of the base URL when the server listens elsewhere (EDGE-001, EDGE-002)', async () => {
    await using away = await openAuthApp({ baseUrl: 'https://mcp.example', listensOnLoopback: false });
    for (const host of ['mcp.example', 'mcp.example:443', 'MCP.example']) {
      expect(await statusFor(away, '/message', { host })).toBe(401);
    }
    expect(await statusFor(away, '/message', { host: 'localhost' })).toBe(403);
    const headers = { host: 'mcp.example', origin: 'http://localhost:1' };
    expect(await statusFor(away, '/message', headers)).toBe(403);
    expect(await statusFor(away, '/message', { host: 'mcp.example', origin: 'https://mcp.example' })).toBe(401);
  });

  it('are read from X-Forwarded-Host only with TRUST_PROXY (EDGE-008)', async () => {
    await using behind = await openAuthApp({
      baseUrl: 'https://mcp.example',
      listensOnLoopback: false,
      trustProxy: true,
    });
    const headers = { host: '10.0.0.7:3000', 'x-forwarded-host': 'mcp.example' };
    expect(await statusFor(behind, '/message', headers)).toBe(401);
    for (const forwarded of [
      'evil.example',
      'mcp.example, evil.example',
      'evil.example, mcp.example',
      'mcp.example,',
    ]) {
      expect(await statusFor(behind, '/message', { ...headers, 'x-forwarded-host': forwarded })).toBe(403);
    }
    await using bare = await openAuthApp({ baseUrl: 'https://mcp.example', listensOnLoopback: false });
    expect(await statusFor(bare, '/message', headers)).toBe(403);
  });

  it('are not checked for webhooks (EDGE-001)', async () => {
    await using hooked = await openAuthApp({
      routes: [
        {
          method: 'POST',
          path: '/webhooks/tracker',
          who: 'public',
          body: 'none',
          run: (ctx) => {
            ctx.status = 200;
          },
        },
      ],
    });
    const headers = { host: 'hooks.example', origin: 'https://elsewhere.example' };
    expect(await statusFor(hooked, '/webhooks/tracker', headers)).toBe(200);
  });
});

describe('CORS', () => {
  const preflight = (path: string, origin: string) =>
    fetch(`${app.origin}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });

  it.each(['/message', '/sse', '/register', '/token', '/.well-known/oauth-authorization-server'])(
    'is allowed on %s for an allowed origin (EDGE-003)',
    async (path) => {
      const answer = await preflight(path, 'https://app.example');
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );

  it('lets a browser client read why it was refused', async () => {
    const answer = await fetch(`${app.origin}/message`, { method: 'POST', headers: { origin: 'https://app.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  it.each(['/login', '/authorize', '/floki/index', '/set'])('is never allowed on %s (EDGE-003)', async (path) => {
    const answer = await preflight(path, 'https://app.example');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is refused to other origins', async () => {
    expect((await preflight('/token', 'https://evil.example')).status).toBe(403);
  });
});

describe('the security headers', () => {
  it('keep pages out of frames, and allow no scripts (AUTH-017)', async () => {
    const { headers } = await fetch(`${app.origin}/login`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBeNull();
    expect(headers.get('permissions-policy')).toContain('camera=(), display-capture=(), geolocation=()');
  });

  it('come with the icon for whoever asks for it by its usual name, and without a list of pages', async () => {
    const icon = await fetch(`${app.origin}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect((await fetch(`${app.origin}/sitemap.xml`)).status).toBe(404);
  });

  it.each([
    ['GET', '/login'],
    ['GET', '/static/portolan.css'],
    ['GET', '/page'],
    ['GET', '/nowhere'],
    ['POST', '/register'],
    ['POST', '/token'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/healthz'],
    ['POST', '/message'],
  ])('are on every answer, with its own id: %s %s (EDGE-006)', async (method, path) => {
    const { headers } = await fetch(`${app.origin}${path}`, { method, redirect: 'manual' });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(headers.get('x-request-id')).toMatch(/^\S{8,}$/);
  });

  it('allow the form of an authorization to lead to its client', async () => {
    const policyFor = async (redirectUri: string) => {
      const { client_id } = await registered(app, { redirect_uris: [redirectUri] });
      const answer = await new PlainBrowser(app).get(authorizePath({ client_id, redirect_uri: redirectUri }));
      return answer.headers.get('content-security-policy') ?? '';
    };
    expect(await policyFor('http://127.0.0.1:4567/callback')).toContain(
      "form-action 'self' https: http://127.0.0.1:4567 http://localhost:4567;",
    );
    expect(await policyFor('http://[::1]:4567/callback')).toContain("form-action 'self' https: http:;");
    expect(await policyFor('https://app.example/callback')).toContain("form-action 'self' https:;");
    expect(await policyFor('cursor://anysphere.cursor-mcp/callback')).toContain("form-action 'self' https: cursor:;");
  });

  it('require https if the base URL does (EDGE-015)', async () => {
    expect((await fetch(`${app.origin}/login`)).headers.get('strict-transport-security')).toBeNull();
    await using secure = await openAuthApp({ baseUrl: 'https://mcp.example' });
    const { headers } = await fetch(`${secure.origin}/login`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-portolan_browser=/)]);
  });
});

describe('text from outside', () => {
  it('is escaped on every page (AUTH-021)', async () => {
    const evil = '"><script>alert(1)</script>\u202e';
    const { client_id } = await registered(app, { client_name: evil, redirect_uris: [callback] });
    const path = authorizePath({ client_id, redirect_uri: callback, state: evil });
    const html = await (await new PlainBrowser(app).get(path)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;');
    const name = /<bdi>([^<]*)<\/bdi>/.exec(html)?.[1];
    expect(name).not.toContain('\u202e');
  });

  it('is returned in the state unchanged', async () => {
    const state = 'a b&c=d"<>\r\nX-Evil: 1 ü 🙂';
    const { client_id } = await registered(app);
    const answer = await allow(app, authorizePath({ client_id, redirect_uri: callback, state }), 'deny');
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.searchParams.get('state')).toBe(state);
    expect(answer.headers.get('x-evil')).toBeNull();
  });
});

describe('the well-known addresses', () => {
  it.each([
    ['GET', 'oauth-authorization-server'],
    ['POST', 'oauth-authorization-server'],
    ['GET', 'oauth-protected-resource'],
    ['GET', 'oauth-protected-resource/message'],
    ['GET', 'openid-configuration'],
    ['GET', 'anything/at/all'],
  ])('off: %s /.well-known/%s is 404 JSON, also for a browser (META-001)', async (method, path) => {
    const answer = await fetch(`${app.origin}/.well-known/${path}`, { method, headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it("with metadata, report that a client's secret does not expire, as 0 (RFC 7591 §3.2.1) (REG-017)", async () => {
    await using known = await openAuthApp({ oauthMetadata: true });
    expect(await (await register(known)).json()).toMatchObject({ client_secret_expires_at: 0 });
  });

  it('with metadata, serve RFC 8414 and RFC 9728 metadata, are named in 401, and send iss along (META-002, META-003, META-004, AUTH-019)', async () => {
    await using known = await openAuthApp({ oauthMetadata: true });
    const base = known.baseUrl;
    const read = async (path: string) => (await fetch(`${known.origin}/.well-known/${path}`)).json();
    expect(await read('oauth-authorization-server')).toEqual({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: expect.arrayContaining(['vault', 'vault:read']),
      client_id_metadata_document_supported: true,
    });
    for (const path of ['', '/message', '/mcp', '/sse']) {
      expect(await read(`oauth-protected-resource${path}`)).toEqual({
        resource: `${base}${path}`,
        authorization_servers: [base],
        bearer_methods_supported: ['header'],
        scopes_supported: expect.arrayContaining(['vault', 'vault:read']),
        resource_name: 'Portolan',
      });
    }
    expect((await fetch(`${known.origin}/.well-known/openid-configuration`)).status).toBe(404);
    const refused = await fetch(`${known.origin}/message`, { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="portolan", resource_metadata="${base}/.well-known/oauth-protected-resource/message"`,
    );
    const { client_id } = await registered(known);
    const answer = await allow(known, authorizePath({ client_id, redirect_uri: callback, state: 's' }));
    const unknown = authorizePath({ client_id, redirect_uri: callback, response_type: 'token' });
    const redirects = [
      answer,
      await allow(known, authorizePath({ client_id, redirect_uri: callback }), 'deny'),
      await new PlainBrowser(known).get(unknown),
    ];
    for (const { headers } of redirects) {
      expect(new URL(headers.get('location') ?? '').searchParams.get('iss')).toBe(base);
    }
  });
});

describe('a HEAD request', () => {
  it.each(['/login', '/set', '/static/portolan.css', '/healthz', '/page', '/.well-known/openid-configuration'])(
    'for %s gets the status and headers of GET, and no body (PUB-007)',
    async (path) => {
      const answered = async (method: string) => {
        const answer = await fetch(`${app.origin}${path}`, { method, redirect: 'manual' });
        const ofThisRequest = ['date', 'x-request-id', 'set-cookie', 'connection', 'keep-alive'];
        const headers = [...answer.headers].filter(([name]) => !ofThisRequest.includes(name));
        const cookies = answer.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
        return { status: answer.status, headers, cookies, text: await answer.text() };
      };
      const { text, ...got } = await answered('GET');
      expect(text).not.toBe('');
      expect(await answered('HEAD')).toEqual({ ...got, text: '' });
    },
  );
});

describe('the health endpoint', () => {
  it.each(['/healthz', '/readyz'])('%s answers a probe under any host name (PUB-008)', async (path) => {
    for (const host of ['10.0.0.7:3000', 'pod.internal', 'evil.example']) {
      const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Origin: http://evil.example', 'Connection: close'];
      expect((await sendRaw(app.origin, `${head.join('\r\n')}\r\n\r\n`)).status).toBe(200);
    }
  });

  it('answers without a session (PUB-004)', async () => {
    const healthy = await fetch(`${app.origin}/healthz`);
    expect(healthy.status).toBe(200);
    expect(await healthy.json()).toEqual({ status: 'ok' });
    expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
  });
});
