import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { suiteCrmProvider, trackerProvider, vaultProvider } from '#test/support/services/providers.ts';

const nowhere = { authorizeUrl: null, tokenUrl: null };

function providerAt(service: ServiceKey, url: string): Provider {
  if (service === 'tracker') return trackerProvider({ dialect: 'neutral', url: `${url}/graphql`, ...nowhere });
  if (service === 'suite_crm') return suiteCrmProvider({ dialect: 'neutral', url, ...nowhere });
  return vaultProvider('neutral');
}

describe('a request that failed at the server or in the network', () => {
  let server: LoopbackServer | undefined;
  const http = new HttpClient(() => 0);

  afterEach(async () => {
    await server?.close();
  });

  /** How often the call was sent to a provider that treats each request so. */
  async function sent(
    answer: (request: IncomingMessage) => number | null,
    [service, name, input]: readonly [ServiceKey, string, Readonly<Record<string, unknown>>],
    more: Pick<OperationCall, 'maxTries'> = {},
  ): Promise<number> {
    let requests = 0;
    server = await serveOnLoopback((request, response) => {
      requests += 1;
      const status = answer(request);
      if (status === null) request.socket.destroy();
      else response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    const record = tokenRecord(service, { extra: service === 'vault' ? { base_url: server.url } : {} });
    const gateway = operationsOver({
      providers: [providerAt(service, server.url)],
      tokens: onlyTokens(record),
      http,
    });
    expect(await gateway.call({ userId: 1, service, name, input, ...more })).toMatchObject({ reason: 'unavailable' });
    return requests;
  }

  const readsByPost = [
    ['tracker', 'issues.get', { id: 'ENG-7' }],
    ['tracker', 'viewer.get', {}],
    ['suite_crm', 'coql.run', { select_query: 'select id from Contacts' }],
  ] as const;

  it.each(readsByPost)('is sent five times if it only reads, also over POST: %s %s (OP-004)', async (...call) => {
    expect(await sent(() => 503, call)).toBe(5);
  });

  it.each(readsByPost)('is also sent five times if the connection broke: %s %s (OP-004)', async (...call) => {
    expect(await sent(() => null, call)).toBe(5);
  });

  it('is sent twice if it searches the vault, which is near', async () => {
    const search = { query: { '===': [1, 1] }, type: 'jsonlogic' };
    expect(await sent(() => 503, ['vault', 'search.advanced', search])).toBe(2);
  });

  const writes = [
    ['tracker', 'issues.create', { teamId: 't1', title: 'A' }],
    ['suite_crm', 'records.create', { module: 'Contacts', data: [{ Last_Name: 'A' }] }],
  ] as const;

  it.each(writes)('is sent once if it may have changed something: %s %s (OP-004)', async (...call) => {
    expect(await sent(() => 503, call)).toBe(1);
  });

  it('is sent at most as often as its caller wants', async () => {
    expect(await sent(() => 503, ['vault', 'notes.read', { path: 'A.md' }], { maxTries: 1 })).toBe(1);
  });
});
