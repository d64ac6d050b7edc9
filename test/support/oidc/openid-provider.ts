import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** A person at the provider. */
export type ProviderAccount = Readonly<{
  sub: string;
  email?: string;
  email_verified?: boolean;
  groups?: readonly string[];
}>;

export const clientId = 'portolan';
export const clientSecret = 'the secret of the client at the provider';

/** A real OpenID provider in this process, at which whoever was named last signs in. */
export type OpenIdTestProvider = Readonly<{
  issuer: string;
  /** Names who signs in next. */
  signsIn(account: ProviderAccount): void;
  /** The parameters of the latest authorization request. */
  asked(): URLSearchParams;
  /** Registers a server as its client, whose callback is there. */
  registers(redirectUri: string): Promise<void>;
  /** Signs with new keys from now on, and publishes no others. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}>;

/** Starts it. */
export async function startOpenIdProvider(): Promise<OpenIdTestProvider> {
  let account: ProviderAccount = { sub: 'nobody' };
  let asked = new URLSearchParams();
  let callback = '';
  const known = new Map<string, ProviderAccount>();
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = await serveOnLoopback((request, response) => void handle(request, response));
  const open = async () => {
    const provider = new Provider(server.url, await configuration(callback, known));
    const served = provider.callback();
    handle = async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', server.url);
      if (pathname === '/auth') asked = searchParams;
      if (!pathname.startsWith('/interaction/')) return served(request, response);
      if (request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate') return askIn(response);
      known.set(account.sub, account);
      return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
    };
  };
  return {
    issuer: server.url,
    signsIn: (next) => {
      account = next;
    },
    asked: () => asked,
    registers: (redirectUri) => {
      callback = redirectUri;
      return open();
    },
    rotateKeys: open,
    close: () => server.close(),
  };
}

/** The page of the provider in a real browser. */
function askIn(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html');
  response.end(
    '<!doctype html><html lang="en"><title>SSO</title><form method="post"><button>Continue as me</button></form>',
  );
}

async function configuration(redirectUri: string, known: ReadonlyMap<string, ProviderAccount>): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const scope = 'openid email profile groups';
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['the key of the cookies'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    scopes: scope.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...known.get(sub), sub }) }),
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  };
}
