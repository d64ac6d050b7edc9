import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { clientId } from '#test/support/oidc/openid-provider.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What the provider does otherwise than it should; nothing by default. */
export type Lies = Readonly<{
  claims?: (honest: Claims) => Claims;
  /** Signs with a key that it does not publish. */
  isForged?: boolean;
  /** Does not sign at all. */
  isUnsigned?: boolean;
  metadata?: (honest: Claims) => Claims;
  /** Answers instead of these endpoints. */
  answers?: Readonly<Record<string, RequestListener>>;
}>;

const people = { sub: 'eve', email: 'eve@example.com', email_verified: true };

/** A provider that lies as it is asked to, to a server that is its client. */
export async function startLyingProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const forger = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
  let lies: Lies = {};
  let nonce = '';
  let requests = 0;
  const idToken = async (): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const honest = { ...people, iss: server.url, aud: clientId, iat: now, exp: now + 300, nonce };
    const claims = lies.claims?.(honest) ?? honest;
    if (lies.isUnsigned === true) return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
    const signed = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' });
    return signed.sign(lies.isForged === true ? forger.privateKey : privateKey);
  };
  const endpoints: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => {
      const honest = metadataOf(server.url);
      return lies.metadata?.(honest) ?? honest;
    },
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'a', token_type: 'Bearer', id_token: await idToken() }),
    '/userinfo': () => people,
  };
  const server = await serveOnLoopback((request, response) => {
    requests += 1;
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    const lie = lies.answers?.[pathname];
    if (lie !== undefined) return lie(request, response);
    void answer(endpoints[pathname], request, response);
  });
  return {
    issuer: server.url,
    lies: (next: Lies) => {
      lies = next;
    },
    requests: () => requests,
    /** Returns the honest answer to an authorization request, and remembers its nonce. */
    answerTo: (location: string): URLSearchParams => {
      const asked = new URL(location).searchParams;
      nonce = asked.get('nonce') ?? '';
      return new URLSearchParams({ code: 'the-code', state: asked.get('state') ?? '' });
    },
    close: () => server.close(),
  };
}

/** A lying provider that runs. */
export type LyingProvider = Awaited<ReturnType<typeof startLyingProvider>>;

async function answer(made: (() => unknown) | undefined, request: IncomingMessage, response: ServerResponse) {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.statusCode = made === undefined ? 404 : 200;
  response.end(JSON.stringify((await made?.()) ?? {}));
}

function metadataOf(issuer: string): Claims {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
  };
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
