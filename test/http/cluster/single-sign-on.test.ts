import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { oidcEnv, signInBy, throughProvider } from '#test/support/oidc/oidc-server.ts';
import { type OpenIdTestProvider, startOpenIdProvider } from '#test/support/oidc/openid-provider.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let provider: OpenIdTestProvider;
let cluster: Cluster;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  cluster = await openCluster({ env: { ...oidcEnv(provider.issuer), OIDC_DOMAINS: 'example.com' } });
  await provider.registers(`${cluster.baseUrl}/login/oidc/callback`);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await provider?.close();
});

it('three servers of one database sign people in, each request at another one, and keep no request (OIDC-016)', async () => {
  const client = await registered(cluster);
  const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 'of the app' });
  for (const name of ['grace', 'hedy', 'lise']) {
    const browser = new PlainBrowser(cluster);
    provider.signsIn({ sub: name, email: `${name}@example.com`, email_verified: true });
    const back = await signInBy(provider, browser, path.replace('/authorize', '/login/oidc'));
    expect(back.headers.get('location')).toBe(path);
    expect(await (await browser.get(path)).text()).toContain(`${name}@example.com`);
  }
  expect(await cluster.query('select state from pending_sign_ins')).toEqual([]);
});

it('a state is taken by one of many requests, whichever servers they reach (OIDC-004)', async () => {
  const browser = new PlainBrowser(cluster);
  provider.signsIn({ sub: 'grace', email: 'grace@example.com', email_verified: true });
  const begun = await browser.get('/login/oidc');
  const answered = await throughProvider(begun.headers.get('location') ?? '', provider);
  const answers = await Promise.all(Array.from({ length: 9 }, () => browser.get(answered)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
});
