import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { signedHeaders } from '#test/emulators/hubspot/webhooks.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { rounds } from '#test/support/form.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';
import { salesCrmWebhookSource } from '#test/support/services/vendors.ts';

const secret = 'the secret of the app';
const now = Date.parse('2026-11-24T12:00:00Z');
const url = 'https://portolan.example/webhooks/sales_crm';
const body = JSON.stringify([
  { eventId: 7, portalId: 1, subscriptionType: 'deal.propertyChange', objectId: 42, occurredAt: now, attemptNumber: 0 },
]);
const source = salesCrmWebhookSource({ dialect: 'hubspot', secrets: [secret] });

type Sent = Readonly<{ method: string; url: string; body: string; headers: Readonly<Record<string, string>> }>;
const genuine: Sent = { method: 'POST', url, body, headers: signedHeaders({ url, body, secret, at: now }) };
const verified = (sent: Sent) =>
  source.verify({ service: 'sales_crm', query: {}, ...sent, body: Buffer.from(sent.body) }, now);
const signature = 'x-hubspot-signature-v3';
const timestamp = 'x-hubspot-request-timestamp';
const given = genuine.headers[signature] ?? '';

describe('a delivery of HubSpot', () => {
  it('is accepted as it was signed, and no other way (HUBSPOT-008)', () => {
    expect(verified(genuine)).toMatchObject({ ok: true });
    const { headers } = genuine;
    const { [signature]: _signature, ...unsigned } = headers;
    const { [timestamp]: _timestamp, ...undated } = headers;
    const others: readonly (readonly [string, Partial<Sent>])[] = [
      ['another method', { method: 'PUT' }],
      ['another address', { url: 'https://portolan.example/webhooks/tracker' }],
      ['another host', { url: 'https://portolan.example.evil.example/webhooks/sales_crm' }],
      ['a parameter more', { url: `${url}?a=1` }],
      ['another body', { body: body.replace('42', '43') }],
      ['a body with a space more', { body: `${body} ` }],
      [
        'what moves from the body to the time',
        { body: body.slice(0, -1), headers: { ...headers, [timestamp]: `]${now}` } },
      ],
      [
        'what moves from the time to the body',
        { body: `${body}1`, headers: { ...headers, [timestamp]: String(now).slice(1) } },
      ],
      ['another time', { headers: { ...headers, [timestamp]: String(now + 1) } }],
      ['a time in another form', { headers: { ...headers, [timestamp]: `0${now}` } }],
      ['no signature', { headers: unsigned }],
      ['no time', { headers: undated }],
      ['the signature twice', { headers: { ...headers, [signature]: `${given}, ${given}` } }],
      [
        'the signature in hexadecimal',
        { headers: { ...headers, [signature]: Buffer.from(given, 'base64').toString('hex') } },
      ],
      ['the signature of a former version only', { headers: { ...unsigned, 'x-hubspot-signature': given } }],
      ['an empty signature', { headers: { ...headers, [signature]: '' } }],
      ['another secret', { headers: signedHeaders({ url, body, secret: 'another', at: now }) }],
      ['an empty secret', { headers: signedHeaders({ url, body, secret: '', at: now }) }],
      ['an old one, signed', { headers: signedHeaders({ url, body, secret, at: now - 300_001 }) }],
      ['one from the future, signed', { headers: signedHeaders({ url, body, secret, at: now + 300_001 }) }],
    ];
    for (const [what, change] of others) expect([what, verified({ ...genuine, ...change }).ok]).toEqual([what, false]);
  });

  it('is one delivery however often it is sent, and whatever is the number of the attempt (HUBSPOT-008)', () => {
    const again = body.replace('"attemptNumber":0', '"attemptNumber":3');
    const ids = [body, again].map((text) => {
      const sent = { ...genuine, body: text, headers: signedHeaders({ url, body: text, secret, at: now }) };
      const outcome = verified(sent);
      return outcome.ok ? outcome.value.deliveryId : null;
    });
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]).not.toBeNull();
  });

  it('with any content is parsed without an error, into at least one part', () => {
    const member = fc.constantFrom(
      'subscriptionType',
      'objectTypeId',
      'objectId',
      'eventId',
      'occurredAt',
      'newObjectId',
      'portalId',
    );
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constantFrom('deal.creation', 'object.merge', '0-3', '__proto__.x', 1e300),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(member, value))), (content) => {
        const parts = source.parts(content);
        expect(parts.length).toBeGreaterThan(0);
        for (const part of parts) {
          const event = source.read(part.body, now);
          if (event.ok) expect(event.value.record.id).toMatch(/^\d{1,30}$/);
        }
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });
});

describe('a call of HubSpot', () => {
  let emulator: HubSpotEmulator;
  let http: HttpClient;
  beforeAll(async () => {
    emulator = await startHubSpotEmulator({ limits: { searches: 1_000, tenSeconds: 10_000 } });
    http = new HttpClient(() => 0);
  });
  afterAll(async () => {
    http.close();
    await emulator.close();
  });

  const call = (name: string, input: Readonly<Record<string, unknown>>) => {
    const provider = salesCrmProvider({ dialect: 'hubspot', url: emulator.url });
    const record = tokenRecord('sales_crm', { accessToken: privateAppToken, authMethod: 'personal_token' });
    const gateway = operationsOver({ providers: [provider], tokens: onlyTokens(record), http });
    return gateway.call({ userId: 1, service: 'sales_crm', name, input });
  };

  it('reaches no other path, whatever is given as an id', async () => {
    for (const id of ['../../owners', '1/associations', '%2e%2e', '1?archived=true', ' 1', '-1']) {
      const before = emulator.requests.length;
      expect(await call('leads.update', { id, title: 'x' })).toMatchObject({ ok: false, reason: 'invalid_input' });
      expect(emulator.requests.length).toBe(before);
    }
  });

  it('sends a term as one value, whatever it contains (HUBSPOT-001)', async () => {
    for (const term of ['"}],"filterGroups":[]', '*', '\u0000', "' OR 1=1", '$(x)']) {
      expect(await call('deals.search', { term, fields: ['title'] })).toMatchObject({ ok: true, data: [] });
    }
  });

  it('takes names of custom fields as names, also those of every object', async () => {
    const custom = JSON.parse('{"__proto__":"x"}');
    const outcomes = [custom, { constructor: 'x' }, { 'a b': 'x' }].map((fields) =>
      call('deals.create', { title: 'A', custom_fields: fields }),
    );
    for (const outcome of await Promise.all(outcomes)) expect(outcome.ok).toBe(false);
    expect(emulator.store.all('deals')).toHaveLength(0);
  });
});
