import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { salesCrmOAuth } from '#test/support/services/vendors.ts';

type Reply = Readonly<{ status?: number; body: unknown; headers?: Readonly<Record<string, string>> }>;

describe('a token answer of a provider', () => {
  let server: LoopbackServer;
  let http: HttpClient;
  let reply: Reply;
  let forms: string[];
  let url: string;

  beforeEach(async () => {
    forms = [];
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      forms.push((await buffer(request)).toString());
      const { status = 200, body: answer, headers = {} } = reply;
      response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    };
    server = await serveOnLoopback((request, response) => void take(request, response));
    url = server.url;
    http = new HttpClient();
  });
  afterEach(async () => {
    http.close();
    await server.close();
  });

  const grants = (more: Partial<OAuthFacts> = {}) => {
    const facts = { ...salesCrmOAuth('neutral', { authorizeUrl: `${url}/a`, tokenUrl: `${url}/t` }), ...more };
    const app = { clientId: 'client', clientSecret: 'the-client-secret', scopes: null };
    return new HttpProviderGrants(new Map([['sales_crm', { name: neutralNames.of('sales_crm'), facts, app }]]), http, {
      now: () => 1_000,
    });
  };
  const record: TokenRecord = {
    userId: 1,
    service: 'sales_crm',
    authMethod: 'oauth',
    accessToken: 'old-access',
    refreshToken: 'old-refresh',
    scope: 'deals:full',
    expiresAt: 500,
    extra: { company_domain: 'acme', plan: 'growth' },
    updatedAt: 0,
  };
  const exchange = (more: Partial<OAuthFacts> = {}) =>
    grants(more).exchange({
      userId: 1,
      service: 'sales_crm',
      query: { code: 'the-code' },
      redirectUri: 'http://localhost/callback',
      codeVerifier: null,
      extra: {},
    });

  it('replaces both tokens, and keeps the old metadata', async () => {
    reply = { body: { access_token: 'a', refresh_token: 'r', expires_in: 3600, scope: 'deals:read admin' } };
    expect(await grants().renew(record)).toEqual({
      ok: true,
      value: {
        ...record,
        accessToken: 'a',
        refreshToken: 'r',
        scope: 'deals:read,admin',
        expiresAt: 3_601_000,
        updatedAt: 1_000,
      },
    });
  });

  it('without a refresh token keeps the old one, and without a scope the old scope (RENEW-006)', async () => {
    reply = { body: { access_token: 'a', expires_in: 3600 } };
    expect(await grants().renew(record)).toMatchObject({
      ok: true,
      value: { refreshToken: 'old-refresh', scope: 'deals:full' },
    });
  });

  it('stores its API address, which stays when the next answer has none', async () => {
    const readTokens: OAuthFacts['readTokens'] = (body) => {
      const read = salesCrmOAuth('neutral', { authorizeUrl: null, tokenUrl: null }).readTokens(body, null);
      const domain =
        typeof body === 'object' && body !== null && 'api_domain' in body ? { api_domain: body.api_domain } : {};
      return read === null ? null : { ...read, extra: domain };
    };
    reply = { body: { access_token: 'a', refresh_token: 'r', api_domain: 'https://api.eu.example' } };
    const first = await exchange({ readTokens });
    if (!first.ok) throw new Error(first.failure.message);
    expect(first.value.extra).toEqual({ api_domain: 'https://api.eu.example' });
    reply = { body: { access_token: 'b' } };
    expect(await grants({ readTokens }).renew(first.value)).toMatchObject({
      ok: true,
      value: { extra: { api_domain: 'https://api.eu.example' } },
    });
  });

  it('is refused without a refresh token if the provider sends it only in the first (CONN-012)', async () => {
    reply = { body: { access_token: 'a', expires_in: 3600 } };
    expect(await exchange({ needsRefreshToken: true })).toMatchObject({
      ok: false,
      failure: { reason: 'refused', message: expect.stringContaining('gave no refresh token. Remove this app') },
    });
  });

  it.each<[string, Reply, 'refused' | 'unavailable']>([
    ['invalid_grant', { status: 400, body: { error: 'invalid_grant' } }, 'refused'],
    [
      'a wrong client, which an administrator can mend',
      { status: 401, body: { error: 'invalid_client' } },
      'unavailable',
    ],
    ['429', { status: 429, body: { error: 'invalid_grant' } }, 'unavailable'],
    ['503', { status: 503, body: 'maintenance' }, 'unavailable'],
    ['HTML', { body: '<html>' }, 'unavailable'],
    ['half JSON', { body: '{"access_token":' }, 'unavailable'],
    ['no token', { body: { access_token: '' } }, 'unavailable'],
    ['a redirect', { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable'],
    ['more than anybody reads', { body: 'x'.repeat(300_000) }, 'unavailable'],
  ])('with %s ends as expected, without any secret in its message', async (_, answer, reason) => {
    reply = answer;
    const renewed = await grants().renew(record);
    expect(renewed).toMatchObject({ ok: false, failure: { reason } });
    for (const secret of ['the-client-secret', 'old-refresh', 'old-access']) {
      expect(JSON.stringify(renewed)).not.toContain(secret);
    }
    expect(forms).toHaveLength(1);
  });

  it.each<[string, Reply, string]>([
    [
      'the standard form',
      { status: 400, body: { error: 'invalid_scope', error_description: 'Not allowed' } },
      'invalid_scope: Not allowed',
    ],
    ['an error with status 200', { body: { error: 'invalid_code' } }, 'invalid_code'],
    [
      'a message',
      { status: 400, body: { success: false, error: 'Bad request', message: 'No code' } },
      'Bad request: No code',
    ],
    [
      'a detail',
      { status: 400, body: { type: 'request_error', detail: 'Unknown field' } },
      'request_error: Unknown field',
    ],
    ['one text twice', { status: 400, body: { error: 'denied', error_description: 'denied' } }, 'denied'],
    ['several lines', { status: 400, body: { error: 'denied\r\nSet-Cookie: a\u202e' } }, 'denied Set-Cookie: a'],
  ])('with an error is quoted: %s (CONN-023)', async (_, answer, said) => {
    reply = answer;
    for (const given of [await grants().renew(record), await exchange()]) {
      expect(given).toMatchObject({ ok: false, failure: { message: expect.stringContaining(` It said: "${said}".`) } });
    }
  });

  it.each([
    [200, { error: 'invalid_client' }],
    [401, { error: 'invalid_client', error_description: 'Client authentication failed' }],
    [400, { success: false, error: 'x', message: 'Invalid client: client is invalid' }],
    [400, { error: 'unauthorized_client' }],
  ])('about an unknown app names the two settings: %d %j (CONN-023)', async (status, body) => {
    reply = { status, body };
    const message: unknown = expect.stringContaining('SALES_CRM_CLIENT_ID and SALES_CRM_CLIENT_SECRET');
    expect(await exchange()).toMatchObject({ failure: { reason: 'unavailable', message } });
    expect(await grants().renew(record)).toMatchObject({ failure: { reason: 'unavailable', message } });
  });

  it('states how long the provider asks to wait (RENEW-010)', async () => {
    const waitAfter = async (answer: Reply, own: Partial<OAuthFacts> = {}) => {
      reply = answer;
      const renewed = await grants(own).renew(record);
      return renewed.ok || renewed.failure.retryAfterMs;
    };
    const busy = { error: 'too_many_requests' };
    const implied = {
      impliedWaitMs: (body: unknown) => (JSON.stringify(body) === JSON.stringify(busy) ? 600_000 : null),
    };
    expect(await waitAfter({ status: 429, body: busy, headers: { 'retry-after': '30' } })).toBe(30_000);
    expect(await waitAfter({ status: 503, body: '', headers: { 'retry-after': '7' } })).toBe(7_000);
    expect(await waitAfter({ body: busy, headers: { 'retry-after': '30' } }, implied)).toBe(30_000);
    expect(await waitAfter({ body: busy }, implied)).toBe(600_000);
    expect(await waitAfter({ status: 503, body: '' }, implied)).toBeUndefined();
  });

  it('about a wrong redirect address names it (CONN-023)', async () => {
    reply = { status: 400, body: { error: 'redirect_uri_mismatch' } };
    const message: unknown = expect.stringContaining('http://localhost/callback');
    expect(await exchange()).toMatchObject({ failure: { message } });
  });

  it('is quoted briefly and without secrets, however the provider repeats them (CONN-008)', async () => {
    const other = '3d2b8ab2b1fa4ee08a9d24c3d1ab0d4f';
    const given = {
      renewed: {
        ask: () => grants().renew(record),
        secrets: ['the-client-secret', 'old-refresh', 'old-access', other],
      },
      exchanged: { ask: () => exchange(), secrets: ['the-client-secret', 'the-code', other] },
    };
    for (const { ask, secrets } of Object.values(given)) {
      const repeated = [...secrets, `1000.${other}`, 'x'.repeat(5_000)].join(' ');
      reply = { status: 400, body: { error: repeated, error_description: repeated, access_token: '' } };
      const text = JSON.stringify(await ask());
      expect(text).toContain('[redacted]');
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text.length).toBeLessThan(800);
    }
  });
});
