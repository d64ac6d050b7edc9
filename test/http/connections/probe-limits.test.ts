import { afterEach, beforeEach, expect, it } from 'vitest';
import { GatewayProbe } from '#adapters/services/credentials/gateway-probe.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import { ok } from '#domain/shared/result.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { signingProvider } from '#test/support/services/providers.ts';

let server: LoopbackServer;
let http: HttpClient;
let requests: number;

beforeEach(async () => {
  requests = 0;
  http = new HttpClient();
  server = await serveOnLoopback((_, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json').end('{"results":[]}');
  });
});
afterEach(async () => {
  http.close();
  await server.close();
});

it('probes and calls of a connection count against one budget', async () => {
  const settings = { dialect: 'neutral', url: server.url, authorizeUrl: null, tokenUrl: null } as const;
  const providers = [signingProvider(settings)];
  const record = tokenRecord('signing');
  const tokens = { find: async () => ok(record), renew: async () => ok(record) };
  const limits = new ConnectionLimits({ maxWaitMs: 0 });
  const probe = new GatewayProbe(providers, http, { limits });
  const gateway = operationsOver({ providers, tokens, http, limits });
  const call = () => gateway.call({ userId: record.userId, service: 'signing', name: 'members.list', input: {} });
  // A sandbox key allows ten requests a minute.
  for (let count = 0; count < 5; count += 1) {
    expect(await probe.probe(record)).toMatchObject({ ok: true });
    expect(await call()).toMatchObject({ ok: true });
  }
  expect(await probe.probe(record)).toMatchObject({ ok: false, reason: 'rate_limited' });
  expect(await call()).toMatchObject({ ok: false, reason: 'rate_limited' });
  expect(requests).toBe(10);
});
