import { describe, expect, it } from 'vitest';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { BeginAuthorization } from '#application/oauth/begin-authorization.ts';
import { FindClient } from '#application/oauth/find-client.ts';
import type { RawAuthorization } from '#domain/oauth/authorization-request.ts';

const client = { id: 'client_1', secret: 's', name: 'Sextant', redirectUris: ['https://app.example/cb'], createdAt: 0 };
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const none: RawAuthorization = {
  client_id: [],
  redirect_uri: [],
  state: [],
  code_challenge: [],
  code_challenge_method: [],
  response_type: [],
  prompt: [],
  resource: [],
  scope: [],
};
const plain: RawAuthorization = { ...none, client_id: ['client_1'], redirect_uri: ['https://app.example/cb'] };

async function begin(altered: Partial<RawAuthorization>, isStrict = false) {
  const clients = new MemoryClients();
  await clients.keep(client);
  const isOwnResource = (resource: string) => resource.startsWith('https://mcp.example/');
  return new BeginAuthorization(new FindClient(clients, null), { isStrict, isOwnResource, readsScope: false }).run({
    ...plain,
    ...altered,
  });
}

describe('beginning an authorization', () => {
  it('requires a client and a redirect URI, and nothing else', async () => {
    expect(await begin({})).toEqual({
      ok: true,
      value: {
        client,
        redirectUri: 'https://app.example/cb',
        state: null,
        codeChallenge: null,
        wantsLogin: false,
        scope: null,
      },
    });
  });

  it('treats an empty parameter as not given', async () => {
    const empty = {
      state: [''],
      code_challenge: [''],
      code_challenge_method: [''],
      response_type: [''],
      client_id: ['', 'client_1'],
    };
    expect(await begin(empty)).toMatchObject({ ok: true, value: { state: null, codeChallenge: null } });
  });

  it('carries state, challenge and the request for a login', async () => {
    const more = { state: ['s'], code_challenge: [challenge], response_type: ['code'], prompt: ['login'] };
    expect(await begin(more)).toMatchObject({
      value: { state: 's', codeChallenge: challenge, wantsLogin: true },
    });
  });

  it.each([
    ['no client', { client_id: [] }, 'invalid_request'],
    ['two clients', { client_id: ['client_1', 'client_1'] }, 'invalid_request'],
    ['an unknown client', { client_id: ['client_2'] }, 'unknown_client'],
    ['an object method for a client', { client_id: ['__proto__'] }, 'unknown_client'],
    ['no redirect URI', { redirect_uri: [] }, 'invalid_redirect_uri'],
    [
      'two redirect URIs',
      { redirect_uri: ['https://app.example/cb', 'https://app.example/cb'] },
      'invalid_redirect_uri',
    ],
    ['another redirect URI', { redirect_uri: ['https://app.example/'] }, 'invalid_redirect_uri'],
  ])('shows a page for %s', async (_, altered, reason) => {
    expect(await begin(altered)).toEqual({ ok: false, failure: { show: 'page', reason } });
  });

  it.each([
    ['a response type', { response_type: ['token'] }, 'unsupported_response_type'],
    ['two response types', { response_type: ['code', 'token'] }, 'invalid_request'],
    ['plain PKCE', { code_challenge: [challenge], code_challenge_method: ['plain'] }, 'invalid_request'],
    ['a method alone', { code_challenge_method: ['S256'] }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: ['x'] }, 'invalid_request'],
    ['a resource of others', { resource: ['https://mcp.example/message', 'https://other.example'] }, 'invalid_target'],
  ])('sends %s back with the state', async (_, altered, error) => {
    expect(await begin({ state: ['s'], ...altered })).toMatchObject({
      failure: { show: 'redirect', redirectUri: 'https://app.example/cb', state: 's', error },
    });
  });

  it('sends back no state when two were sent, or one over 4,096 characters', async () => {
    for (const state of [['a', 'b'], ['x'.repeat(4_097)]]) {
      expect(await begin({ state })).toMatchObject({
        failure: { show: 'redirect', state: null, error: 'invalid_request' },
      });
    }
    expect(await begin({ state: ['x'.repeat(4_096)] })).toMatchObject({ ok: true });
  });

  it('requires a challenge and a response type in strict mode (TOKEN-012, AUTH-031)', async () => {
    const strict = { response_type: ['code'], code_challenge: [challenge] };
    expect(await begin(strict, true)).toMatchObject({ ok: true });
    for (const missing of [{ response_type: [] }, { response_type: [''] }, { code_challenge: [] }]) {
      expect(await begin({ ...strict, ...missing }, true)).toMatchObject({
        failure: { show: 'redirect', error: 'invalid_request' },
      });
    }
    expect(await begin({ code_challenge: [challenge] })).toMatchObject({ ok: true });
  });
});
