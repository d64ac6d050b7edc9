import { partsOf, readSigningEvent, statedTimes } from '#adapters/services/signing/neutral/webhook-payload.ts';
import { type DeliveryFacts, deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';

/** How a vendor proves its deliveries, and what identifies them; with `freshness` when they carry their own time. */
export type SigningWebhookFacts = Pick<DeliveryFacts, 'proof' | 'idOf' | 'freshness'>;

/** The neutral dialect's: `date_created` is at most five minutes from now, in either direction (HOOK-005). */
export const neutralFacts: SigningWebhookFacts = {
  proof: signedIn('X-Signing-Signature'),
  freshness: { field: 'date_created', windowMs: 300_000, timesOf: (_, body) => statedTimes(body) },
};

/** Verifies the signing service's deliveries. `secrets` are the shared keys, the current one first. */
export function signingWebhookSource(secrets: readonly string[], facts: SigningWebhookFacts): WebhookSource {
  const verify = deliveryVerifier({ secrets, setting: 'SIGNING_WEBHOOK_KEY', ...facts });
  return { service: 'signing', verify, parts: partsOf, read: readSigningEvent };
}
