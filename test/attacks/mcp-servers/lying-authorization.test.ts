import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import {
  authorizationServer,
  type Lie,
  type LyingServer,
  startLyingServer,
} from '#test/support/remote-servers/lying-server.ts';
import { RemoteFlow } from '#test/support/remote-servers/remote-flow.ts';

let server: LyingServer;
let other: LyingServer;
let flow: RemoteFlow;

beforeEach(async () => {
  [server, other] = await Promise.all([startLyingServer(), startLyingServer()]);
  flow = new RemoteFlow(server.url);
});

afterEach(async () => {
  flow[Symbol.dispose]();
  await Promise.all([server[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
});

const prm = '/.well-known/oauth-protected-resource/mcp';
const as = '/.well-known/oauth-authorization-server';
const about = (more: object) => ({ body: { ...authorizationServer(server.origin), ...more } });
const challenge = (address: string): Lie => ({
  status: 401,
  headers: { 'www-authenticate': `Bearer resource_metadata="${address}"` },
});
const privateAddress = 'http://127.0.0.1:9/';

async function granted(): Promise<TokenRecord> {
  const record = await flow.grant({ code: 'the-code', state: 'the-state' });
  if (!record.ok) throw new Error(record.failure.message);
  return record.value;
}

describe('a remote MCP server that lies about its authorization', () => {
  it('is honest to begin with', async () => {
    expect(await granted()).toMatchObject({ accessToken: 'the-access', refreshToken: 'the-refresh' });
  });

  it.each<[string, () => readonly [string, Lie][], RegExp]>([
    [
      'another resource',
      () => [[prm, { body: { resource: 'https://bank.example/mcp', authorization_servers: [server.origin] } }]],
      /another resource/,
    ],
    [
      'a resource below its own path',
      () => [[prm, { body: { resource: `${server.origin}/mcp/admin`, authorization_servers: [server.origin] } }]],
      /another resource/,
    ],
    ['metadata of another issuer', () => [[as, about({ issuer: 'https://bank.example' })]], /another issuer/],
    [
      'an issuer with a trick in its spelling',
      () => [[as, about({ issuer: `${server.origin}@bank.example` })]],
      /another issuer/,
    ],
    ['no PKCE', () => [[as, about({ code_challenge_methods_supported: ['plain'] })]], /PKCE/],
    ['nothing of PKCE', () => [[as, about({ code_challenge_methods_supported: undefined })]], /PKCE/],
    [
      'a token endpoint at a private address',
      () => [[as, about({ token_endpoint: privateAddress })]],
      /token_endpoint/,
    ],
    [
      'one at the address of a cloud’s metadata',
      () => [[as, about({ token_endpoint: 'https://169.254.169.254/token' })]],
      /token_endpoint is refused/,
    ],
    [
      'one at a private address over TLS',
      () => [[as, about({ token_endpoint: 'https://10.0.0.1/token' })]],
      /token_endpoint is refused/,
    ],
    [
      'one by plain HTTP elsewhere',
      () => [[as, about({ token_endpoint: 'http://bank.example/token' })]],
      /token_endpoint does not begin with https/,
    ],
    ['one of another scheme', () => [[as, about({ token_endpoint: 'file:///etc/passwd' })]], /gave|token_endpoint/],
    [
      'one with user info',
      () => [[as, about({ token_endpoint: `${server.origin.replace('//', '//a:b@')}/token` })]],
      /user info/,
    ],
    [
      'an authorization endpoint that is a script',
      () => [[as, about({ authorization_endpoint: 'javascript:alert(1)' })]],
      /gave|authorization_endpoint/,
    ],
    [
      'an authorization endpoint on a private host',
      () => [[as, about({ authorization_endpoint: privateAddress })]],
      /authorization_endpoint/,
    ],
    [
      'a registration endpoint on a private host',
      () => [[as, about({ registration_endpoint: privateAddress })]],
      /registration_endpoint/,
    ],
    [
      'its metadata at a private address',
      () => [['/mcp', challenge(`${privateAddress}metadata`)]],
      /does not begin with https|private address/,
    ],
    [
      'an authorization server at a private address',
      () => [[prm, { body: { resource: server.url, authorization_servers: ['https://192.168.0.1'] } }]],
      /private address/,
    ],
    [
      'its metadata behind a redirect',
      () => [[as, { status: 302, headers: { location: `${other.origin}${as}` } }]],
      /redirects elsewhere/,
    ],
    ['metadata without end', () => [[as, { body: 'x'.repeat(400_000) }]], /too large|bytes/i],
    ['metadata that is no JSON', () => [[as, { body: '<html>' }]], /gave/],
    [
      'scopes that break out',
      () => [[prm, { body: { resource: server.url, authorization_servers: [server.origin], scopes_supported: 5 } }]],
      /gave/,
    ],
    [
      'a registration that fails',
      () => [['/register', { status: 400, body: { error: 'invalid_redirect_uri' } }]],
      /invalid_redirect_uri/,
    ],
    [
      'a registration behind a redirect',
      () => [['/register', { status: 307, headers: { location: `${other.origin}/register` } }]],
      /redirects elsewhere/,
    ],
  ])('by %s gives no access, and no other address is asked (REMOTE-034)', async (_, lies, sentence) => {
    for (const [path, lie] of lies()) server.answers.set(path, lie);
    const begun = await flow.begin();
    expect(begun.ok ? '' : begun.failure.message).toMatch(sentence);
    expect(other.arrived).toEqual([]);
  });

  it.each<[string, () => Lie, string]>([
    ['behind a redirect', () => ({ status: 307, headers: { location: `${other.origin}/token` } }), 'refused'],
    ['that are no bearer tokens', () => ({ body: { access_token: 'a', token_type: 'mac' } }), 'refused'],
    ['that break a header', () => ({ body: { access_token: 'a\r\nx: y', token_type: 'Bearer' } }), 'refused'],
    ['without end', () => ({ body: { access_token: 'a'.repeat(300_000), token_type: 'Bearer' } }), 'refused'],
    ['too long for a header', () => ({ body: { access_token: 'a'.repeat(20_000), token_type: 'Bearer' } }), 'refused'],
    ['that are none', () => ({ body: { ok: true } }), 'unavailable'],
    ['that are an error with 200', () => ({ body: { error: 'invalid_grant' } }), 'unavailable'],
    ['when it is down', () => ({ status: 503 }), 'unavailable'],
    ['when it refuses', () => ({ status: 400, body: { error: 'invalid_grant' } }), 'refused'],
  ])('by tokens %s gives none, and its code goes nowhere else (REMOTE-034)', async (_, lie, reason) => {
    server.answers.set('/token', lie());
    expect(await flow.grant({ code: 'the-code' })).toMatchObject({ ok: false, failure: { reason } });
    expect(other.arrived).toEqual([]);
  });

  it.each(['https://bank.example', 'http://localhost:1'])(
    'is not believed by an answer of %s (REMOTE-035)',
    async (iss) => {
      expect(await flow.grant({ code: 'the-code', iss })).toMatchObject({ ok: false, failure: { reason: 'refused' } });
      expect(server.arrived.filter(({ what }) => what === 'POST /token')).toEqual([]);
    },
  );

  it('has to name itself in the answer where it said so (REMOTE-035)', async () => {
    server.answers.set(as, about({ authorization_response_iss_parameter_supported: true }));
    expect(await flow.grant({ code: 'the-code' })).toMatchObject({ failure: { reason: 'refused' } });
    expect(await flow.grant({ code: 'the-code', iss: server.origin })).toMatchObject({ ok: true });
  });

  it('quotes no secret back to a page (REMOTE-034)', async () => {
    const said = { error: 'invalid_grant', error_description: 'code the-code-of-somebody is used' };
    server.answers.set('/token', { status: 400, body: said });
    const refused = await flow.grant({ code: 'the-code-of-somebody' });
    expect(refused.ok ? '' : refused.failure.message).not.toContain('the-code-of-somebody');
  });

  it('gets no token of another server: after its address changed, nothing is sent (REMOTE-036)', async () => {
    const record = await granted();
    flow.url = other.url;
    expect(await flow.grants.renew(record)).toMatchObject({ failure: { reason: 'refused' } });
    expect(await flow.grants.revoke(record)).toBe(false);
    expect(other.arrived).toEqual([]);
  });

  it('gets the secret of a client only if it is the authorization server of that client (REMOTE-036)', async () => {
    server.answers.set(as, about({ token_endpoint_auth_methods_supported: ['client_secret_post'] }));
    server.answers.set('/register', {
      status: 201,
      body: { client_id: 'c', client_secret: 'the-secret', redirect_uris: [] },
    });
    await granted();
    expect(server.arrived.at(-1)?.body).toContain('the-secret');
    // The same server names another authorization server, which asks for a secret too.
    server.answers.set(prm, { body: { resource: server.url, authorization_servers: [other.origin] } });
    other.answers.set(as, {
      body: { ...authorizationServer(other.origin), token_endpoint_auth_methods_supported: ['client_secret_post'] },
    });
    await granted();
    expect(JSON.stringify(other.arrived)).not.toContain('the-secret');
  });

  it('is shown the metadata document of this server where it registers nobody (REMOTE-031)', async () => {
    const documentUrl = 'https://portolan.example/connect/wiki/client';
    const more = { registration_endpoint: undefined, client_id_metadata_document_supported: true };
    server.answers.set(as, about(more));
    expect(await flow.begin()).toMatchObject({ ok: false, failure: { reason: 'not_configured' } });
    flow.documentUrl = documentUrl;
    expect(await granted()).toMatchObject({ extra: { remote: { client_id: documentUrl } } });
    server.answers.set(as, about({ ...more, client_id_metadata_document_supported: false }));
    expect(await flow.begin()).toMatchObject({ ok: false, failure: { reason: 'not_configured' } });
  });

  it.each([
    ['its metadata document, where it is public', 'https://portolan.example/connect/wiki/client', 'document'],
    ['a registration, where it is in a private network', 'https://127.0.0.1/connect/wiki/client', 'registration'],
  ])('knows this server by %s (REMOTE-031)', async (_, documentUrl, by) => {
    server.answers.set(as, about({ client_id_metadata_document_supported: true }));
    flow.documentUrl = documentUrl;
    const remote = (await granted()).extra['remote'];
    const registrations = server.arrived.filter(({ what }) => what === 'POST /register');
    expect(remote).toMatchObject({ client_id: by === 'document' ? documentUrl : expect.not.stringContaining('https') });
    expect(registrations).toHaveLength(by === 'document' ? 0 : 1);
  });

  it('knows this server by what an administrator entered, before anything else (REMOTE-031)', async () => {
    server.answers.set(as, about({ client_id_metadata_document_supported: true }));
    flow.documentUrl = 'https://portolan.example/connect/wiki/client';
    const entered = { issuer: null, clientId: 'entered', clientSecret: null, redirectUri: null, expiresAt: null };
    await flow.clients.keep({ service: 'wiki', ...entered });
    expect(await granted()).toMatchObject({ extra: { remote: { client_id: 'entered' } } });
  });

  it('is sent no credentials of ours in any request of the flow (REMOTE-036)', async () => {
    await granted();
    expect(server.arrived.map(({ authorization }) => authorization).filter((one) => one !== null)).toEqual([]);
    const [probe] = server.arrived;
    expect(probe?.what).toBe('POST /mcp');
  });
});
