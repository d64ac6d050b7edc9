import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#test/kit/free-port.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type Lies, type LyingProvider, startLyingProvider } from '#test/support/oidc/lying-provider.ts';
import { oidcEnv } from '#test/support/oidc/oidc-server.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

let provider: LyingProvider;
let server: WholeServer;
beforeAll(async () => {
  provider = await startLyingProvider();
  server = await openWholeServer({ ...oidcEnv(provider.issuer), OIDC_DOMAINS: 'example.com' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await provider?.close();
});
afterEach(() => provider.lies({}));

type Query = (honest: URLSearchParams) => URLSearchParams;

/** Signs in; the answer to the browser, and whether it is signed in then. */
async function signIn(change: Query = (honest) => honest, at: Pick<WholeServer, 'origin'> = server) {
  const browser = new PlainBrowser(at);
  const begun = await browser.get('/login/oidc');
  const location = begun.headers.get('location');
  if (location === null) return { status: begun.status, text: await begun.text(), isSignedIn: false };
  const answer = await browser.get(`/login/oidc/callback?${change(provider.answerTo(location)).toString()}`);
  const text = await answer.text();
  return { status: answer.status, text, isSignedIn: (await browser.get('/account')).status === 200 };
}

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const withParameter =
  (name: string, value: string): Query =>
  (honest) => {
    honest.set(name, value);
    return honest;
  };

/** How the provider lies, by what it is called. */
const lies: Readonly<Record<string, Lies>> = {
  'another nonce': { claims: (honest) => ({ ...honest, nonce: 'another' }) },
  'no nonce': { claims: (honest) => ({ ...honest, nonce: undefined }) },
  'another audience': { claims: (honest) => ({ ...honest, aud: 'another client' }) },
  'a second audience without this client as the authorized party': {
    claims: (honest) => ({ ...honest, aud: ['portolan', 'another'], azp: 'another' }),
  },
  'another issuer': { claims: (honest) => ({ ...honest, iss: 'https://elsewhere.example.com' }) },
  'an expired token': { claims: (honest) => ({ ...honest, exp: Math.floor(Date.now() / 1000) - 3600 }) },
  'a token without expiry': { claims: (honest) => ({ ...honest, exp: undefined }) },
  'a token from the future': { claims: (honest) => ({ ...honest, nbf: Math.floor(Date.now() / 1000) + 3600 }) },
  'no subject': { claims: (honest) => ({ ...honest, sub: undefined }) },
  'a key that it does not publish': { isForged: true },
  'no signature': { isUnsigned: true },
  'no ID token': { answers: { '/token': json({ access_token: 'a', token_type: 'Bearer' }) } },
  'a refusal of the code': { answers: { '/token': json({ error: 'invalid_client' }, 401) } },
  'a redirect of the token request': {
    answers: { '/token': (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  },
  'text in place of JSON': { answers: { '/token': (_, response) => void response.end('yes') } },
  'a page in place of its keys': { answers: { '/jwks': (_, response) => void response.end('<html>') } },
  'a user-info answer of somebody else': {
    claims: (honest) => ({ ...honest, email: undefined }),
    answers: { '/userinfo': json({ sub: 'ada', email: 'ada@example.com', email_verified: true }) },
  },
  'a huge answer': { answers: { '/token': json({ access_token: 'a'.repeat(2_000_000) }) } },
  'a cut-off answer': {
    answers: {
      '/token': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
        response.socket?.destroy();
      },
    },
  },
  'an error of its own': { answers: { '/token': json({}, 500) } },
};

describe('a provider that lies', () => {
  it('signs in while it is honest', async () => {
    expect(await signIn()).toMatchObject({ status: 303, isSignedIn: true });
  });

  it.each(Object.entries(lies))('signs nobody in with %s (OIDC-011)', async (_, lie) => {
    provider.lies(lie);
    const { status, text, isSignedIn } = await signIn();
    expect([502, 403]).toContain(status);
    expect(text).toContain('Try again');
    expect(isSignedIn).toBe(false);
  });

  it('signs nobody in by an answer of another issuer (RFC 9207, OIDC-011)', async () => {
    expect(await signIn(withParameter('iss', 'https://elsewhere.example.com'))).toMatchObject({ isSignedIn: false });
    expect(await signIn(withParameter('iss', provider.issuer))).toMatchObject({ status: 303, isSignedIn: true });
  });

  it('signs nobody in without the issuer in its answer, once it says that it sends it (OIDC-011)', async () => {
    provider.lies({ metadata: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }) });
    await using other = await openWholeServer({ ...oidcEnv(provider.issuer), OIDC_DOMAINS: 'example.com' });
    expect(await signIn(undefined, other)).toMatchObject({ isSignedIn: false });
    expect(await signIn(withParameter('iss', provider.issuer), other)).toMatchObject({ isSignedIn: true });
  });

  it('signs nobody in with a state that is not this browser’s, or that is repeated (OIDC-004)', async () => {
    const changes: readonly Query[] = [
      withParameter('state', 'x'.repeat(43)),
      withParameter('state', ''),
      (honest) => new URLSearchParams([...honest, ['state', honest.get('state') ?? '']]),
      (honest) => new URLSearchParams({ code: honest.get('code') ?? '' }),
    ];
    for (const change of changes) expect(await signIn(change)).toMatchObject({ status: 400, isSignedIn: false });
  });

  it('shows that somebody stopped the sign-in there, and none of what its answer says (OIDC-015)', async () => {
    const answered = await signIn((honest) => {
      const state = honest.get('state') ?? '';
      return new URLSearchParams({ state, error: 'access_denied', error_description: '<b>Call 555-0100</b>' });
    });
    expect(answered).toMatchObject({ status: 403, isSignedIn: false });
    expect(answered.text).not.toContain('555-0100');
  });

  it('leads nowhere but to its own pages, whatever the query asks for (OIDC-005)', async () => {
    const asked = ['next=https://evil.com', 'redirect_uri=https://evil.com', '//evil.com', 'returnTo=%2F%2Fevil.com'];
    for (const query of asked) {
      const browser = new PlainBrowser(server);
      const begun = await browser.get(`/login/oidc?${query}`);
      const sent = new URL(begun.headers.get('location') ?? '');
      expect(sent.origin).toBe(provider.issuer);
      expect(sent.searchParams.get('redirect_uri')).toBe(`${server.baseUrl}/login/oidc/callback`);
      const answer = await browser.get(`/login/oidc/callback?${provider.answerTo(sent.href).toString()}`);
      expect(answer.headers.get('location')).toMatch(/^\/authorize\?/);
      const page = await browser.get(answer.headers.get('location') ?? '');
      expect(page.status).toBe(400);
      expect(page.headers.get('location')).toBeNull();
    }
  });

  it('refuses an authorization request that is too long to be kept (OIDC-005)', async () => {
    const answer = await new PlainBrowser(server).get(`/login/oidc?state=${'x'.repeat(6_001)}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('This request is too long');
  });

  it('keeps what it says out of the log, but why nobody was signed in (OIDC-011)', async () => {
    provider.lies({ claims: (honest) => ({ ...honest, aud: 'another client', secret_claim: 'do not log' }) });
    await signIn();
    const lines = JSON.stringify(server.lines);
    expect(lines).toContain('Nobody was signed in by the identity provider');
    for (const secret of ['do not log', 'the-code', 'eyJ']) expect(lines).not.toContain(secret);
  });
});

describe('a provider that cannot be reached', () => {
  it('does not keep the server from starting; sign-ins go on as soon as it is there (OIDC-014)', async () => {
    const port = await freePort();
    const gone = `http://127.0.0.1:${port}`;
    await using started = await openWholeServer({ ...oidcEnv(gone), OIDC_DOMAINS: 'example.com' });
    const page = await signIn(undefined, started);
    expect(page.status).toBe(502);
    expect(page.text).toContain('Single sign-on does not answer');
    expect((await new PlainBrowser(started).get('/login')).status).toBe(200);
  });

  it('is asked again after a failure, and its metadata is used as long as it lasts (OIDC-012, OIDC-014)', async () => {
    provider.lies({ answers: { '/.well-known/openid-configuration': json({}, 503) } });
    await using started = await openWholeServer({ ...oidcEnv(provider.issuer), OIDC_DOMAINS: 'example.com' });
    expect(await signIn(undefined, started)).toMatchObject({ status: 502, isSignedIn: false });
    provider.lies({});
    expect(await signIn(undefined, started)).toMatchObject({ status: 303, isSignedIn: true });
    provider.lies({ answers: { '/.well-known/openid-configuration': json({}, 503) } });
    expect(await signIn(undefined, started)).toMatchObject({ status: 303, isSignedIn: true });
  });

  const wrong: Readonly<Record<string, Lies>> = {
    'is of another issuer': { metadata: (honest) => ({ ...honest, issuer: 'https://elsewhere.example.com' }) },
    'is of many tenants': {
      metadata: (honest) => ({ ...honest, issuer: 'https://login.example.com/{tenantid}/v2.0' }),
    },
    'leads browsers to a script': {
      metadata: (honest) => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }),
    },
    'is no JSON': { answers: { '/.well-known/openid-configuration': (_, response) => void response.end('<html>') } },
    'is a redirect': {
      answers: {
        '/.well-known/openid-configuration': (_, response) =>
          void response.writeHead(302, { location: '/elsewhere' }).end(),
      },
    },
  };
  it.each(Object.entries(wrong))('signs nobody in when its metadata %s (OIDC-011)', async (_, lie) => {
    provider.lies(lie);
    await using started = await openWholeServer({ ...oidcEnv(provider.issuer), OIDC_DOMAINS: 'example.com' });
    expect(await signIn(undefined, started)).toMatchObject({ status: 502, isSignedIn: false });
  });
});
