import { partsOf, readSigningEvent, statedTimes } from '#adapters/services/signing/neutral/webhook-payload.ts';
import { rejectedDelivery, staleness } from '#adapters/services/webhook-rejection.ts';
import { boundId, isHexSignature, jsonOf, signedBy } from '#adapters/services/webhook-signature.ts';
import type { Verified, WebhookSource } from '#application/ports/webhook-source.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

/** Where a vendor signs its deliveries and what identifies them; `isTimed` when they carry their own time. */
export type SigningWebhookFacts = Readonly<{
  signatureIn: string;
  signatureOf(delivery: Delivery): string | null;
  idOf(delivery: Delivery): string | null;
  isTimed: boolean;
}>;

/** The maximum difference between `date_created` and now, in ms, in either direction (HOOK-005). */
export const signingWindowMs = 300_000;

/** The neutral dialect's. */
export const neutralFacts: SigningWebhookFacts = {
  signatureIn: 'the header X-Signing-Signature',
  signatureOf: (delivery) => singleHeader(delivery, 'X-Signing-Signature'),
  idOf: () => null,
  isTimed: true,
};

/**
 * Verifies the signing service's deliveries: hexadecimal HMAC-SHA256 of the raw body, and each event's `date_created`
 * within 5 minutes (HOOK-005). `secrets` are the shared keys, the current one first; without one every delivery is
 * rejected.
 */
export function signingWebhookSource(
  secrets: readonly string[],
  { signatureIn, signatureOf, idOf, isTimed }: SigningWebhookFacts,
): WebhookSource {
  function verify(delivery: Delivery, now: number): Result<Verified, DeliveryRejection> {
    if (secrets.length === 0) return rejectedDelivery('no_secret', 'SIGNING_WEBHOOK_KEY is not set');
    const signature = signatureOf(delivery);
    if (signature === null) return rejectedDelivery('unsigned', `${signatureIn} is missing, empty or sent twice`);
    if (!isHexSignature(signature)) return rejectedDelivery('unsigned', `${signatureIn} is not 64 hexadecimal digits`);
    const secret = signedBy(secrets, delivery.body, signature);
    if (secret === null) return rejectedDelivery('bad_signature', 'no configured key made this signature');
    const body = jsonOf(delivery.body);
    if (body === undefined) return rejectedDelivery('not_json', 'signed, and not JSON in UTF-8, or nested too deeply');
    const deliveryId = boundId(idOf(delivery), body);
    for (const at of isTimed ? statedTimes(body) : []) {
      const freshness = { at, field: 'date_created', now, windowMs: signingWindowMs };
      const stale = staleness(freshness, { deliveryId, secret });
      if (stale !== null) return stale;
    }
    return ok({ body, deliveryId, secret });
  }

  return { service: 'signing', verify, parts: partsOf, read: readSigningEvent };
}
