import { createHmac } from 'node:crypto';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import { sign } from '#test/support/webhooks/webhook-tracker.ts';

/** The secrets of the tests' senders. */
export const salesCrmSecret = 'the client secret of the app';
export const signingKey = 'the shared key of the webhook';
export const suiteCrmToken = 'the-token-that-was-chosen';

type Fields = Readonly<Record<string, unknown> & { id?: string | number }>;
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery of the sales CRM, signed in hexadecimal. */
export function salesCrmDelivery(payload: unknown, headers: Headers = {}): Delivery {
  const body = Buffer.from(JSON.stringify(payload));
  const own = { 'x-salescrm-signature': sign(body, salesCrmSecret) };
  return { ...sentTo('sales_crm'), headers: { ...own, ...headers }, query: {}, body };
}

/** The base64 HMAC-SHA256 of the bytes. */
export function signInBase64(body: string | Uint8Array, secret = salesCrmSecret): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** A change of a deal: what it is now, what it was, and when it changed. */
export const dealPayload = (data: Fields = {}, previous: Fields = {}, at = '2026-01-14T18:16:56.057Z'): Fields => ({
  event: 'updated.deal',
  meta: {
    action: 'updated',
    entity: 'deal',
    entity_id: `${data['id'] ?? 8}`,
    id: `event-${at}-${JSON.stringify(data)}`.replaceAll(' ', '').slice(0, 150),
    timestamp: at,
  },
  data: { id: 8, title: 'Sample deal', value: 112, currency: 'EUR', status: 'won', stage_id: 2, ...data },
  previous: { status: 'open', value: 100, ...previous },
});

/** A change of a person or an organization. */
export const partyPayload = (
  entity: 'person' | 'organization',
  data: Fields,
  at = '2026-01-14T18:16:56.057Z',
  action = 'updated',
): Fields => ({
  event: `${action}.${entity}`,
  meta: { action, entity, entity_id: `${data['id']}`, id: `${entity}-${data['id']}-${at}`, timestamp: at },
  data,
  previous: {},
});

/** A delivery of the signing service. */
export function signingDelivery(payload: unknown, headers: Headers = {}): Delivery {
  const body = Buffer.from(JSON.stringify(payload));
  const own = { 'x-signing-signature': sign(body, signingKey) };
  return { ...sentTo('signing'), headers: { ...own, ...headers }, query: {}, body };
}

/** An event of a document, made at `createdAt` (Unix ms). */
export const documentPayload = (createdAt: number, event: string, data: Fields = {}): Fields => ({
  event,
  date_created: new Date(createdAt).toISOString(),
  data: { id: 'doc1', name: 'Agreement', status: 'document.sent', ...data },
});

/** A delivery of the suite CRM: it echoes the token. */
export function suiteCrmDelivery(payload: Fields): Delivery {
  const body = Buffer.from(JSON.stringify({ token: suiteCrmToken, ...payload }));
  return { ...sentTo('suite_crm'), headers: {}, query: {}, body };
}
