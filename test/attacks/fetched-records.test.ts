import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FetchedRecords } from '#adapters/services/webhooks/fetched-records.ts';
import { eventData } from '#domain/reaction-notes/event-data.ts';
import { ok } from '#domain/shared/result.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { suiteCrmProvider } from '#test/support/services/providers.ts';
import { suiteCrmWebhookSource } from '#test/support/services/vendors.ts';

/** A notification’s token is no signature: who has seen one can name any record, and the record may hold anything. */
describe('the record of a notification', () => {
  let server: LoopbackServer;
  let http: HttpClient;
  let seen: string[];
  let answer: unknown;
  beforeAll(async () => {
    http = new HttpClient();
    server = await serveOnLoopback((request, response) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end(JSON.stringify(answer));
    });
  });
  afterAll(async () => {
    http.close();
    await server.close();
  });

  const source = suiteCrmWebhookSource({ dialect: 'zoho', secrets: ['token'] });
  const fetched = async (module: string, id: unknown) => {
    seen = [];
    const record = tokenRecord('suite_crm', { authMethod: 'oauth' });
    const none = { authorizeUrl: null, tokenUrl: null };
    const records = new FetchedRecords({
      sources: [source],
      caller: operationsOver({
        providers: [suiteCrmProvider({ dialect: 'zoho', url: server.url, ...none })],
        http,
        tokens: { find: async () => ok(record), renew: async () => ok(record) },
      }),
      userOf: async () => 1,
      names: neutralNames,
    });
    const [part] = source.parts({ token: 'token', module, operation: 'update', ids: [id] });
    const read = source.read(part?.body, 0);
    return read.ok ? records.complete(read.value) : null;
  };

  it.each([
    '..',
    '.',
    '../../settings/users',
    '..%2f..%2fsettings',
    '%2e%2e',
    '47?fields=id',
    '47#',
    '47/Notes',
    '//elsewhere.example',
    '\\\\..\\',
    'a'.repeat(65),
  ])('is not asked for by an id that is none: %s', async (id) => {
    answer = { data: [{ id }] };
    await fetched('Deals', id);
    expect(seen).toEqual([]);
  });

  it.each(['../settings', 'Deals/47', 'settings%2fusers', '..', ''])(
    'is not asked for in a module that is none: %s',
    async (module) => {
      await fetched(module, '47');
      expect(seen).toEqual([]);
    },
  );

  it('stays within the bounds of what reactions see, whatever it holds', async () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) });
    answer = {
      data: [{ id: '47', ['__proto__']: { admin: true }, text: 'x'.repeat(100_000), deep: deep(50) }],
    };
    const complete = await fetched('Deals', '47');
    expect(seen).toEqual(['GET /crm/v8/Deals/47']);
    if (complete?.ok !== true) throw new Error('It was not fetched.');
    const data = eventData(complete.value);
    expect(JSON.stringify(data).length).toBeLessThan(60_000);
    expect(Object(data['record']).admin).toBeUndefined();
    expect(data).toMatchObject({ service: 'suite_crm', event: 'Deals.edit', id: '47' });
  });

  it('cannot replace the record that the notification names', async () => {
    answer = { data: [{ id: '99', module: 'Users', name: 'Deals.delete', service: 'vault', Deal_Name: 'Acme' }] };
    const complete = await fetched('Deals', '47');
    expect(complete).toMatchObject({
      ok: true,
      value: { service: 'suite_crm', name: 'Deals.edit', record: { service: 'suite_crm', kind: 'Deals', id: '47' } },
    });
  });
});
