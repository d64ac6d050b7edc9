import { partsOf, readSuiteCrmEvent, tokenIn } from '#adapters/services/suite-crm/neutral/webhook-payload.ts';
import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { jsonOf, secretGiven } from '#adapters/services/webhooks/webhook-signature.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { ok } from '#domain/shared/result.ts';
import { addressRanges } from '#infrastructure/http/address-ranges.ts';

/**
 * The options of the suite CRM's receiver: the tokens chosen at registration, the current one first; and the addresses
 * or ranges that deliveries may come from (HOOK-014), any by default.
 */
export type SuiteCrmWebhookOptions = Readonly<{
  secrets: readonly string[];
  addresses?: readonly string[] | undefined;
}>;

/**
 * Verifies the suite CRM's deliveries: the body echoes the `token` chosen at registration (HOOK-006). That is not a
 * signature: whoever has seen one delivery can forge another. Without a token every delivery is rejected. Both dialects
 * verify alike.
 */
export function suiteCrmWebhookSource({ secrets, addresses }: SuiteCrmWebhookOptions): WebhookSource {
  const isAllowed = addresses === undefined ? () => true : addressRanges(addresses);
  return {
    service: 'suite_crm',
    verify: (delivery) => {
      if (secrets.length === 0) return rejectedDelivery('no_secret', 'SUITE_CRM_WEBHOOK_TOKEN is not set');
      if (!isAllowed(delivery.address ?? '')) {
        const from = delivery.address ?? 'an unknown address';
        return rejectedDelivery('foreign_address', `it came from ${from}, which is not in SUITE_CRM_WEBHOOK_ADDRESSES`);
      }
      const body = jsonOf(delivery.body);
      // A body that is not JSON contains no token, so the sender cannot be verified.
      const token = tokenIn(body);
      if (token === null) return rejectedDelivery('unsigned', 'there is no token in the body');
      const secret = secretGiven(secrets, token);
      if (secret === null) return rejectedDelivery('bad_signature', 'the token is none of those configured');
      return ok({ body, deliveryId: null, secret });
    },
    parts: partsOf,
    read: readSuiteCrmEvent,
  };
}
