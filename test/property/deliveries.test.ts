import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { noNames } from '#application/ports/record-names.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { rounds } from '#test/support/form.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';
import { salesCrmWebhookSource, signingWebhookSource, trackerWebhookSource } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';
import { sign } from '#test/support/webhooks/webhook-tracker.ts';

const secret = 'a secret that all four services sign with';
const clock = { now: () => startAt };

const dialects = {
  neutral: [
    trackerWebhookSource({ secrets: [secret], dialect: 'neutral' }),
    salesCrmWebhookSource({ secrets: [secret], dialect: 'neutral' }),
    signingWebhookSource({ secrets: [secret], dialect: 'neutral' }),
    suiteCrmWebhookSource({ secrets: [secret] }),
  ],
  vendor: [
    trackerWebhookSource({ secrets: [secret], dialect: 'linear' }),
    salesCrmWebhookSource({ secrets: [secret], dialect: 'pipedrive' }),
    signingWebhookSource({ secrets: [secret], dialect: 'pandadoc' }),
    suiteCrmWebhookSource({ secrets: [secret] }),
  ],
  'second vendor': [
    trackerWebhookSource({ secrets: [secret], dialect: 'jira' }),
    salesCrmWebhookSource({ secrets: [secret], dialect: 'pipedrive' }),
    signingWebhookSource({ secrets: [secret], dialect: 'pandadoc' }),
    suiteCrmWebhookSource({ secrets: [secret] }),
  ],
} as const;

/** A delivery that every receiver takes for its sender's own, whatever its body. */
function signed(service: ServiceKey, text: string): Delivery {
  const body = Buffer.from(text);
  const signature = sign(body, secret);
  const headers = {
    'tracker-signature': signature,
    'linear-signature': signature,
    'x-hub-signature': `sha256=${signature}`,
    'x-salescrm-signature': signature,
    'x-signing-signature': signature,
    authorization: `Basic ${Buffer.from(secret).toString('base64')}`,
  };
  return { ...sentTo(service), headers, query: { signature }, body };
}

/** Receivers over a real database, and the plan for everything that they kept. */
async function receivers(sources: (typeof dialects)[keyof typeof dialects]) {
  const { database, close } = await openTestSqlite();
  const inbox = new SqlWebhookInbox(database);
  const { logger } = rememberingLogger();
  const secretIds = { sales_crm: ['s'], signing: ['s'], suite_crm: ['s'], tracker: ['s'] };
  const receipts = new NoteReceipts({ log: new MemoryReceiptLog(), secretIds, clock, logger });
  const receive = new ReceiveDelivery({
    sources,
    reactions: allReactions,
    inbox,
    receipts,
    metrics: noMetrics,
    clock,
    logger,
    onKept: () => undefined,
  });
  const surroundings = { templates: defaultTemplates, baseUrl: 'http://localhost' };
  const plan = new PlanEntry({ inbox, sources, reactions: allReactions, names: noNames, surroundings });
  const planAll = async () => {
    const entries = await inbox.claim({ owner: 'o', leaseMs: 60_000, limit: 2_000 });
    return Promise.all(entries.map((entry) => plan.run(entry)));
  };
  return { receive, planAll, close };
}

/** Words that the readers look for, and names that every object has. */
const words = fc.constantFrom(
  'constructor',
  '__proto__',
  'toString',
  'id',
  'data',
  'type',
  'action',
  'event',
  'meta',
  'Issue',
  'update',
  'create',
  'updated.deal',
  'updated.person',
  'Contacts.edit',
  'document_state_changed',
  'deal',
  'change',
  '\0',
  'a\0b',
  '\ud800',
);
const leaf = fc.oneof(
  words,
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom(2 ** 53 + 2, -(2 ** 60), 1e308, 0, -0, null, true),
  fc.constantFrom('9999999-99-99', '+275760-09-13T00:00:00.001Z', '2026-01-23T12:53:18.123Z'),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(fc.oneof(words, fc.string()), tie('value')), { maxLength: 6 }).map(objectOf),
})).value;

/** An object with the members as JSON spells them: `__proto__` is a member like any other. */
function objectOf(members: readonly (readonly [string, unknown])[]): unknown {
  const text = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join(',');
  return JSON.parse(`{${text}}`);
}

const services = ['tracker', 'sales_crm', 'signing', 'suite_crm'] as const;

/** The frames of real deliveries, with anything in the places that are read. */
const frames: Readonly<Record<(typeof services)[number], (any: unknown, more: unknown) => unknown>> = {
  tracker: (any, more) => ({
    action: 'update',
    type: 'Issue',
    webhookTimestamp: startAt,
    data: { id: any, title: more, labels: more },
    updatedFrom: more,
    actor: any,
    webhookEvent: 'jira:issue_updated',
    timestamp: startAt,
    issue: { id: any, key: more, self: any, fields: { summary: any, description: more, status: more, parent: any } },
    changelog: { items: [more, { field: any, fieldId: 'status' }] },
    user: more,
  }),
  sales_crm: (any, more) => ({
    event: 'updated.deal',
    meta: { action: 'updated', entity: 'deal', entity_id: any, id: more },
    data: { id: any, title: more, value: more },
    previous: more,
  }),
  signing: (any, more) => [
    {
      event: 'document_state_changed',
      date_created: new Date(startAt).toISOString(),
      data: { id: any, name: more, status: more },
    },
  ],
  suite_crm: (any, more) => ({
    token: secret,
    module: 'Contacts',
    operation: any,
    ids: [more, '1'],
    affected_values: more,
  }),
};

describe.each(Object.entries(dialects))('signed deliveries in the %s dialect', (_, sources) => {
  it('are kept or refused, and planned or ended, whatever they contain (HOOK-012)', async () => {
    const { receive, planAll, close } = await receivers(sources);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...services),
        anyJson,
        anyJson,
        fc.boolean(),
        async (service, any, more, isFramed) => {
          const value = isFramed ? frames[service](any, more) : any;
          await receive.run(signed(service, JSON.stringify(value) ?? 'null'));
          for (const { kind } of await planAll()) expect(['steps', 'ignored', 'dead']).toContain(kind);
        },
      ),
      { numRuns: rounds(100, 300) },
    );
    await close();
  });

  it.each([
    ['100,000 levels of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['100,000 levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['one key of a mebibyte', `{"token":"${secret}","${'k'.repeat(1_000_000)}":1}`],
    ['thousands of events', JSON.stringify(Array.from({ length: 5_000 }, () => ({ event: 'x' })))],
    ['a number beyond all numbers', `{"token":"${secret}","id":1e999,"data":{"id":12345678901234567890}}`],
  ])('are answered with %s in them', async (__, text) => {
    const { receive, planAll, close } = await receivers(sources);
    for (const service of services) await receive.run(signed(service, text));
    for (const { kind } of await planAll()) expect(['ignored', 'dead']).toContain(kind);
    await close();
  });

  it('too deeply nested are refused like invalid JSON', async () => {
    const { receive, close } = await receivers(sources);
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await receive.run(signed('sales_crm', text))).toMatchObject({ ok: false, failure: { reason: 'not_json' } });
    await close();
  });

  it('with an unreadable neighbour are all kept (HOOK-013)', async () => {
    const { receive, close } = await receivers(sources);
    const frame = (id: string) => signed('sales_crm', JSON.stringify(frames.sales_crm(id, id)));
    const ids = Array.from({ length: 20 }, (__, index) => (index % 3 === 0 ? `\0${index}` : `${index}`));
    const results = await Promise.all(ids.map((id) => receive.run(frame(id))));
    expect(results.map(({ ok }) => ok)).toEqual(ids.map(() => true));
    await close();
  });
});

describe('a delivery of several events', () => {
  const created = { date_created: new Date(startAt).toISOString() };
  const dated = [
    created,
    { ...created, event: 'no_such_event' },
    { ...created, event: 7, data: [] },
    { ...created, event: 'document_state_changed', data: 7 },
  ];

  it.each([
    ['neutral', dated],
    ['vendor', [...dated, null, 7, 'text', [], {}]],
  ] as const)('has its good ones processed between bad ones, in the %s dialect (HOOK-013)', async (dialect, bad) => {
    const { receive, planAll, close } = await receivers(dialects[dialect]);
    const good = (id: string) => frames.signing(id, 'Contract');
    const events = [...bad, good('first'), ...bad, good('second'), ...bad].flat();
    const received = await receive.run(signed('signing', JSON.stringify(events)));
    const kinds = (await planAll()).map(({ kind }) => kind);
    expect(received).toEqual({ ok: true, value: { isNew: true } });
    expect(kinds.filter((kind) => kind === 'steps')).toHaveLength(2);
    expect(kinds).toHaveLength(events.length);
    await close();
  });
});

describe('an id that a sender sets in a header', () => {
  const [tracker] = dialects.neutral;
  const sent = (title: string, id: string, webhookTimestamp = startAt) => {
    const delivery = signed('tracker', JSON.stringify({ ...Object(frames.tracker('1', title)), webhookTimestamp }));
    return { ...delivery, headers: { ...delivery.headers, 'tracker-delivery': id } };
  };
  const idOf = (delivery: Delivery) => {
    const verified = tracker.verify(delivery, startAt);
    return verified.ok ? verified.value.deliveryId : null;
  };

  it('does not take the place of a later delivery (HOOK-015)', () => {
    expect(idOf(sent('earlier', 'of the later'))).not.toBe(idOf(sent('later', 'of the later')));
  });

  it('stays the same at a retry with another time of sending', () => {
    expect(idOf(sent('a', 'one'))).toBe(idOf(sent('a', 'one', startAt + 30_000)));
  });
});
