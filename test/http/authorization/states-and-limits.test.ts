import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import {
  allow,
  authorizePath,
  callback,
  codeFor,
  exchange,
  type Registered,
  registered,
  vector,
} from '#test/support/authorization/auth-flow.ts';

let app: AuthApp;
let client: Registered;

beforeAll(async () => {
  app = await openAuthApp();
});
beforeEach(async () => {
  client = await registered(app);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const answerSchema = z.object({ reason: z.string().optional(), access_token: z.string().default('') });

const tried = async (code: string, more: Record<string, string> = {}) => {
  const answer = await exchange(app, { code, client_id: client.client_id, ...more });
  const { reason, access_token: token } = answerSchema.parse(await answer.json());
  return { status: answer.status, reason, token };
};

describe('Authorization code', () => {
  it('(none) → valid: only when the user is authenticated and has consented (AUTH-006, AUTH-007)', async () => {
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
    const denied = new URL((await allow(app, path, 'deny')).headers.get('location') ?? '').searchParams;
    expect([denied.has('code'), denied.get('error')]).toEqual([false, 'access_denied']);
    const allowed = new URL((await allow(app, path)).headers.get('location') ?? '').searchParams;
    expect(await app.ports.codes.find(allowed.get('code') ?? '')).not.toBeNull();
  });

  it('valid → consumed (deleted): user id returned; access token issued', async () => {
    const code = await codeFor(app, client);
    const { status, token } = await tried(code);
    expect(status).toBe(200);
    expect(await app.ports.tokens.open(token)).toEqual({
      userId: 1,
      issuedAt: app.time.now,
      grantId: expect.any(String),
    });
    expect(await app.ports.codes.find(code)).toBeNull();
  });

  it.each([
    ['client_id equal', () => ({ client_id: 'client_other' }), 401, 'invalid_client'],
    ['redirect_uri equal', () => ({ redirect_uri: `${callback}?` }), 400, 'invalid_redirect_uri'],
    ['verifier valid', () => ({ code_verifier: 'x'.repeat(43) }), 400, 'invalid_code_verifier'],
  ])(
    'valid stays valid: %s is a condition, and a failed exchange keeps the code (CODE-007)',
    async (_, wrong, status, reason) => {
      const code = await codeFor(app, client, { code_challenge: vector.challenge, code_challenge_method: 'S256' });
      expect(await tried(code, { code_verifier: vector.verifier, ...wrong() })).toMatchObject({ status, reason });
      expect(await tried(code, { code_verifier: vector.verifier })).toMatchObject({ status: 200 });
    },
  );

  it('valid → expired: age over 600 s; reason expired_code (CODE-006)', async () => {
    const code = await codeFor(app, client);
    app.time.now += 600_001;
    expect(await tried(code)).toMatchObject({ status: 400, reason: 'expired_code' });
    expect(await app.ports.codes.find(code)).toBeNull();
  });

  it('consumed → (none): any exchange; reason invalid_code (CODE-003)', async () => {
    const code = await codeFor(app, client);
    await tried(code);
    expect(await tried(code)).toMatchObject({ status: 400, reason: 'invalid_code' });
    expect(await tried(code, { redirect_uri: 'https://x.example' })).toMatchObject({ reason: 'invalid_code' });
  });

  it('checks in the order: code exists, age, client, redirect URI, verifier (TOKEN-007)', async () => {
    const pkce = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
    const wrong = { client_id: 'client_other', redirect_uri: 'https://x.example', code_verifier: 'x'.repeat(43) };
    const code = await codeFor(app, client, pkce);
    const { client_id, redirect_uri, code_verifier } = wrong;
    expect(await tried(code, { redirect_uri, code_verifier })).toMatchObject({ reason: 'invalid_redirect_uri' });
    expect(await tried(code, { client_id, redirect_uri, code_verifier })).toMatchObject({ reason: 'invalid_client' });
    app.time.now += 600_001;
    expect(await tried(code, wrong)).toMatchObject({ reason: 'expired_code' });
    expect(await tried(code, { redirect_uri, code_verifier })).toMatchObject({ reason: 'invalid_code' });
  });
});

describe('Limits', () => {
  it('Authorization code lifetime: 600 seconds, to the millisecond (CODE-005, CODE-006)', async () => {
    const [first, second] = [await codeFor(app, client), await codeFor(app, client)];
    app.time.now += 600_000;
    expect(await tried(first)).toMatchObject({ status: 200 });
    app.time.now += 1;
    expect(await tried(second)).toMatchObject({ reason: 'expired_code' });
  });

  it('Access token lifetime (expires_in): 2592000 seconds (30 days), and then 401 (SESS-004)', async () => {
    const { token } = await tried(await codeFor(app, client));
    const page = async () =>
      (await fetch(`${app.origin}/page`, { headers: { authorization: `Bearer ${token}` } })).status;
    app.time.now += 2_592_000_000 - 1;
    expect(await page()).toBe(200);
    app.time.now += 1;
    expect(await page()).toBe(401);
  });

  it('Session cookie max age: 30 days, also for a cookie that the browser kept longer (SESS-004)', async () => {
    const issued = app.time.now;
    const cookie = `user=${await app.ports.tokens.seal({ userId: 1, issuedAt: issued })}`;
    const page = async () => (await fetch(`${app.origin}/page`, { headers: { cookie } })).status;
    app.time.now = issued + 2_592_000_000 - 1;
    expect(await page()).toBe(200);
    app.time.now = issued + 2_592_000_000;
    expect(await page()).toBe(401);
  });
});
