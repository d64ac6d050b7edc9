import { randomUUID } from 'node:crypto';
import type { Kit } from '#test/kit/kit.ts';
import { signed } from '#test/kit/signatures.ts';
import type { Answer } from '#test/kit/wire.ts';

/** The services that send deliveries. */
export type Sender = 'sales_crm' | 'signing' | 'suite_crm' | 'tracker';

type Fields = Readonly<Record<string, unknown>>;

/** The headers and body of a delivery. */
export type Delivery = Readonly<{ service: Sender; headers: Readonly<Record<string, string>>; body: string }>;

/** The header with a sender's signature; null for the suite CRM, which repeats a token in the body. */
export const signatureHeaders: Readonly<Record<Sender, string | null>> = {
  sales_crm: 'x-salescrm-signature',
  signing: 'x-signing-signature',
  suite_crm: null,
  tracker: 'tracker-signature',
};

/** Posts a delivery to its receiver. */
export function deliver(kit: Kit, { service, headers, body }: Delivery): Promise<Answer> {
  const type = { 'content-type': 'application/json' };
  return kit.send({ method: 'POST', path: `/webhooks/${service}`, headers: { ...type, ...headers }, body });
}

/** A body as its sender sends it: signed as it stands, with the sender's own headers. */
export function signedDelivery(kit: Kit, service: Sender, body: string, secret = kit.secret(service)): Delivery {
  const header = signatureHeaders[service];
  const signature = header === null ? {} : { [header]: signed(body, secret) };
  const own =
    service === 'tracker'
      ? { 'tracker-delivery': randomUUID(), 'tracker-event': 'Issue', 'user-agent': 'Tracker-Webhook' }
      : {};
  return { service, headers: { ...own, ...signature }, body };
}

/** A payload that its sender sends now; `at` is when (Unix ms). */
export function delivery(kit: Kit, service: Sender, payload: Fields): Delivery {
  const token = service === 'suite_crm' ? { token: kit.secret('suite_crm') } : {};
  return signedDelivery(kit, service, JSON.stringify({ ...payload, ...token }));
}

/** An update of a deal of the sales CRM. */
export function dealUpdated(data: Fields, previous: Fields = {}, at = Date.now()): Fields {
  return {
    event: 'updated.deal',
    meta: {
      action: 'updated',
      entity: 'deal',
      object: 'deal',
      id: randomUUID(),
      entity_id: String(data['id']),
      timestamp: new Date(at).toISOString(),
    },
    data: { currency: 'EUR', stage_id: 2, ...data },
    previous,
  };
}

/** An update of a person or an organization of the sales CRM. */
export function partyUpdated(entity: 'person' | 'organization', data: Fields): Fields {
  const meta = {
    action: 'updated',
    entity,
    object: entity,
    id: randomUUID(),
    entity_id: String(data['id']),
    timestamp: new Date().toISOString(),
  };
  return { event: `updated.${entity}`, meta, data, previous: {} };
}

/** An event of a document of the signing service. */
export function documentEvent(event: string, data: Fields, at = Date.now()): Fields {
  return { event, date_created: new Date(at).toISOString(), data };
}

/** An event of an issue of the tracker. */
export function issueEvent(action: 'create' | 'update' | 'remove', data: Fields, at = Date.now()): Fields {
  const updatedFrom = action === 'update' ? { updatedFrom: { title: 'before' } } : {};
  return {
    action,
    type: 'Issue',
    data,
    ...updatedFrom,
    actor: { id: 'kit-actor', name: 'Kit' },
    url: 'https://tracker.example/issue',
    webhookTimestamp: at,
    webhookId: randomUUID(),
  };
}

/** An issue with an id and a number of its own. */
export function issueOf(number: number, more: Fields = {}): Fields {
  const now = new Date().toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    identifier: `KIT-${number}`,
    number,
    title: `Issue ${number}`,
    description: 'Steps to see it',
    priority: 2,
    priorityLabel: 'High',
    createdAt: now,
    updatedAt: now,
    url: `https://tracker.example/acme/issue/KIT-${number}`,
    projectId: 'project-1',
    project: { id: 'project-1', name: 'Auth' },
    assigneeId: 'user-1',
    assignee: { id: 'user-1', name: 'Ann' },
    state: { id: 'state-1', name: 'In Progress', type: 'started' },
    labels: [],
    ...more,
  };
}
