import { partOf, readSalesCrmEvent } from '#adapters/services/sales-crm/neutral/webhook-payload.ts';
import { type DeliveryProof, deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';

/** How a vendor proves its deliveries; `setting` says what to set. */
type SalesCrmProof = Readonly<{ setting: string; proof: DeliveryProof }>;

/** The neutral dialect's: a signature, in hexadecimal or base64. */
export const bySignature: SalesCrmProof = {
  setting: 'SALES_CRM_WEBHOOK_SECRET or SALES_CRM_CLIENT_SECRET',
  proof: signedIn('X-SalesCrm-Signature', { in: ['hex', 'base64'] }),
};

/** Verifies the sales CRM's deliveries by its vendor's proof (HOOK-004). */
export function salesCrmWebhookSource(secrets: readonly string[], proof: SalesCrmProof): WebhookSource {
  return {
    service: 'sales_crm',
    verify: deliveryVerifier({ secrets, ...proof, idOf: (_, body) => partOf(body).deliveryId }),
    parts: (body) => [partOf(body).part],
    read: readSalesCrmEvent,
  };
}
