import { holds, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, recommended } from '#test/kit/clause.ts';
import { deliver, delivery, documentEvent, issueEvent, issueOf, signedDelivery } from '#test/kit/deliveries.ts';
import { all, good, quiet, signing } from '#test/kit/quiet-deliveries.ts';
import { isRefused } from '#test/kit/redirects.ts';

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

/** Clauses on verified deliveries: malformed, repeated, unknown, and every event. */
export const events: readonly Clause[] = [
  ...signing.map((service) =>
    portolan(
      `HOOK-009/${service}`,
      'a verified body that is no JSON is 400',
      async (kit) => status(await deliver(kit, signedDelivery(kit, service, '{"event": ')), 400),
      [`secret:${service}`],
    ),
  ),
  recommended(
    'HOOK-009/large',
    'a body over 1 MiB is 413',
    async (kit) => {
      const body = JSON.stringify({ ...quiet.sales_crm(), padding: 'x'.repeat(1024 * 1024) });
      isRefused(kit, await deliver(kit, signedDelivery(kit, 'sales_crm', body)), 413);
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
