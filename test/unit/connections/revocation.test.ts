import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OAuthFacts } from '#adapters/services/credentials/oauth-facts.ts';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { salesCrmOAuth, suiteCrmOAuth, trackerOAuth } from '#test/support/services/vendors.ts';

let server: LoopbackServer;
let http: HttpClient;
let received: string[];
let status: number;

beforeAll(async () => {
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = (await buffer(request)).toString();
    const { authorization = 'none' } = request.headers;
    received.push(`${request.method} ${request.url} ${authorization.split(' ')[0]} ${sent}`);
    response.writeHead(status).end();
  };
  server = await serveOnLoopback((request, response) => void take(request, response));
  http = new HttpClient();
});
beforeEach(() => {
  [received, status] = [[], 200];
});
afterAll(async () => {
  http.close();
  await server.close();
});

const record: TokenRecord = {
  userId: 7,
  service: 'sales_crm',
  authMethod: 'oauth',
  accessToken: 'the-access',
  refreshToken: 'the/refresh',
  scope: null,
  expiresAt: 500,
  extra: {},
  updatedAt: 0,
};
const revoke = (facts: OAuthFacts, more: Partial<TokenRecord> = {}) => {
  const app = { clientId: 'client', clientSecret: 'secret', scopes: null };
  const source = { name: 'Service', facts, app };
  return new HttpProviderGrants(new Map([['sales_crm', source]]), http, { now: () => 1 }).revoke({
    ...record,
    ...more,
  });
};
const pipedrive = () => salesCrmOAuth('pipedrive', { tokenUrl: `${server.url}/oauth/token` });

describe('tokens of a connection that ends', () => {
  it('are revoked in each provider’s way', async () => {
    const at = (path: string) => ({ tokenUrl: `${server.url}${path}` });
    expect(await revoke(pipedrive())).toBe(true);
    expect(await revoke(trackerOAuth('linear', at('/oauth/token')))).toBe(true);
    expect(await revoke(suiteCrmOAuth('zoho', at('/oauth/v2/token')))).toBe(true);
    expect(await revoke(salesCrmOAuth('hubspot', at('/oauth/2026-03/token')))).toBe(true);
    const client = 'client_id=client&client_secret=secret';
    expect(received).toEqual([
      'POST /oauth/revoke Basic token=the%2Frefresh&token_type_hint=refresh_token',
      `POST /oauth/revoke none token=the%2Frefresh&token_type_hint=refresh_token&${client}`,
      `POST /oauth/v2/token/revoke none token=the%2Frefresh&${client}`,
      'DELETE /oauth/v1/refresh-tokens/the%2Frefresh none ',
    ]);
  });

  it('are revoked by the access token where there is no other', async () => {
    expect(await revoke(pipedrive(), { refreshToken: null })).toBe(true);
    expect(received).toEqual(['POST /oauth/revoke Basic token=the-access&token_type_hint=access_token']);
  });

  it('are not said to be revoked where the provider refuses, does not answer or has no way to', async () => {
    status = 500;
    expect(await revoke(pipedrive())).toBe(false);
    expect(await revoke(salesCrmOAuth('pipedrive', { tokenUrl: 'http://127.0.0.1:9/oauth/token' }))).toBe(false);
    received = [];
    expect(await revoke(salesCrmOAuth('neutral', { tokenUrl: `${server.url}/oauth/token` }))).toBe(false);
    expect(await revoke(pipedrive(), { authMethod: 'api_key' })).toBe(false);
    expect(await revoke(pipedrive(), { accessToken: '' })).toBe(false);
    expect(received).toEqual([]);
  });
});
