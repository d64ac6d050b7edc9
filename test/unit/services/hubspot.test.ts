import { describe, expect, it } from 'vitest';
import { wordNumber } from '#adapters/services/requests/word-number.ts';
import { recordAddress } from '#adapters/services/sales-crm/hubspot/connection.ts';
import { hubspotDialect } from '#adapters/services/sales-crm/hubspot/dialect.ts';
import { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { textOf, valueIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { hubspotWebhookSource } from '#adapters/services/sales-crm/hubspot/webhook-source.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

const dialect = hubspotDialect(null);
const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'answer', status, headers, body: Buffer.from(JSON.stringify(body)) }) as const;

describe('a property of HubSpot', () => {
  it.each<[string, string | null, unknown]>([
    ['number', '12.50', 12.5],
    ['number', 'many', 'many'],
    ['number', '', null],
    ['bool', 'true', true],
    ['bool', 'false', false],
    ['date', '2026-01-31', '2026-01-31'],
    ['date', '1769817600000', '2026-01-31'],
    ['datetime', '2026-01-31T10:20:00Z', '2026-01-31T10:20:00.000Z'],
    ['datetime', 'soon', 'soon'],
    ['list', 'a;b', ['a', 'b']],
    ['enumeration', 'a;b', 'a;b'],
    ['string', null, null],
  ])('of the type %s is read from %j as %j (HUBSPOT-002)', (type, text, value) => {
    expect(valueIn(type, text)).toEqual(value);
  });

  it.each<[string, unknown, string | null]>([
    ['string', 7, '7'],
    ['string', null, ''],
    ['string', ['a', 'b'], 'a;b'],
    ['string', false, 'false'],
    ['string', { a: 1 }, null],
    ['string', [{ a: 1 }], null],
    ['datetime', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['datetime', '2026-01-31 10:20:00', '2026-01-31T10:20:00.000Z'],
    ['date', 'tomorrow', null],
  ])('of the type %s is written from %j as %j (HUBSPOT-002)', (type, value, text) => {
    expect(textOf(type, value)).toBe(text);
  });
});

describe('the number of a stage', () => {
  it('is its id, or for a word always the same, and one that no id has (HUBSPOT-003)', () => {
    expect(wordNumber('1007')).toBe(1007);
    // The number in the middle is the beginning of the SHA-256 of the word.
    expect(wordNumber('closedwon')).toBe(9_000_000_000_000_000 + (0x310b3f9d2be2 % 7_000_000_000_000));
    const words = [
      'closedwon',
      'closedlost',
      'appointmentscheduled',
      '0',
      '007',
      '1c27b2d0-8f1e-4c4c-9f3a-0b5a3c6d7e8f',
    ];
    const numbers = words.map(wordNumber);
    expect(new Set(numbers).size).toBe(words.length);
    expect(numbers.every((number) => Number.isSafeInteger(number) && number >= 9e15)).toBe(true);
  });
});

describe('an error of HubSpot', () => {
  const asked = { row: hubspotRequests.read, record: tokenRecord('sales_crm', {}) };

  it('is given in its words, with the scopes that are missing, and the id of the request for its support', () => {
    const body = {
      status: 'error',
      message: 'This app hasn’t been granted all required scopes.',
      correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf',
      category: 'MISSING_SCOPES',
      errors: [
        { message: 'One or more are required.', context: { requiredGranularScopes: ['crm.objects.leads.read'] } },
      ],
    };
    expect(dialect.readError(answer(403, body), body, asked)).toMatchObject({
      message:
        'The sales CRM refused. This app hasn’t been granted all required scopes. One or more are required. The connection lacks the scopes crm.objects.leads.read.',
      details: { category: 'MISSING_SCOPES', correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf' },
    });
    expect(dialect.readError(answer(502, null), null, asked)).toBeNull();
  });

  it.each([
    ['TEN_SECONDLY_ROLLING', 10_000],
    ['SECONDLY', 1_000],
    ['DAILY', 3_600_000],
    ['ANOTHER', null],
    ['constructor', null],
  ])('429 by the limit %s is waited for %j ms (HUBSPOT-007)', (policyName, retryAfterMs) => {
    expect(dialect.limitIn?.(answer(429, { status: 'error', policyName }))).toEqual({ retryAfterMs });
    expect(dialect.limitIn?.(answer(400, { policyName }))).toBeNull();
  });
});

describe('the limits of HubSpot', () => {
  it('are those that headers report; only searches are limited without, for the whole account (HUBSPOT-007)', () => {
    const record = tokenRecord('sales_crm', { extra: { portal_id: 7 } });
    const search = dialect.budgets?.(hubspotRequests.search, record, {}) ?? [];
    expect(search.find(({ name }) => name === 'search')).toMatchObject({
      points: 5,
      windowMs: 1_000,
      cost: 1,
      sharedBy: 'portal:7:sales_crm',
    });
    const others = search.filter(({ name }) => name !== 'search');
    expect(others.every(({ points }) => points >= 1_000_000)).toBe(true);
    const headers = {
      'x-hubspot-ratelimit-max': '110',
      'x-hubspot-ratelimit-remaining': '3',
      'x-hubspot-ratelimit-interval-milliseconds': '10000',
      'x-hubspot-ratelimit-daily': '250000',
      'x-hubspot-ratelimit-daily-remaining': '9',
    };
    expect(dialect.readBudgets?.(answer(200, {}, headers))).toEqual([
      { name: 'ten_seconds', remaining: 3, resetsInMs: 10_000, limit: 110 },
      { name: 'daily', remaining: 9, resetsInMs: null, limit: 250_000 },
    ]);
    expect(dialect.readBudgets?.(answer(200, {}))).toEqual([]);
  });
});

describe('the address of a record at HubSpot', () => {
  it('is that of its account, on a host of HubSpot only', () => {
    const extra = { portal_id: 62_515, ui_domain: 'app-eu1.hubspot.com' };
    const of = (operation: string, more: Readonly<Record<string, unknown>> = extra, id = '7') =>
      recordAddress({ operation, id, extra: more });
    expect(of('deals.update')).toBe('https://app-eu1.hubspot.com/contacts/62515/record/0-3/7');
    expect(of('persons.get', { portal_id: 62_515 })).toBe('https://app.hubspot.com/contacts/62515/record/0-1/7');
    expect(of('leads.create', { ...extra, ui_domain: 'evil.example/app.hubspot.com' })).toBe(
      'https://app.hubspot.com/contacts/62515/record/0-136/7',
    );
    expect(of('deals.get', {})).toBeNull();
    expect(of('deals.get', extra, '../7')).toBeNull();
    expect(of('notes.create')).toBeNull();
  });
});

describe('the third signature', () => {
  const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
  const delivery = (url: string, body: string, headers: Readonly<Record<string, string>>) => ({
    service: 'sales_crm',
    method: 'POST',
    url,
    query: {},
    body: Buffer.from(body),
    headers,
  });
  const signed = (signature: string, at: number) => ({
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': String(at),
  });
  const source = hubspotWebhookSource([secret], []);

  // Published with HubSpot’s own libraries; their body is not JSON.
  it.each([
    [1_693_657_560_000, 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y='],
    [1_700_000_300_000, 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw='],
  ])('is verified as HubSpot publishes it: at %i (HUBSPOT-008)', (at, signature) => {
    const sent = delivery(
      'https://www.example.com/webhook_uri',
      "{'example_field':'example_value'}",
      signed(signature, at),
    );
    expect(source.verify(sent, at + 1_000)).toMatchObject({ ok: false, failure: { reason: 'not_json' } });
    const other = delivery(
      'https://www.example.com/webhook_uri/',
      "{'example_field':'example_value'}",
      signed(signature, at),
    );
    expect(source.verify(other, at + 1_000)).toMatchObject({ ok: false, failure: { reason: 'bad_signature' } });
  });

  it('covers the address with twelve characters decoded, and no others (HUBSPOT-008)', () => {
    // Made with HubSpot’s own library, over ?src=hs:app/v3&x=(a)&y=%20.
    const at = 1_790_000_003_000;
    const url = 'https://example.com/webhooks?src=hs%3Aapp%2fv3&x=%28a%29&y=%20';
    const signature = 'pc8hRwenwVtSmSfjyBNQyHibl1+6iHJDO9xW/x2vjaM=';
    const sent = delivery(url, '[]', signed(signature, at));
    expect(source.verify(sent, at)).toMatchObject({ ok: true });
    expect(source.verify({ ...sent, url: url.replace('%20', '+') }, at)).toMatchObject({ ok: false });
  });

  it('is stale before and after five minutes (HUBSPOT-008)', () => {
    const at = 1_790_000_003_000;
    const url = 'https://example.com/webhooks?src=hs%3Aapp%2fv3&x=%28a%29&y=%20';
    const sent = delivery(url, '[]', signed('pc8hRwenwVtSmSfjyBNQyHibl1+6iHJDO9xW/x2vjaM=', at));
    for (const now of [at + 300_001, at - 300_001]) {
      expect(source.verify(sent, now)).toMatchObject({ ok: false, failure: { reason: 'stale' } });
    }
    for (const now of [at + 300_000, at - 300_000]) expect(source.verify(sent, now)).toMatchObject({ ok: true });
  });
});

describe('the events of a delivery', () => {
  const source = hubspotWebhookSource(['secret'], []);
  const event = (subscriptionType: string, more: Readonly<Record<string, unknown>> = {}) => ({
    eventId: 1,
    portalId: 62_515,
    occurredAt: 1_790_000_000_000,
    attemptNumber: 0,
    objectId: 7,
    subscriptionType,
    ...more,
  });
  const namesOf = (body: unknown) => source.parts(body).map(({ name, orderKey }) => [name, orderKey]);

  it.each([
    ['contact.creation', {}, 'added.person', 'sales_crm:person:7'],
    ['company.propertyChange', {}, 'updated.organization', 'sales_crm:organization:7'],
    ['deal.deletion', {}, 'deleted.deal', 'sales_crm:deal:7'],
    ['deal.restore', {}, 'updated.deal', 'sales_crm:deal:7'],
    ['contact.privacyDeletion', {}, 'deleted.person', 'sales_crm:person:7'],
    ['deal.merge', { primaryObjectId: 8, newObjectId: 9 }, 'merged.deal', 'sales_crm:deal:9'],
    ['contact.associationChange', { objectId: null, fromObjectId: 7 }, 'updated.person', 'sales_crm:person:7'],
    ['object.creation', { objectTypeId: '0-136' }, 'added.lead', 'sales_crm:lead:7'],
    ['object.propertyChange', { objectTypeId: '0-27' }, 'updated.activity', 'sales_crm:activity:7'],
    ['object.deletion', { objectTypeId: '0-46' }, 'deleted.note', 'sales_crm:note:7'],
    ['product.creation', {}, 'added.product', 'sales_crm:product:7'],
  ])('%s is %s', (type, more, name, orderKey) => {
    const body = [event(type, more)];
    expect(namesOf(body)).toEqual([[name, orderKey]]);
    expect(source.read(source.parts(body)[0]?.body, 0)).toMatchObject({
      ok: true,
      value: { name, occurredAt: 1_790_000_000_000, current: null },
    });
  });

  it.each([
    [event('ticket.creation'), 'unknown'],
    [event('object.creation', { objectTypeId: '0-5' }), 'unknown'],
    [event('constructor.creation'), 'unknown'],
    [event('deal.creation', { objectId: '../8' }), 'unreadable'],
    ['text', 'unknown'],
    [null, 'unknown'],
  ])('that mean nothing here are reported: %j is %s', (body, reason) => {
    expect(source.parts([body])).toHaveLength(1);
    expect(source.read(body, 0)).toMatchObject({ ok: false, failure: { reason } });
  });

  it('are one for several changes of a record, the latest (HUBSPOT-009)', () => {
    const parts = source.parts([
      event('deal.propertyChange', { eventId: 1, propertyName: 'amount', occurredAt: 30 }),
      event('deal.propertyChange', { eventId: 2, propertyName: 'dealstage', occurredAt: 20 }),
      event('deal.propertyChange', { eventId: 3, objectId: 8 }),
      event('deal.creation', { eventId: 4 }),
    ]);
    expect(parts.map(({ name, orderKey }) => [name, orderKey])).toEqual([
      ['updated.deal', 'sales_crm:deal:7'],
      ['updated.deal', 'sales_crm:deal:8'],
      ['added.deal', 'sales_crm:deal:7'],
    ]);
    expect(parts[0]?.body).toMatchObject({ propertyName: 'amount' });
  });

  it('of an account that is not named are unknown, if any is', () => {
    const some = hubspotWebhookSource(['secret'], ['62515']);
    expect(some.read(event('deal.creation'), 0)).toMatchObject({ ok: true });
    expect(some.read(event('deal.creation', { portalId: 1 }), 0)).toMatchObject({
      ok: false,
      failure: { reason: 'unknown' },
    });
  });

  it('have the fields of their record, or become its deletion (HUBSPOT-009)', async () => {
    const read = source.read(event('contact.propertyChange'), 0);
    if (!read.ok || source.fetch === undefined) throw new Error('not read');
    const asked: unknown[] = [];
    const fetched = await source.fetch(read.value, async (name, input) => {
      asked.push([name, input]);
      return succeeded({ id: 7, name: 'Ann', emails: [{ value: 'ann@acme.example', primary: true }], org_id: 3 });
    });
    expect(asked).toEqual([['persons.get', { id: 7 }]]);
    expect(fetched).toMatchObject({
      ok: true,
      value: { name: 'updated.person', person: { name: 'Ann', emails: ['ann@acme.example'], organizationId: '3' } },
    });
  });
});
