import type { Stores } from '#adapters/contracts/stores.ts';
import { freePort } from '#test/kit/free-port.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import {
  clientId,
  clientSecret,
  type OpenIdTestProvider,
  startOpenIdProvider,
} from '#test/support/oidc/openid-provider.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';

type Env = Readonly<Record<string, string>>;

/** The whole server with a real OpenID provider next to it. `stores` replace its stores. */
export async function openOidcServer(env: Env = {}, stores: Partial<Stores> = {}) {
  const port = await freePort();
  const provider = await startOpenIdProvider();
  await provider.registers(`http://localhost:${port}/login/oidc/callback`);
  const server = await openWholeServer({ PORT: String(port), ...oidcEnv(provider.issuer), ...env }, stores);
  return {
    ...server,
    provider,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await provider.close();
    },
  };
}

/** The settings for a provider at this issuer. */
export function oidcEnv(issuer: string): Env {
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
}

/** Goes through the provider in a browser of its own; returns the path at which this server gets the answer. */
export async function throughProvider(
  location: string,
  { issuer }: Pick<OpenIdTestProvider, 'issuer'>,
): Promise<string> {
  const browser = new PlainBrowser({ origin: issuer });
  let next = new URL(location);
  for (let hops = 0; next.origin === issuer; hops += 1) {
    if (hops > 10) throw new Error('The provider redirects on and on.');
    const answer = await browser.get(`${next.pathname}${next.search}`);
    const target = answer.headers.get('location');
    if (target === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    next = new URL(target, issuer);
  }
  return `${next.pathname}${next.search}`;
}

/** Signs in by the provider from a path of this server; the answer to the browser that comes back. */
export async function signInBy(
  provider: OpenIdTestProvider,
  browser: PlainBrowser,
  path = '/login/oidc',
): Promise<Response> {
  const begun = await browser.get(path);
  return browser.get(await throughProvider(begun.headers.get('location') ?? '', provider));
}
