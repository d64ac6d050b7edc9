import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

/** The library marks it as an experiment, so that nobody takes plain http to the internet. */
const plain = { [oauth.allowInsecureRequests]: true };

let on: WholeServer;
let off: WholeServer;

beforeAll(async () => {
  [on, off] = await Promise.all([openWholeServer({ OAUTH_METADATA: 'on' }), openWholeServer()]);
});
afterAll(async () => {
  await Promise.all([on[Symbol.asyncDispose](), off[Symbol.asyncDispose]()]);
});

async function discovered(server: WholeServer): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.baseUrl);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain });
  return oauth.processDiscoveryResponse(issuer, answer);
}

/** What a client that knows no metadata has in its configuration. */
function configured({ baseUrl }: WholeServer): oauth.AuthorizationServer {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/authorize`,
    token_endpoint: `${baseUrl}/token`,
    registration_endpoint: `${baseUrl}/register`,
  };
}

async function registeredAt(server: oauth.AuthorizationServer): Promise<oauth.Client & { client_secret: string }> {
  const metadata = { client_name: 'Strict', redirect_uris: [callback] };
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, plain);
  const { client_id, client_secret } = await oauth.processDynamicClientRegistrationResponse(answer);
  return { client_id, client_secret: typeof client_secret === 'string' ? client_secret : '' };
}

/** Authorization request, forms, and the answer at the redirect URI, checked with its state and issuer. */
async function authorized(whole: WholeServer, server: oauth.AuthorizationServer, client: oauth.Client) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    scope: 'whatever they like',
    resource: `${whole.baseUrl}/message`,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const answer = await allow(whole, `${url.pathname}${url.search}`);
  const back = new URL(answer.headers.get('location') ?? '');
  return { verifier, back, checked: oauth.validateAuthResponse(server, client, back, state) };
}

const methods: [string, (secret: string) => oauth.ClientAuth][] = [
  ['client_secret_post', (secret) => oauth.ClientSecretPost(secret)],
  ['client_secret_basic', (secret) => oauth.ClientSecretBasic(secret)],
  ['none', () => oauth.None()],
];

describe('oauth4webapi, a strict third-party client', () => {
  it('accepts the metadata (RFC 8414) and the 401 (RFC 6750, RFC 9728)', async () => {
    const server = await discovered(on);
    expect(server).toMatchObject({ issuer: on.baseUrl, code_challenge_methods_supported: ['S256'] });
    const resource = new URL(`${on.baseUrl}/message`);
    const answer = await oauth.resourceDiscoveryRequest(resource, plain);
    const described = await oauth.processResourceDiscoveryResponse(resource, answer);
    expect(described.authorization_servers).toEqual([on.baseUrl]);
    await expect(oauth.protectedResourceRequest('x', 'POST', resource, undefined, null, plain)).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it.each(methods)('gets a token with PKCE and %s, from metadata', async (_, authentication) => {
    const server = await discovered(on);
    const client = await registeredAt(server);
    const { verifier, checked } = await authorized(on, server, client);
    const by = authentication(client.client_secret);
    const answer = await oauth.authorizationCodeGrantRequest(server, client, by, checked, callback, verifier, plain);
    const { access_token, token_type, expires_in } = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      answer,
    );
    expect([token_type, expires_in]).toEqual(['bearer', 2592000]);
    const page = await oauth.protectedResourceRequest(
      access_token,
      'GET',
      new URL(`${on.baseUrl}/page`),
      undefined,
      null,
      plain,
    );
    expect(page.status).toBe(200);
  });

  it.each(methods)('gets a token with PKCE and %s, without metadata', async (_, authentication) => {
    const server = configured(off);
    const client = await registered(off);
    const { verifier, back, checked } = await authorized(off, server, client);
    expect(back.searchParams.has('iss')).toBe(false);
    const by = authentication(client.client_secret);
    const answer = await oauth.authorizationCodeGrantRequest(server, client, by, checked, callback, verifier, plain);
    expect(await oauth.processAuthorizationCodeResponse(server, client, answer)).toMatchObject({ expires_in: 2592000 });
  });

  it('reads the rejections: a wrong verifier, a wrong secret, a used code', async () => {
    const server = configured(off);
    const client = await registered(off);
    const { verifier, checked } = await authorized(off, server, client);
    const exchange = async (secret: string, with_: string) => {
      const by = oauth.ClientSecretPost(secret);
      const answer = await oauth.authorizationCodeGrantRequest(server, client, by, checked, callback, with_, plain);
      return oauth.processAuthorizationCodeResponse(server, client, answer);
    };
    const other = oauth.generateRandomCodeVerifier();
    await expect(exchange(client.client_secret, other)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    await expect(exchange('wrong', verifier)).rejects.toMatchObject({ status: 401 });
    expect(await exchange(client.client_secret, verifier)).toMatchObject({ token_type: 'bearer' });
    await expect(exchange(client.client_secret, verifier)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('learns from iss who answered, so that it cannot be mixed up with another server (RFC 9207)', async () => {
    const server = await discovered(on);
    const client = await registeredAt(server);
    const { back } = await authorized(on, server, client);
    const mixedUp = { ...server, issuer: 'https://other.example' };
    const state = back.searchParams.get('state') ?? '';
    expect(() => oauth.validateAuthResponse(mixedUp, client, back, state)).toThrow('iss');
  });
});
