import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type SigningEmulator, startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { signingOAuth } from '#test/support/services/vendors.ts';

describe('connecting to the signing service by OAuth', () => {
  let emulator: SigningEmulator;
  let http: HttpClient;

  beforeEach(async () => {
    emulator = await startSigningEmulator({ dialect: 'neutral', clients: { portolan: 'app-secret' } });
    http = new HttpClient();
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  const grants = () => {
    const facts = signingOAuth('neutral', {
      authorizeUrl: `${emulator.url}/oauth2/authorize`,
      tokenUrl: `${emulator.url}/oauth2/access_token`,
    });
    const app = { clientId: 'portolan', clientSecret: 'app-secret', scopes: null };
    return new HttpProviderGrants(new Map([['signing', { name: neutralNames.of('signing'), facts, app }]]), http, {
      now: () => 1_000,
    });
  };

  const redirectUri = 'http://localhost:3000/connect/signing/callback';

  const consent = async (): Promise<Record<string, string>> => {
    const begun = grants().begin('signing', { userId: 1, state: 'the-state', redirectUri, extra: {} });
    if (!begun.ok) throw new Error(begun.failure.message);
    const answer = await fetch(begun.value.url, { redirect: 'manual' });
    return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
  };

  const exchange = (query: Readonly<Record<string, string>>) =>
    grants().exchange({ userId: 1, service: 'signing', query, redirectUri, codeVerifier: null, extra: {} });

  it('returns tokens that are accepted by the service for about a year', async () => {
    const query = await consent();
    expect(query['state']).toBe('the-state');
    const connected = await exchange(query);
    if (!connected.ok) throw new Error(connected.failure.message);
    expect(connected.value).toMatchObject({ authMethod: 'oauth', scope: 'read,write', expiresAt: 31_536_000_000 });
    const headers = { authorization: `Bearer ${connected.value.accessToken}` };
    expect((await fetch(`${emulator.url}/public/v1/members`, { headers })).status).toBe(200);
  });

  it('accepts a code once', async () => {
    const query = await consent();
    expect((await exchange(query)).ok).toBe(true);
    expect((await exchange(query)).ok).toBe(false);
  });

  it('renews both tokens', async () => {
    const first = await exchange(await consent());
    if (!first.ok) throw new Error(first.failure.message);
    const second = await grants().renew(first.value);
    if (!second.ok) throw new Error(second.failure.message);
    expect(second.value.accessToken).not.toBe(first.value.accessToken);
    expect(second.value.refreshToken).not.toBe(first.value.refreshToken);
    expect(await grants().renew(first.value)).toMatchObject({ ok: false, failure: { reason: 'refused' } });
  });
});
