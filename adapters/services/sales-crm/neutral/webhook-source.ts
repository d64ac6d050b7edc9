import { partOf, readSalesCrmEvent } from '#adapters/services/sales-crm/neutral/webhook-payload.ts';
import { rejectedDelivery } from '#adapters/services/webhook-rejection.ts';
import {
  isBase64Signature,
  isHexSignature,
  jsonOf,
  signedBy,
  signedInBase64By,
} from '#adapters/services/webhook-signature.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

const signatureHeader = 'X-SalesCrm-Signature';

/** How a vendor proves its deliveries: the index of the secret that does; `hint` says what to set the secret to. */
export type DeliveryProof = Readonly<{
  hint: string;
  verified(secrets: readonly string[], delivery: Delivery): Result<number, DeliveryRejection>;
}>;

/** Verifies the sales CRM's deliveries by its proof (HOOK-004). Without a secret every delivery is rejected. */
export function salesCrmWebhookSource(secrets: readonly string[], { hint, verified }: DeliveryProof): WebhookSource {
  return {
    service: 'sales_crm',
    verify: (delivery) => {
      if (secrets.length === 0) return rejectedDelivery('no_secret', `SALES_CRM_WEBHOOK_SECRET is not set${hint}`);
      const secret = verified(secrets, delivery);
      if (!secret.ok) return secret;
      const body = jsonOf(delivery.body);
      if (body === undefined)
        return rejectedDelivery('not_json', 'verified, and not JSON in UTF-8, or nested too deeply');
      return ok({ body, deliveryId: partOf(body).deliveryId, secret: secret.value });
    },
    parts: (body) => [partOf(body).part],
    read: readSalesCrmEvent,
  };
}

/** Accepts a signature, HMAC-SHA256 of the raw body, in hexadecimal or base64; no text is valid as both. */
export function bySignature(secrets: readonly string[], delivery: Delivery): Result<number, DeliveryRejection> {
  const signature = singleHeader(delivery, signatureHeader);
  if (signature === null) return rejectedDelivery('unsigned', `${signatureHeader} is missing, empty or sent twice`);
  const isHex = isHexSignature(signature);
  if (!isHex && !isBase64Signature(signature)) {
    return rejectedDelivery(
      'unsigned',
      `${signatureHeader} is neither 64 hexadecimal digits nor 44 characters of base64`,
    );
  }
  const secret = (isHex ? signedBy : signedInBase64By)(secrets, delivery.body, signature);
  return secret === null ? rejectedDelivery('bad_signature', 'no configured secret made this signature') : ok(secret);
}
