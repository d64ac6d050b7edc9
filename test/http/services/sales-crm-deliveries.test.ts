import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

type Received = Readonly<{ headers: Readonly<Record<string, unknown>>; raw: string; body: Record<string, unknown> }>;
type Fields = Readonly<Record<string, unknown>>;

let emulator: SalesCrmEmulator;
let receiver: LoopbackServer;
let receiverUrl: string;
let received: Received[];
let statuses: number[];

beforeEach(async () => {
  received = [];
  statuses = [];
  receiver = await serveOnLoopback((request, response) => void take(request, response));
  receiverUrl = `${receiver.url}/webhooks/sales_crm`;
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw = await text(request);
  received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
  response.writeHead(statuses.shift() ?? 200).end('{"received":true}');
}

afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

function api(method: string, path: string, fields: Fields): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-token': personalToken };
  const url = `${emulator.url}${path}?api_token=${personalToken}`;
  return fetch(url, { method, headers, body: JSON.stringify(fields) });
}

async function register(fields: Fields): Promise<number> {
  const response = await api('POST', '/v1/webhooks', { subscription_url: receiverUrl, ...fields });
  await response.body?.cancel();
  return response.status;
}

describe('the emulated CRM in the neutral dialect', () => {
  beforeEach(async () => {
    emulator = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [1] });
    expect(await register({ event_action: '*', event_object: 'deal' })).toBe(201);
  });

  it('delivers added.deal, updated.deal and deleted.deal, signed with the client secret over the bytes', async () => {
    const deal = emulator.records.create('deal', { title: 'Acme', value: 100 });
    await emulator.webhooks.settled();
    emulator.records.update('deal', String(deal['id']), { status: 'won', value: 112 });
    await emulator.webhooks.settled();
    emulator.records.remove('deal', String(deal['id']));
    await emulator.webhooks.settled();
    expect(received.map(({ body }) => body['event'])).toEqual(['added.deal', 'updated.deal', 'deleted.deal']);
    expect(received[1]?.body).toMatchObject({
      v: 1,
      meta: { action: 'updated', object: 'deal', id: deal['id'] },
      current: { id: deal['id'], title: 'Acme', status: 'won', value: 112 },
      previous: { status: 'open', value: 100 },
      retry: 0,
    });
    for (const { raw, headers } of received) {
      const signature = createHmac('sha256', app.clientSecret).update(raw).digest('hex');
      expect(headers['x-salescrm-signature']).toBe(signature);
    }
  });

  it('delivers nothing without a subscriber', async () => {
    emulator.records.create('person', { name: 'Ann' });
    await emulator.webhooks.settled();
    expect(received).toEqual([]);
  });

  it('delivers a change through the API, too, and merged.deal', async () => {
    await api('POST', '/api/v2/deals', { title: 'A' });
    await api('POST', '/api/v2/deals', { title: 'B' });
    await emulator.webhooks.settled();
    await api('PUT', '/api/v2/deals/1/merge', { merge_with_id: 2 });
    await emulator.webhooks.settled();
    expect(received[2]?.body).toMatchObject({ event: 'merged.deal', meta: { id: 2, merged_id: 1 } });
  });

  it('delivers the same bytes again after a refusal, but not for ever', async () => {
    statuses = [500];
    emulator.records.create('deal', { title: 'A' });
    await emulator.webhooks.settled();
    expect(emulator.webhooks.sent.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    expect(received[1]?.raw).toBe(received[0]?.raw);
    statuses = [500, 500, 500];
    emulator.records.create('deal', { title: 'B' });
    await emulator.webhooks.settled();
    expect(received).toHaveLength(4);
  });

  it.each([
    [{ event_action: 'change', event_object: 'deal' }],
    [{ event_action: 'updated', event_object: 'stage' }],
    [{ event_action: 'updated', event_object: 'deal', subscription_url: 'nowhere' }],
  ])('refuses a webhook that the neutral dialect does not know: %j', async (fields) => {
    expect(await register(fields)).toBe(400);
  });
});

describe("the emulated CRM in the vendor's dialect", () => {
  const basic = { http_auth_user: 'hookuser', http_auth_password: 'hookpass' };

  beforeEach(async () => {
    emulator = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    expect(await register({ event_action: '*', event_object: '*', name: 'Hook', ...basic })).toBe(201);
  });

  it('delivers create, change and delete in the v2 form, authenticated by HTTP Basic and not by a signature', async () => {
    const deal = emulator.records.create('deal', { title: 'Acme', value: 100, custom_fields: { abc: 'x' } });
    await emulator.webhooks.settled();
    emulator.records.update('deal', String(deal['id']), { value: 112 });
    await emulator.webhooks.settled();
    emulator.records.remove('deal', String(deal['id']));
    await emulator.webhooks.settled();
    const [created, changed, deleted] = received.map(({ body }) => body);
    expect(created).toMatchObject({
      meta: { action: 'create', entity: 'deal', entity_id: '1', version: '2.0' },
      previous: null,
    });
    expect(changed).toMatchObject({
      meta: { action: 'change', attempt: 1 },
      data: { id: 1, value: 112, custom_fields: { abc: { type: 'varchar', value: 'x' } } },
      previous: { value: 100 },
    });
    expect(changed?.['previous']).not.toHaveProperty('title');
    expect(deleted).toMatchObject({ meta: { action: 'delete' }, data: null, previous: { value: 112 } });
    for (const { headers } of received) {
      // Written out by hand: base64 of hookuser:hookpass.
      expect(headers['authorization']).toBe('Basic aG9va3VzZXI6aG9va3Bhc3M=');
      expect(headers).not.toHaveProperty('x-salescrm-signature');
    }
  });

  it('delivers a merge as the deletion of one record and the change of the other', async () => {
    emulator.records.create('person', { name: 'Ann' });
    emulator.records.create('person', { name: 'Anne' });
    await emulator.webhooks.settled();
    received.length = 0;
    emulator.records.merge('person', '1', '2');
    await emulator.webhooks.settled();
    const metas = received.map(({ body }) => body['meta']);
    expect(metas).toContainEqual(expect.objectContaining({ action: 'delete', entity_id: '1', merged_to_id: '2' }));
    expect(metas).toContainEqual(expect.objectContaining({ action: 'change', entity_id: '2', merged_from_id: '1' }));
  });

  it.each([
    [{ event_action: 'updated', event_object: 'deal', name: 'Hook' }],
    [{ event_action: 'change', event_object: 'deal' }],
  ])('refuses a webhook with other words, or without a name: %j', async (fields) => {
    expect(await register(fields)).toBe(400);
  });
});
