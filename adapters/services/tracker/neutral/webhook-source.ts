import { kindOf } from '#adapters/services/tracker/neutral/webhook-kinds.ts';
import {
  payloadSchema,
  readTrackerEvent,
  trackerEventName,
} from '#adapters/services/tracker/neutral/webhook-payload.ts';
import { rejectedDelivery, staleness } from '#adapters/services/webhook-rejection.ts';
import { boundId, isHexSignature, jsonOf, signedBy } from '#adapters/services/webhook-signature.ts';
import type { DeliveryPart, Verified, WebhookSource } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

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
  function verify(delivery: Delivery, now: number): Result<Verified, DeliveryRejection> {
    if (secrets.length === 0) return rejectedDelivery('no_secret', 'TRACKER_WEBHOOK_SECRET is not set');
    const signature = singleHeader(delivery, signatureHeader);
    if (signature === null) return rejectedDelivery('unsigned', `${signatureHeader} is missing, empty or sent twice`);
    if (!isHexSignature(signature))
      return rejectedDelivery('unsigned', `${signatureHeader} is not 64 hexadecimal digits`);
    const secret = signedBy(secrets, delivery.body, signature);
    if (secret === null) return rejectedDelivery('bad_signature', 'no configured secret made this signature');
    const body = jsonOf(delivery.body);
    if (body === undefined) return rejectedDelivery('not_json', 'signed, and not JSON in UTF-8, or nested too deeply');
    // The time of sending differs between attempts; the rest describes the event and stays the same.
    const deliveryId = boundId(singleHeader(delivery, deliveryHeader), body, ['webhookTimestamp']);
    const at = payloadSchema.safeParse(body).data?.webhookTimestamp ?? null;
    const freshness = { at, field: 'webhookTimestamp', now, windowMs };
    return staleness(freshness, { deliveryId, secret }) ?? ok({ body, deliveryId, secret });
  }

  return { service: 'tracker', verify, parts, read: readTrackerEvent };
}

function parts(body: unknown): readonly DeliveryPart[] {
  const payload = payloadSchema.safeParse(body).data;
  const { type = 'unknown', action = 'unknown' } = payload ?? {};
  const kind = kindOf(type);
  const id = payload?.data?.id;
  const orderKey = kind === null || id === undefined ? null : orderKeyOf({ service: 'tracker', kind, id });
  const name = trackerEventName(kind, action) ?? `${type}.${action}`;
  return [{ name: name.slice(0, 100), orderKey, body }];
}
