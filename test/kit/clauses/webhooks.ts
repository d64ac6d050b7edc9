import { equal, holds, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import {
  type Delivery,
  dealUpdated,
  deliver,
  delivery,
  documentEvent,
  issueEvent,
  issueOf,
  type Sender,
  signatureHeaders,
  signedDelivery,
} from '#test/kit/deliveries.ts';
import type { Kit } from '#test/kit/kit.ts';
import { signed } from '#test/kit/signatures.ts';

type Fields = Readonly<Record<string, unknown>>;

const minuteMs = 60_000;

/** A payload of each sender that changes nothing: an event that no reaction waits for. */
const quiet: Readonly<Record<Sender, () => Fields>> = {
  sales_crm: () => ({
    ...dealUpdated({ id: 1, title: 'Quiet' }),
    event: 'added.note',
    meta: {
      action: 'added',
      object: 'note',
      entity: 'note',
      id: `${Math.random()}`,
      timestamp: new Date().toISOString(),
    },
  }),
  signing: () =>
    documentEvent('recipient_completed', { id: `quiet-${Math.random()}`, name: 'Quiet', status: 'document.sent' }),
  suite_crm: () => ({
    module: 'Leads',
    operation: 'insert',
    ids: ['91'],
    channel_id: '1000000068001',
    server_time: Date.now(),
  }),
  tracker: () => ({ ...issueEvent('update', {}), type: 'Comment', data: { id: 'comment', body: `${Math.random()}` } }),
};

const all: readonly Sender[] = ['sales_crm', 'signing', 'suite_crm', 'tracker'];
const signing: readonly Sender[] = ['sales_crm', 'signing', 'tracker'];
const ids: Readonly<Record<Sender, string>> = {
  sales_crm: 'HOOK-004',
  signing: 'HOOK-005',
  suite_crm: 'HOOK-006',
  tracker: 'HOOK-007',
};

const good = (kit: Kit, service: Sender): Delivery => delivery(kit, service, quiet[service]());

/** A delivery with another signature, or with none. */
function withSignature(given: Delivery, signature: string | null): Delivery {
  const header = signatureHeaders[given.service] ?? '';
  const { [header]: _, ...others } = given.headers;
  return { ...given, headers: signature === null ? others : { ...others, [header]: signature } };
}

const wrongSignatures: readonly (readonly [string, (kit: Kit, given: Delivery) => string | null])[] = [
  ['missing', () => null],
  ['empty', () => ''],
  ['other-secret', (_, { body }) => signed(body, 'another secret')],
  ['other-body', (kit, { service, body }) => signed(`${body} `, kit.secret(service))],
  ['cut', (kit, { service, body }) => signed(body, kit.secret(service)).slice(0, 63)],
  ['lengthened', (kit, { service, body }) => `${signed(body, kit.secret(service))}0`],
];

const stale: readonly (readonly [Sender, string, number, number])[] = [
  ['signing', 'late', -6 * minuteMs, 401],
  ['signing', 'early', 6 * minuteMs, 401],
  ['signing', 'in-time', -4 * minuteMs, 200],
  ['tracker', 'late', -61_500, 401],
  ['tracker', 'early', 62_000, 401],
  ['tracker', 'in-time', -50_000, 200],
];

const payloadAt = (service: Sender, at: number): Fields =>
  service === 'signing'
    ? { ...quiet.signing(), date_created: new Date(at).toISOString() }
    : { ...quiet.tracker(), webhookTimestamp: at };

const oddBodies: readonly (readonly [string, string])[] = [
  ['null', 'null'],
  ['list', '[]'],
  ['number', '7'],
  ['nested', '{"event":{"a":[1]},"data":[],"meta":7,"type":[],"action":{}}'],
  ['proto', '{"__proto__":{"a":1},"constructor":1,"event":"updated.deal","data":null}'],
  ['nul', '{"event":"updated.\\u0000deal","data":{"id":"\\ud800"}}'],
];

const salesEvents = [
  'added.deal',
  'deleted.deal',
  'merged.deal',
  'added.person',
  'updated.activity',
  'added.lead',
  'deleted.note',
  'updated.product',
  'merged.organization',
];
const signingEvents = [
  'document_state_changed',
  'recipient_completed',
  'document_updated',
  'document_deleted',
  'document_creation_failed',
  'document_completed_pdf_ready',
];
const trackerTypes = [
  'Issue',
  'Comment',
  'Attachment',
  'IssueLabel',
  'Reaction',
  'Project',
  'ProjectUpdate',
  'Document',
  'Initiative',
  'InitiativeUpdate',
  'Cycle',
  'Customer',
  'CustomerRequest',
  'User',
];

export const webhooks: readonly Clause[] = [
  ...all.map((service) =>
    contract(
      ids[service],
      `a delivery of ${service} that its sender made is taken`,
      async (kit) => status(await deliver(kit, good(kit, service)), 200),
      [`secret:${service}`],
    ),
  ),
  ...all.map((service) =>
    portolan(
      `HOOK-023/${service}`,
      'it is answered {"received":true}',
      async (kit) => equal((await deliver(kit, good(kit, service))).json, { received: true }, 'the body'),
      [`secret:${service}`],
    ),
  ),
  ...signing.flatMap((service) =>
    wrongSignatures.map(([variant, of]) =>
      contract(
        `HOOK-003/${service}.${variant}`,
        `a delivery of ${service} with a wrong signature is 401: ${variant}`,
        async (kit) => {
          const given = good(kit, service);
          status(await deliver(kit, withSignature(given, of(kit, given))), 401);
        },
        [`secret:${service}`],
      ),
    ),
  ),
  ...(
    [
      ['missing', {}],
      ['wrong', { token: 'wrong' }],
      ['empty', { token: '' }],
      ['list', { token: [] }],
      ['deep', { data: { token: 'SECRET' } }],
    ] as const
  ).map(([variant, token]) =>
    contract(
      `HOOK-003/suite_crm.${variant}`,
      `a delivery of suite_crm with a wrong token is 401: ${variant}`,
      async (kit) => {
        const text = JSON.stringify({ ...quiet.suite_crm(), ...token }).replace('SECRET', kit.secret('suite_crm'));
        status(await deliver(kit, { service: 'suite_crm', headers: {}, body: text }), 401);
      },
      ['secret:suite_crm'],
    ),
  ),
  ...stale.map(([service, variant, offset, expected]) =>
    contract(
      `${ids[service]}/${variant}`,
      `a delivery of ${service} that is ${offset / 1000} s from now is ${expected}`,
      async (kit) => {
        const body = JSON.stringify(payloadAt(service, Date.now() + offset));
        status(await deliver(kit, signedDelivery(kit, service, body)), expected);
      },
      [`secret:${service}`],
    ),
  ),
  ...(['signing', 'tracker'] as const).map((service) =>
    contract(
      `${ids[service]}/no-time`,
      `a signed delivery of ${service} that tells no time is refused`,
      async (kit) => {
        const { date_created: _, webhookTimestamp: __, ...rest } = quiet[service]();
        const answer = await deliver(kit, signedDelivery(kit, service, JSON.stringify(rest)));
        holds(answer.status >= 400 && answer.status < 500, 'a refusal', `${answer.status} ${answer.text}`);
      },
      [`secret:${service}`],
    ),
  ),
  ...signing.map((service) =>
    contract(
      `HOOK-002/${service}`,
      `the signature of ${service} is of the raw bytes, not of JSON written anew`,
      async (kit) => {
        const payload = JSON.stringify(quiet[service]());
        const odd = ` ${payload.replaceAll('":', '" :  ').replace('{', '{\n')}\n`;
        status(await deliver(kit, signedDelivery(kit, service, odd)), 200);
        const signature = signed(payload, kit.secret(service));
        status(await deliver(kit, withSignature(signedDelivery(kit, service, odd), signature)), 401);
      },
      [`secret:${service}`],
    ),
  ),
  portolan('HOOK-001/vault', '/webhooks/vault is 404', async (kit) => {
    status(
      await kit.send({
        method: 'POST',
        path: '/webhooks/vault',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
      404,
    );
  }),
  ...all.map((service) =>
    contract(
      `HOOK-001/${service}`,
      `POST /webhooks/${service} exists, and an unsigned delivery is 401`,
      async (kit) => {
        status(await deliver(kit, { service, headers: {}, body: '{}' }), 401);
      },
    ),
  ),
  ...signing.map((service) =>
    portolan(
      `HOOK-009/${service}`,
      'a verified body that is no JSON is 400',
      async (kit) => status(await deliver(kit, signedDelivery(kit, service, '{"event": ')), 400),
      [`secret:${service}`],
    ),
  ),
  portolan(
    'HOOK-009/large',
    'a body over 1 MiB is 413',
    async (kit) => {
      const body = JSON.stringify({ ...quiet.sales_crm(), padding: 'x'.repeat(1024 * 1024) });
      status(await deliver(kit, signedDelivery(kit, 'sales_crm', body)), 413);
    },
    ['secret:sales_crm'],
  ),
  ...all.map((service) =>
    portolan(
      `HOOK-010/${service}`,
      'a repeated delivery is 200',
      async (kit) => {
        const given = good(kit, service);
        status(await deliver(kit, given), 200);
        status(await deliver(kit, given), 200);
      },
      [`secret:${service}`],
    ),
  ),
  ...(
    [
      ['sales_crm', { event: 'painted.deal', meta: { action: 'painted', object: 'deal', id: 'x' }, data: {} }],
      ['signing', { event: 'document_painted', data: { id: 'a' } }],
      ['suite_crm', { module: 'Leads', operation: 'paint', ids: ['1'] }],
      ['tracker', { action: 'paint', type: 'Wall', data: {} }],
    ] as const
  ).map(([service, payload]) =>
    portolan(
      `HOOK-011/${service}`,
      'an unknown event is 200',
      async (kit) => {
        const times = { date_created: new Date().toISOString(), webhookTimestamp: Date.now() };
        status(await deliver(kit, delivery(kit, service, { ...times, ...payload })), 200);
      },
      [`secret:${service}`],
    ),
  ),
  ...oddBodies.map(([variant, body]) =>
    portolan(
      `HOOK-012/${variant}`,
      'no verified delivery is answered 5xx for what its body says',
      async (kit) => {
        for (const service of signing) {
          const answer = await deliver(kit, signedDelivery(kit, service, body));
          holds(answer.status < 500, `${service} not to fail`, `${answer.status} ${answer.text}`);
        }
      },
      ['secret:sales_crm', 'secret:signing', 'secret:tracker'],
    ),
  ),
  portolan(
    'HOOK-013',
    'one bad event does not fail those that come with it',
    async (kit) => {
      const body = JSON.stringify([{ ...quiet.signing(), event: 7 }, quiet.signing()]);
      status(await deliver(kit, signedDelivery(kit, 'signing', body)), 200);
    },
    ['secret:signing'],
  ),
  ...salesEvents.map((event) =>
    contract(
      `HOOK-018/${event}`,
      `the event ${event} is taken`,
      async (kit) => {
        const [action, object] = event.split('.');
        const meta = {
          action,
          object,
          entity: object,
          id: `${event}-${Date.now()}`,
          timestamp: new Date().toISOString(),
        };
        status(await deliver(kit, delivery(kit, 'sales_crm', { event, meta, data: { id: 5 }, previous: {} })), 200);
      },
      ['secret:sales_crm'],
    ),
  ),
  ...signingEvents.map((event) =>
    contract(
      `HOOK-019/${event}`,
      `the event ${event} is taken`,
      async (kit) => {
        const payload = documentEvent(event, { id: `taken-${event}`, name: 'Taken', status: 'document.sent' });
        status(await deliver(kit, delivery(kit, 'signing', payload)), 200);
      },
      ['secret:signing'],
    ),
  ),
  ...(['insert', 'update', 'delete'] as const).map((operation) =>
    contract(
      `HOOK-020/${operation}`,
      `${operation} of a module, of a custom one too, is taken`,
      async (kit) => {
        for (const module of ['Leads', 'Custom_Things']) {
          const payload = { ...quiet.suite_crm(), module, operation, event: `${module}.${operation}` };
          status(await deliver(kit, delivery(kit, 'suite_crm', payload)), 200);
        }
      },
      ['secret:suite_crm'],
    ),
  ),
  ...trackerTypes.map((type) =>
    contract(
      `HOOK-021/${type}`,
      `create, update and remove of ${type} are taken`,
      async (kit) => {
        for (const action of ['create', 'update', 'remove'] as const) {
          const payload = { ...issueEvent(action, issueOf(900)), type };
          status(
            await deliver(
              kit,
              delivery(kit, 'tracker', type === 'Issue' ? { ...payload, type: 'IssueSLA', action: 'set' } : payload),
            ),
            200,
          );
        }
      },
      ['secret:tracker'],
    ),
  ),
];
