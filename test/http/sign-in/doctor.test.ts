import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSingleSignOn } from '#bootstrap/checks/single-sign-on.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type LyingProvider, startLyingProvider } from '#test/support/oidc/lying-provider.ts';
import { oidcEnv } from '#test/support/oidc/oidc-server.ts';

let provider: LyingProvider;
beforeAll(async () => {
  provider = await startLyingProvider();
});
afterAll(() => provider.close());

const found = (env: Readonly<Record<string, string>>) => checkSingleSignOn(readSettings(env));

describe('what doctor says of signing in (CLI-004)', () => {
  it('is that people use passwords, without an identity provider', async () => {
    expect(await found({})).toMatchObject({ mark: '✓', what: expect.stringContaining('by password') });
  });

  it('is the callback to register, when the provider answers', async () => {
    const env = { ...oidcEnv(provider.issuer), BASE_URL: 'https://portolan.example.com', PASSWORDS: 'off' };
    const { mark, what } = await found(env);
    expect(mark).toBe('✓');
    expect(what).toContain('https://portolan.example.com/login/oidc/callback');
    expect(what).toContain('only');
  });

  it('is why the provider cannot be used, which is no reason not to start', async () => {
    provider.lies({ metadata: (honest) => ({ ...honest, issuer: 'https://elsewhere.example.com' }) });
    const { mark, what, next } = await found(oidcEnv(provider.issuer));
    expect(mark).toBe('!');
    expect(what).toContain('metadata could not be read');
    expect(next).toContain('check OIDC_ISSUER');
    expect(JSON.stringify([what, next])).not.toContain('the secret of the client');
  });
});
