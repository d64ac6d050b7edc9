import { describe, expect, it } from 'vitest';
import { OpenIdProvider } from '#adapters/oidc/openid-provider.ts';
import type { HttpAnswer, HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';

const issuer = 'https://sso.example.com/realms/team';
const secrets = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
};

function providerOver(answer: (request: HttpRequest) => HttpAnswer | HttpError) {
  const requests: HttpRequest[] = [];
  const clock = new SettableClock(1_800_000_000_000);
  const http = {
    send: async (request: HttpRequest) => {
      requests.push(request);
      return answer(request);
    },
  };
  const settings = {
    issuer,
    clientId: 'c',
    clientSecret: 's',
    readsGroups: false,
    redirectUri: 'https://p.example/cb',
  };
  return { provider: new OpenIdProvider({ settings, http, clock }), requests, clock };
}

const json = (value: unknown, status = 200): HttpAnswer => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const failing = (reason: HttpError['reason']): HttpError => ({
  kind: 'error',
  reason,
  message: 'it failed',
  sent: 'no',
});

describe('requests to the identity provider', () => {
  it.each(['timeout', 'network', 'too_large', 'aborted'] as const)(
    'are limited in time and size, and a failure of them (%s) is said (OIDC-011, OIDC-014)',
    async (reason) => {
      const { provider, requests } = providerOver(() => failing(reason));
      expect(await provider.begin(secrets, { asksWho: false })).toMatchObject({
        ok: false,
        failure: { reason: 'provider_unavailable' },
      });
      expect(requests).toMatchObject([{ timeoutMs: 10_000, maxBytes: 524_288 }]);
    },
  );

  it('read the metadata once for concurrent sign-ins, and again after an hour (OIDC-012)', async () => {
    const { provider, requests, clock } = providerOver(() => json(metadata));
    const begun = await Promise.all([1, 2, 3].map(() => provider.begin(secrets, { asksWho: false })));
    expect(begun.every(({ ok }) => ok)).toBe(true);
    expect(requests).toHaveLength(1);
    clock.advance(3_599_999);
    await provider.begin(secrets, { asksWho: false });
    expect(requests).toHaveLength(1);
    clock.advance(1);
    await provider.begin(secrets, { asksWho: false });
    expect(requests).toHaveLength(2);
  });

  it('keep using the metadata that was read while it cannot be read again (OIDC-012)', async () => {
    let isDown = false;
    const { provider, requests, clock } = providerOver(() => (isDown ? json({}, 503) : json(metadata)));
    await provider.begin(secrets, { asksWho: false });
    isDown = true;
    clock.advance(3_600_000);
    expect((await provider.begin(secrets, { asksWho: false })).ok).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('send the client’s secret as the provider takes it, and no other secret (OIDC-002)', async () => {
    const sentTo = async (methods: readonly string[] | undefined) => {
      const { provider, requests } = providerOver(({ url }) =>
        url.endsWith('/token')
          ? json({ error: 'invalid_grant' }, 400)
          : json({ ...metadata, token_endpoint_auth_methods_supported: methods }),
      );
      await provider.finish(secrets, new URLSearchParams({ code: 'the code', state: 's' }));
      return requests.find(({ url }) => url.endsWith('/token'));
    };
    for (const methods of [undefined, ['client_secret_post', 'client_secret_basic']]) {
      const basic = await sentTo(methods);
      expect(basic?.headers['authorization']).toBe(`Basic ${btoa('c:s')}`);
      expect(basic?.body).not.toContain('client_secret');
    }
    const posted = await sentTo(['client_secret_post', 'private_key_jwt']);
    expect(posted?.headers['authorization']).toBeUndefined();
    expect(posted?.body).toContain('client_secret=s');
    expect(posted?.body).toContain(`code_verifier=${secrets.codeVerifier}`);
  });

  it('ask for an account by the prompt that the provider takes', async () => {
    const promptOf = async (more: object) => {
      const { provider } = providerOver(() => json({ ...metadata, ...more }));
      const begun = await provider.begin(secrets, { asksWho: true });
      return begun.ok ? new URL(begun.value).searchParams.get('prompt') : null;
    };
    expect(await promptOf({})).toBe('login');
    expect(await promptOf({ prompt_values_supported: ['none', 'select_account'] })).toBe('select_account');
  });
});
