import { hash } from 'node:crypto';
import { z } from 'zod';
import { eventNameIn, eventOf, fetchedEvent } from '#adapters/services/sales-crm/details/event-of.ts';
import { deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import { realTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { DeliveryPart, WebhookSource } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok } from '#domain/shared/result.ts';
import { type Delivery, singleHeader } from '#domain/webhooks/delivery.ts';

const signatureHeader = 'X-HubSpot-Signature-v3';
const timestampHeader = 'X-HubSpot-Request-Timestamp';
const windowMs = 5 * 60_000;

/** The encoded characters that HubSpot signs as they are; the others remain encoded. */
const decodedCodes = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/** The time that a delivery states, in Unix ms; null for anything else. */
function timestampOf(delivery: Delivery): number | null {
  const text = singleHeader(delivery, timestampHeader) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The bytes that a signature of the third version covers: method, address, body and time, one after the other. */
function signedBytes(delivery: Delivery): Uint8Array {
  const { method, url, body } = delivery;
  const address = url.replaceAll(decodedCodes, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  const timestamp = singleHeader(delivery, timestampHeader) ?? '';
  return Buffer.concat([Buffer.from(`${method}${address}`), body, Buffer.from(timestamp)]);
}

/**
 * Verifies HubSpot's deliveries by the client secrets of its app, and reads the records that they name. `accounts` are
 * the ids of the accounts whose events count; all do when it is empty.
 */
export function hubspotWebhookSource(secrets: readonly string[], accounts: readonly string[]): WebhookSource {
  return {
    service: 'sales_crm',
    verify: deliveryVerifier({
      secrets,
      setting: 'the client secret of the app',
      proof: signedIn(signatureHeader, { in: ['base64'], of: signedBytes }),
      idOf: (_, body) => deliveryIdIn(body),
      freshness: { field: timestampHeader, windowMs, timesOf: (delivery) => [realTime(timestampOf(delivery))] },
    }),
    parts: partsIn,
    read: (part, receivedAt) => {
      const { said, name, object, recordId, portalId, occurredAt } = factsOf(part);
      const unknown = (detail: string) => err({ reason: 'unknown', detail } as const);
      if (name === null || object === null)
        return unknown(`no event of the sales CRM is called ${JSON.stringify(said)}`);
      if (accounts.length > 0 && !accounts.includes(portalId ?? '')) return unknown(`it is of the account ${portalId}`);
      if (recordId === null) return err({ reason: 'unreadable', detail: `${name} has no id of its ${object}` });
      const record = { service: 'sales_crm', kind: object, id: recordId } as const;
      return ok(eventOf(name, { service: 'sales_crm', record, occurredAt: occurredAt ?? receivedAt }, null));
    },
    fetch: fetchedEvent,
  };
}

const number = z.number().int().nonnegative().transform(String);
const id = z
  .union([number, z.string().regex(/^\d{1,30}$/)])
  .nullish()
  .catch(null);
const text = z.string().max(200).nullish().catch(null);
const words = { subscriptionType: text, eventType: text, objectTypeId: text, fromObjectTypeId: text };
const ids = { objectId: id, fromObjectId: id, primaryObjectId: id, newObjectId: id, portalId: id, eventId: id };
const time = z.number().nullish().catch(null);
const eventSchema = z.looseObject({ ...words, ...ids, propertyName: text, occurredAt: time });

/** The kind's records, by the first word of a subscription and by HubSpot's ids of types. */
const named = { contact: 'person', company: 'organization', deal: 'deal', product: 'product' };
const typed = { '0-1': 'person', '0-2': 'organization', '0-3': 'deal', '0-7': 'product', '0-136': 'lead' };
const activities = { '0-27': 'activity', '0-47': 'activity', '0-48': 'activity', '0-46': 'note' };
const objects: Readonly<Record<string, string>> = { ...named, ...typed, ...activities };

const changed = { propertyChange: 'updated', associationChange: 'updated', restore: 'updated' };
const ended = { deletion: 'deleted', privacyDeletion: 'deleted', merge: 'merged' };
const actions: Readonly<Record<string, string>> = { creation: 'added', ...changed, ...ended };

/**
 * Reads what happened to which record. `identity` tells the event from all others: the number of the attempt is no part
 * of it, and HubSpot's id alone is not unique.
 */
function factsOf(body: unknown) {
  const event = eventSchema.safeParse(body).data;
  const said = event?.subscriptionType ?? event?.eventType ?? 'unknown';
  const [word = '', what = ''] = said.split('.');
  const type = word === 'object' ? (event?.objectTypeId ?? event?.fromObjectTypeId ?? '') : word;
  const object = own(objects, type) ?? null;
  const merged = what === 'merge' ? (event?.newObjectId ?? event?.primaryObjectId) : null;
  const recordId = merged ?? event?.objectId ?? event?.fromObjectId ?? null;
  const { portalId = null, eventId = null, propertyName, occurredAt } = event ?? {};
  const identity = eventId === null ? null : [portalId, said, recordId, eventId, occurredAt, propertyName];
  const name = eventNameIn(`${own(actions, what)}.${object}`);
  return { said, name, object, recordId, portalId, occurredAt: realTime(occurredAt), identity };
}

/** The events of a verified body; anything that is not a list of events is one unknown event. */
const eventsIn = (body: unknown): readonly unknown[] => (Array.isArray(body) && body.length > 0 ? body : [body]);

/** The id by which a repeated delivery is recognized, which has the same events; null when they have no ids. */
function deliveryIdIn(body: unknown): string | null {
  const identities = eventsIn(body).map((event) => factsOf(event).identity);
  return identities.includes(null) ? null : `hubspot:${hash('sha256', JSON.stringify(identities))}`;
}

/**
 * The parts of a delivery, in its order. Several changes of one record are one part, the latest: HubSpot sends one event
 * for each property, and the record is read as it is now.
 */
function partsIn(body: unknown): readonly DeliveryPart[] {
  const parts = new Map<string, Readonly<{ part: DeliveryPart; at: number }>>();
  for (const [index, event] of eventsIn(body).entries()) {
    const { said, name, object, recordId: id, portalId, occurredAt } = factsOf(event);
    const orderKey = object === null || id === null ? null : orderKeyOf({ service: 'sales_crm', kind: object, id });
    const part = { name: (name ?? said).slice(0, 100), orderKey, body: event };
    const isChange = name?.startsWith('updated.') === true && orderKey !== null;
    const key = isChange ? `${portalId} ${orderKey}` : String(index);
    const at = occurredAt ?? 0;
    if (at >= (parts.get(key)?.at ?? 0)) parts.set(key, { part, at });
  }
  return [...parts.values()].map(({ part }) => part);
}
