import { kindOf } from '#adapters/services/tracker/neutral/webhook-kinds.ts';
import {
  payloadSchema,
  readTrackerEvent,
  trackerEventName,
} from '#adapters/services/tracker/neutral/webhook-payload.ts';
import { deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import { boundId } from '#adapters/services/webhooks/webhook-signature.ts';
import type { DeliveryPart, WebhookSource } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import { singleHeader } from '#domain/webhooks/delivery.ts';

/** The maximum difference between `webhookTimestamp` and now, in ms, in either direction (HOOK-007). */
const windowMs = 60_000;

/** The names of a vendor's headers. */
export type TrackerWebhookHeaders = Readonly<{ signatureHeader: string; deliveryHeader: string }>;

/**
 * Verifies the tracker's deliveries: hexadecimal HMAC-SHA256 of the raw body, and a `webhookTimestamp` within 60 s
 * (HOOK-007). `secrets` are the signing secrets, the current one first; without one every delivery is rejected.
 */
export function trackerWebhookSource(
  secrets: readonly string[],
  { signatureHeader, deliveryHeader }: TrackerWebhookHeaders,
): WebhookSource {
  const verify = deliveryVerifier({
    secrets,
    setting: 'TRACKER_WEBHOOK_SECRET',
    proof: signedIn(signatureHeader),
    // The time of sending differs between attempts; the rest describes the event and stays the same.
    idOf: (delivery, body) => boundId(singleHeader(delivery, deliveryHeader), body, ['webhookTimestamp']),
    freshness: {
      field: 'webhookTimestamp',
      windowMs,
      timesOf: (_, body) => [payloadSchema.safeParse(body).data?.webhookTimestamp ?? null],
    },
  });
  return { service: 'tracker', verify, parts: (body) => [{ ...trackerPart(body), body }], read: readTrackerEvent };
}

/** The name of a body's event, and its record. */
export function trackerPart(body: unknown): Omit<DeliveryPart, 'body'> {
  const payload = payloadSchema.safeParse(body).data;
  const { type = 'unknown', action = 'unknown' } = payload ?? {};
  const kind = kindOf(type);
  const id = payload?.data?.id;
  const orderKey = kind === null || id === undefined ? null : orderKeyOf({ service: 'tracker', kind, id });
  const name = trackerEventName(kind, action) ?? (action === '' ? type : `${type}.${action}`);
  return { name: name.slice(0, 100), orderKey };
}
