import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import {
  allow,
  authorizePath,
  callback,
  codeFor,
  exchange,
  type Registered,
  register,
  registered,
  signIn,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';

let app: AuthApp;
let client: Registered;

beforeAll(async () => {
  app = await openAuthApp();
  client = await registered(app, { client_name: 'Sextant', redirect_uris: [callback] });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const request = (more: Readonly<Record<string, string | undefined>> = {}) =>
  authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 'xyz', ...more });

describe('POST /register', () => {
  it('answers 201 with its six members, and what RFC 7591 requires (REG-001, REG-009)', async () => {
    const answer = await register(app, { client_name: 'Sextant', redirect_uris: [callback] });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      client_id: expect.stringMatching(/^client_[A-Za-z0-9_-]{32}$/),
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      redirect_uris: [callback],
      client_name: 'Sextant',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
  });

  it('uses defaults for the name and the redirect URIs', async () => {
    const answer = await register(app, {});
    expect(await answer.json()).toMatchObject({ client_name: 'MCP Client', redirect_uris: [] });
  });

  it('ignores unknown members (REG-008)', async () => {
    const answer = await register(app, {
      redirect_uris: [callback],
      grant_types: ['refresh_token'],
      token_endpoint_auth_method: 'none',
      scope: 'everything',
      client_id: 'mine',
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      client_id: expect.stringMatching(/^client_/),
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code'],
    });
  });

  it.each([
    ['a fragment', { redirect_uris: ['https://app.example/cb#x'] }, 'invalid_redirect_uri'],
    ['an address that is no string', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    ['addresses that are no list', { redirect_uris: 'https://app.example/cb' }, 'invalid_client_metadata'],
    ['a name that is no string', { client_name: { a: 1 } }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
  ])('refuses %s with 400 (REG-010, REG-013, REG-016)', async (_, body, error) => {
    const answer = await register(app, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error, error_description: expect.any(String) });
  });

  it.each([
    ['broken JSON', 'application/json', '{"client_name":', 400],
    ['a form', 'application/x-www-form-urlencoded', 'client_name=x', 400],
    ['a foreign charset', 'application/json; charset=utf-16', '{}', 400],
    ['a body that is too large', 'application/json', `{"client_name":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('refuses %s (REG-016)', async (_, type, body, status) => {
    const answer = await fetch(`${app.origin}/register`, { method: 'POST', headers: { 'content-type': type }, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });
});

describe('GET /authorize', () => {
  it('shows the login page with the client name, and carries the parameters as hidden fields (AUTH-001, AUTH-003, AUTH-017)', async () => {
    const parameters = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
    const answer = await new PlainBrowser(app).get(request(parameters));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).toContain('Sextant');
    expect(html).toContain('name="email"');
    expect(html).toContain('name="password"');
    expect(html).not.toContain('role="alert"');
    expect(hiddenFields(html)).toMatchObject({
      client_id: client.client_id,
      redirect_uri: callback,
      state: 'xyz',
      code_challenge: vector.challenge,
      code_challenge_method: 'S256',
    });
  });

  it('shows a signed-in user the consent page: client, host, user, both buttons (AUTH-002, AUTH-015)', async () => {
    const browser = new PlainBrowser(app);
    await signIn(browser, request());
    const html = await (await browser.get(request())).text();
    for (const text of ['Sextant', '127.0.0.1:4567', ada.email, 'Allow Access', 'Deny']) expect(html).toContain(text);
  });

  it('shows the login page to a guest, and to a user whose client asks for it (AUTH-027)', async () => {
    const browser = new PlainBrowser(app);
    await browser.get('/set');
    expect(await (await browser.get(request())).text()).toContain('name="password"');
    await signIn(browser, request());
    expect(await (await browser.get(request({ prompt: 'login' }))).text()).toContain('name="password"');
  });

  it.each([
    ['an unknown client', { client_id: 'client_unknown' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another path', { redirect_uri: 'http://127.0.0.1:4567/other' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a loopback look-alike', { redirect_uri: 'http://127.0.0.1.evil.example/callback' }],
    ['user info', { redirect_uri: 'http://127.0.0.1:4567@evil.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ])('answers %s with a page of 400 and never a redirect (AUTH-008, AUTH-009)', async (_, more) => {
    const answer = await new PlainBrowser(app).get(request(more));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it('treats a repeated client or redirect URI as an error (AUTH-024)', async () => {
    const twice = `${request()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`;
    expect((await new PlainBrowser(app).get(twice)).status).toBe(400);
    expect((await new PlainBrowser(app).get(`${request()}&client_id=other`)).status).toBe(400);
  });

  it.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['the method plain', { code_challenge: vector.challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc', code_challenge_method: 'S256' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a foreign resource', { resource: 'https://other.example/message' }, 'invalid_target'],
  ])('sends %s back by redirect with error and state (AUTH-012, AUTH-013, AUTH-014)', async (_, more, error) => {
    const answer = await new PlainBrowser(app).get(request(more));
    expect(answer.status).toBe(302);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(callback);
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('state')).toBe('xyz');
    expect(location.searchParams.has('code')).toBe(false);
  });

  it('ignores a scope, and a resource of this server (AUTH-023)', async () => {
    const answer = await new PlainBrowser(app).get(request({ scope: 'openid', resource: `${app.baseUrl}/message` }));
    expect(answer.status).toBe(200);
  });

  it('lets a loopback client come back on another port (AUTH-010)', async () => {
    const answer = await new PlainBrowser(app).get(request({ redirect_uri: 'http://127.0.0.1:50123/callback' }));
    expect(answer.status).toBe(200);
  });
});

describe('POST /authorize', () => {
  it('shows an error banner after a failed login, the same for an unknown e-mail (AUTH-005)', async () => {
    const wrong = await signIn(new PlainBrowser(app), request(), 'wrong');
    expect(wrong.status).toBe(401);
    expect(wrong.headers.getSetCookie().filter((line) => line.startsWith('user='))).toEqual([]);
    const html = await wrong.text();
    expect(html).toContain('role="alert"');
    expect(bannerOf(html)).toBe('The e-mail or the password is wrong.');
    const browser = new PlainBrowser(app);
    const fields = hiddenFields(await (await browser.get(request())).text());
    const unknown = await browser.post('/authorize', { ...fields, email: 'nobody@example.com', password: 'x' });
    expect(bannerOf(await unknown.text())).toBe(bannerOf(html));
  });

  it('sets the session cookie with its flags, then shows consent (AUTH-022)', async () => {
    const answer = await signIn(new PlainBrowser(app), request());
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^user=[^;]+; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
    );
    expect(await answer.text()).toContain('Allow Access');
  });

  it('redirects with 302 to the redirect URI with code and state after Allow (AUTH-006)', async () => {
    const answer = await allow(app, request());
    expect(answer.status).toBe(302);
    const location = answer.headers.get('location') ?? '';
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:4567\/callback\?code=code_[A-Za-z0-9_-]{32}&state=xyz$/);
  });

  it('redirects with access_denied and state after Deny (AUTH-007)', async () => {
    const answer = await allow(app, request(), 'deny');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${callback}?error=access_denied&state=xyz`);
  });

  it('sends back no state if none was sent', async () => {
    const answer = await allow(app, request({ state: undefined }), 'deny');
    expect(answer.headers.get('location')).toBe(`${callback}?error=access_denied`);
  });

  it('refuses a redirect URI that was altered in the form', async () => {
    const browser = new PlainBrowser(app);
    const consent = hiddenFields(await (await signIn(browser, request())).text());
    const answer = await browser.post('/authorize', {
      ...consent,
      redirect_uri: 'https://evil.example/',
      decision: 'allow',
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it.each([
    ['the client', (other: Registered) => ({ client_id: other.client_id })],
    ['the state', () => ({ state: 'other' })],
    ['the challenge', () => ({ code_challenge: vector.challenge, code_challenge_method: 'S256' })],
    ['the port', () => ({ redirect_uri: 'http://127.0.0.1:9/callback' })],
    ['the token', () => ({ csrf_token: 'x' })],
  ])('shows consent again when %s is not what the user saw (AUTH-016, AUTH-026)', async (_, altered) => {
    const browser = new PlainBrowser(app);
    const consent = hiddenFields(await (await signIn(browser, request())).text());
    const other = await registered(app);
    const answer = await browser.post('/authorize', { ...consent, ...altered(other), decision: 'allow' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('location')).toBeNull();
    expect(await answer.text()).toContain('role="alert"');
  });

  it('takes a consent only from the browser and the session that saw it (AUTH-016)', async () => {
    const first = new PlainBrowser(app);
    const consent = hiddenFields(await (await signIn(first, request())).text());
    const second = new PlainBrowser(app);
    await signIn(second, request());
    expect((await second.post('/authorize', { ...consent, decision: 'allow' })).status).toBe(403);
    const none = await new PlainBrowser(app).post('/authorize', { ...consent, decision: 'allow' });
    expect(none.status).toBe(401);
    expect(await none.text()).toContain('name="password"');
    expect((await first.post('/authorize', { ...consent, decision: 'allow' })).status).toBe(302);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['another port', { origin: 'http://localhost:1' }],
  ])('refuses forms sent from %s', async (_, headers) => {
    const browser = new PlainBrowser(app);
    const login = hiddenFields(await (await browser.get(request())).text());
    const answer = await browser.post('/authorize', { ...login, ...ada }, headers);
    expect(answer.status).toBe(403);
    expect(browser.cookies.has('user')).toBe(false);
  });

  it('refuses a login form without its token or in another browser (AUTH-016)', async () => {
    const browser = new PlainBrowser(app);
    const { csrf_token, ...login } = hiddenFields(await (await browser.get(request())).text());
    expect(csrf_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await browser.post('/authorize', { ...login, ...ada })).status).toBe(403);
    const elsewhere = await new PlainBrowser(app).post('/authorize', { ...login, ...ada, csrf_token: `${csrf_token}` });
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.headers.getSetCookie().some((line) => line.startsWith('user='))).toBe(false);
  });
});

describe('POST /token', () => {
  it('answers 200 with an access token that opens protected routes (TOKEN-001, TOKEN-002)', async () => {
    const code = await codeFor(app, client);
    const answer = await exchange(app, { code, client_id: client.client_id });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = await answer.json();
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 2592000 });
    const { access_token } = z.object({ access_token: z.string() }).parse(body);
    const message = await fetch(`${app.origin}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await message.json()).toEqual({ userId: 1, got: { a: 1 } });
  });

  it('requires the verifier of a challenge, RFC 7636 appendix B (TOKEN-006, PKCE-002)', async () => {
    const pkce = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
    const code = await codeFor(app, client, pkce);
    const fields = { code, client_id: client.client_id };
    for (const wrong of [{}, { code_verifier: vector.challenge }, { code_verifier: `${vector.verifier}x` }]) {
      const answer = await exchange(app, { ...fields, ...wrong });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: 'invalid_grant', reason: 'invalid_code_verifier' });
    }
    expect((await exchange(app, { ...fields, code_verifier: vector.verifier })).status).toBe(200);
  });

  it('does not treat a challenge without a method as plain', async () => {
    const code = await codeFor(app, client, { code_challenge: vector.challenge });
    const fields = { code, client_id: client.client_id };
    expect((await exchange(app, { ...fields, code_verifier: vector.challenge })).status).toBe(400);
    expect((await exchange(app, { ...fields, code_verifier: vector.verifier })).status).toBe(200);
  });

  it('accepts a code once, also in two exchanges at the same time (CODE-003, CODE-004)', async () => {
    const code = await codeFor(app, client);
    const fields = { code, client_id: client.client_id };
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(app, fields)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    const again = await exchange(app, fields);
    expect(await again.json()).toEqual({
      error: 'invalid_grant',
      error_description: expect.any(String),
      reason: 'invalid_code',
    });
  });

  it('accepts a code of 600 seconds and refuses an older one (CODE-005, CODE-006)', async () => {
    const [young, old] = [await codeFor(app, client), await codeFor(app, client)];
    app.time.now += 600_000;
    expect((await exchange(app, { code: young, client_id: client.client_id })).status).toBe(200);
    app.time.now += 1;
    const answer = await exchange(app, { code: old, client_id: client.client_id });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant', reason: 'expired_code' });
    const again = await exchange(app, { code: old, client_id: client.client_id });
    expect(await again.json()).toMatchObject({ reason: 'invalid_code' });
  });

  it('keeps the code after a failed exchange, and reports each reason (CODE-007, TOKEN-003, TOKEN-004, TOKEN-005, TOKEN-008, TOKEN-010)', async () => {
    const code = await codeFor(app, client);
    const other = await registered(app);
    const fields = { code, client_id: client.client_id };
    const reasons: [Record<string, string>, number, string, string][] = [
      [{ client_id: other.client_id }, 401, 'invalid_client', 'invalid_client'],
      [{ client_id: 'client_unknown' }, 401, 'invalid_client', 'invalid_client'],
      [{ client_secret: 'wrong' }, 401, 'invalid_client', 'invalid_client'],
      [{ redirect_uri: `${callback}/` }, 400, 'invalid_grant', 'invalid_redirect_uri'],
      [{ redirect_uri: '' }, 400, 'invalid_grant', 'invalid_redirect_uri'],
      [{ code: 'code_unknown' }, 400, 'invalid_grant', 'invalid_code'],
    ];
    for (const [altered, status, error, reason] of reasons) {
      const answer = await exchange(app, { ...fields, ...altered });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error, reason });
    }
    expect((await exchange(app, { ...fields, client_secret: client.client_secret })).status).toBe(200);
    const [verified, old] = [
      await codeFor(app, client, { code_challenge: vector.challenge, code_challenge_method: 'S256' }),
      await codeFor(app, client),
    ];
    const wrong = await exchange(app, { ...fields, code: verified, code_verifier: 'x'.repeat(43) });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: expect.any(String), reason: 'invalid_code_verifier' },
    ]);
    app.time.now += 600_001;
    const late = await exchange(app, { ...fields, code: old });
    expect([late.status, await late.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: expect.any(String), reason: 'expired_code' },
    ]);
  });

  it('accepts the secret by Basic, too, and challenges a wrong one (TOKEN-010)', async () => {
    const code = await codeFor(app, client);
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${client.client_id}:${secret}`)}` });
    const wrong = await exchange(app, { code }, basic('wrong'));
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await exchange(app, { code }, basic(client.client_secret))).status).toBe(200);
  });

  it.each([
    [{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
    [{ grant_type: '' }, 'invalid_request'],
    [{ code: '' }, 'invalid_request'],
    [{ client_id: '' }, 'invalid_request'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
  ])('refuses %j with 400 %s (TOKEN-009)', async (altered, error) => {
    const answer = await exchange(app, { code: 'code_x', client_id: client.client_id, ...altered });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error, error_description: expect.any(String) });
  });

  it('refuses repeated parameters and JSON (TOKEN-009)', async () => {
    const form = 'grant_type=authorization_code&code=a&code=b&client_id=c';
    const type = 'application/x-www-form-urlencoded';
    const repeated = await fetch(`${app.origin}/token`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: form,
    });
    expect(repeated.status).toBe(400);
    expect(await repeated.json()).toMatchObject({ error: 'invalid_request' });
    const headers = { 'content-type': 'application/json' };
    const json = await fetch(`${app.origin}/token`, { method: 'POST', headers, body: '{}' });
    expect(json.status).toBe(400);
    expect(await json.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('asks a client that a restart forgot to register again (TOKEN-016)', async () => {
    const answer = await exchange(app, { code: 'code_of_before', client_id: 'client_of_before' });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: 'invalid_client', reason: 'invalid_client' });
  });

  it('issues no token for a user who signed out everywhere after the code was issued (CODE-009)', async () => {
    const code = await codeFor(app, client);
    app.time.now += 1_000;
    await app.ports.users.change(1, { signedOutBefore: app.time.now });
    const answer = await exchange(app, { code, client_id: client.client_id });
    expect(await answer.json()).toMatchObject({ reason: 'invalid_code' });
  });
});

describe('with OAUTH_STRICT', () => {
  it('requires PKCE, a response type and the client secret (TOKEN-012, AUTH-031)', async () => {
    await using strict = await openAuthApp({ oauthStrict: true });
    const known = await registered(strict);
    const challenged = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
    for (const lacking of [{ response_type: 'code' }, challenged]) {
      const path = authorizePath({ client_id: known.client_id, redirect_uri: callback, ...lacking });
      const refused = await new PlainBrowser(strict).get(path);
      expect(refused.headers.get('location')).toContain('error=invalid_request');
    }
    // The pages carry on what the request had, or the form would be refused.
    const code = await codeFor(strict, known, { response_type: 'code', ...challenged });
    const fields = { code, client_id: known.client_id, code_verifier: vector.verifier };
    expect((await exchange(strict, fields)).status).toBe(401);
    expect((await exchange(strict, { ...fields, client_secret: known.client_secret })).status).toBe(200);
  });
});

function bannerOf(html: string): string {
  return /role="alert"[^>]*>([^<]*)</.exec(html)?.[1] ?? 'no banner';
}
