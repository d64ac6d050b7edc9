import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import {
  authorizePath,
  callback,
  codeFor,
  exchange,
  register,
  registered,
  signIn,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';

let app: AuthApp;

beforeAll(async () => {
  app = await openAuthApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const tokenSchema = z.object({ access_token: z.string() });
const bytesOf = (text: string) => Buffer.from(text, 'base64url').length;

describe('OAuth client (in memory)', () => {
  it('client_id: prefix client_ followed by base64url (no padding) of 24 random bytes (REG-002)', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await registered(app)).client_id));
    for (const id of ids) {
      expect(id).toMatch(/^client_[A-Za-z0-9_-]+$/);
      expect(bytesOf(id.slice('client_'.length))).toBe(24);
    }
    expect(new Set(ids).size).toBe(20);
  });

  it('client_secret: random, 256 bits of entropy (REG-003)', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await registered(app)).client_secret));
    for (const secret of secrets) expect(bytesOf(secret) * 8).toBe(256);
    expect(new Set(secrets).size).toBe(20);
  });

  it.each([
    ['absent', {}],
    ['null', { client_name: null }],
    ['empty', { client_name: '' }],
  ])('client_name: optional at registration; default MCP Client: %s (REG-004)', async (_, body) => {
    expect(await (await register(app, body)).json()).toMatchObject({ client_name: 'MCP Client' });
  });

  it('client_name is stored unchanged', async () => {
    expect(await (await register(app, { client_name: 'Ünïcode 🧭' })).json()).toMatchObject({
      client_name: 'Ünïcode 🧭',
    });
  });

  it.each([
    ['absent', {}],
    ['null', { redirect_uris: null }],
    ['empty', { redirect_uris: [] }],
  ])('redirect_uris: optional at registration; default empty list: %s (REG-005)', async (_, body) => {
    expect(await (await register(app, body)).json()).toMatchObject({ redirect_uris: [] });
  });

  it('token_endpoint_auth_method: always client_secret_post in the registration response (REG-006)', async () => {
    for (const asked of [undefined, 'none', 'client_secret_basic', 'private_key_jwt', 7]) {
      const answer = await register(app, { token_endpoint_auth_method: asked });
      expect(await answer.json()).toMatchObject({ token_endpoint_auth_method: 'client_secret_post' });
    }
  });

  it('created_at: Unix timestamp; held with the client and returned by lookup, absent from the registration response (REG-007)', async () => {
    const answer = await register(app);
    const body = await answer.json();
    expect(body).not.toHaveProperty('created_at');
    const { client_id } = await registered(app);
    expect(await app.ports.clients.find(client_id)).toMatchObject({
      ok: true,
      value: { createdAt: app.time.now / 1000 },
    });
  });
});

describe('Authorization code (in memory, single use)', () => {
  const pkce = { code_challenge: vector.challenge, code_challenge_method: 'S256' };

  it('code: prefix code_ followed by base64url (no padding) of 24 random bytes (CODE-001)', async () => {
    const code = await codeFor(app, await registered(app));
    expect(code).toMatch(/^code_[A-Za-z0-9_-]+$/);
    expect(bytesOf(code.slice('code_'.length))).toBe(24);
  });

  it('client_id, user_id, redirect_uri, code_challenge, expires_at: what the code was issued for, plus 600 seconds (CODE-002)', async () => {
    const client = await registered(app);
    const code = await codeFor(app, client, pkce);
    expect(await app.ports.codes.find(code)).toEqual({
      code,
      clientId: client.client_id,
      userId: 1,
      redirectUri: callback,
      codeChallenge: vector.challenge,
      expiresAt: app.time.now + 600_000,
    });
  });

  it('code_challenge is null when the client sent none', async () => {
    const code = await codeFor(app, await registered(app));
    expect(await app.ports.codes.find(code)).toMatchObject({ codeChallenge: null });
  });

  it('redirect_uri: must equal the value presented at exchange, the port of loopback too', async () => {
    const client = await registered(app);
    const code = await codeFor(app, client, { redirect_uri: 'http://127.0.0.1:1111/callback' });
    const fields = { code, client_id: client.client_id };
    for (const redirect_uri of [callback, 'http://127.0.0.1/callback', 'http://127.0.0.1:1112/callback']) {
      const answer = await exchange(app, { ...fields, redirect_uri });
      expect(await answer.json()).toMatchObject({ reason: 'invalid_redirect_uri' });
    }
    expect((await exchange(app, { ...fields, redirect_uri: 'http://127.0.0.1:1111/callback' })).status).toBe(200);
  });
});

describe('Access token', () => {
  it('is the user id encrypted with the same key and salt as the session cookie, so that either works in place of the other (SESS-002)', async () => {
    const client = await registered(app);
    const answer = await exchange(app, { code: await codeFor(app, client), client_id: client.client_id });
    const { access_token } = tokenSchema.parse(await answer.json());
    const browser = new PlainBrowser(app);
    await signIn(browser, authorizePath({ client_id: client.client_id, redirect_uri: callback }));
    const cookie = browser.cookies.get('user') ?? '';
    expect(await app.ports.tokens.open(access_token)).toMatchObject({ userId: 1 });
    expect(await app.ports.tokens.open(cookie)).toMatchObject({ userId: 1 });
    const page = async (headers: Record<string, string>) => (await fetch(`${app.origin}/page`, { headers })).status;
    expect(await page({ authorization: `Bearer ${cookie}` })).toBe(200);
    expect(await page({ cookie: `user=${access_token}` })).toBe(200);
    expect(cookie.split('.')[0]).toBe(access_token.split('.')[0]);
  });

  it('token response fields: access_token, token_type (constant bearer), expires_in (integer seconds, constant 2592000), and no other (TOKEN-002)', async () => {
    const client = await registered(app);
    const answer = await exchange(app, { code: await codeFor(app, client), client_id: client.client_id });
    expect(await answer.json()).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_.-]+$/),
      token_type: 'bearer',
      expires_in: 2592000,
    });
  });
});

describe('Session cookie', () => {
  it.each([
    ['/set', async () => new PlainBrowser(app).get('/set')],
    [
      'the login',
      async () => {
        const { client_id } = await registered(app);
        return signIn(new PlainBrowser(app), authorizePath({ client_id, redirect_uri: callback }));
      },
    ],
  ])('name user; Secure, HttpOnly, SameSite=Lax; max age 30 days, by %s (SESS-001)', async (_, answered) => {
    const [line = ''] = (await answered()).headers.getSetCookie().filter((one) => one.startsWith('user='));
    const [pair, ...flags] = line.split('; ');
    expect(pair).toMatch(/^user=[A-Za-z0-9_.-]+$/);
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
  });
});

describe('User', () => {
  it('has an integer id; users log in with e-mail and password on the login page (AUTH-004)', async () => {
    const { client_id } = await registered(app);
    const browser = new PlainBrowser(app);
    const path = authorizePath({ client_id, redirect_uri: callback });
    const page = await (await browser.get(path)).text();
    expect(page).toMatch(/<input id="email" name="email"/);
    expect(page).toMatch(/<input id="password" name="password" type="password"/);
    const consent = await signIn(browser, path, ada.password);
    expect(await consent.text()).toContain(ada.email);
    expect(await app.ports.tokens.open(browser.cookies.get('user') ?? '')).toMatchObject({ userId: 1 });
  });
});
