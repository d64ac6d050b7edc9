import { partOf, readSalesCrmEvent } from '#adapters/services/sales-crm/webhook-payload.ts';
import { rejectedDelivery } from '#adapters/services/webhook-rejection.ts';
import {
  isBase64Signature,
  isHexSignature,
  jsonOf,
  secretGiven,
  signedBy,
  signedInBase64By,
} from '#adapters/services/webhook-signature.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

/**
 * The options of the sales CRM's receiver. In the neutral dialect `secrets` are signing secrets, the current one first;
 * in the vendor's they are `user:password`.
 */
export type SalesCrmWebhookOptions = Readonly<{ secrets: readonly string[]; dialect: 'neutral' | 'pipedrive' }>;

const signatureHeader = 'X-SalesCrm-Signature';

/**
 * Verifies the sales CRM's deliveries: HMAC-SHA256 of the raw body (HOOK-004), or HTTP Basic in the vendor's dialect,
 * which is unsigned. Without a secret every delivery is rejected.
 */
export function salesCrmWebhookSource({ secrets, dialect }: SalesCrmWebhookOptions): WebhookSource {
  const verified = dialect === 'neutral' ? bySignature : byPassword;
  return {
    service: 'sales_crm',
    verify: (delivery) => {
      if (secrets.length === 0)
        return rejectedDelivery('no_secret', `SALES_CRM_WEBHOOK_SECRET is not set${hints[dialect]}`);
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

const hints = { neutral: ', nor SALES_CRM_CLIENT_SECRET', pipedrive: ' to user:password' };

/** Accepts a signature in hexadecimal or base64; no text is valid as both. */
function bySignature(secrets: readonly string[], delivery: Delivery): Result<number, DeliveryRejection> {
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

function byPassword(secrets: readonly string[], delivery: Delivery): Result<number, DeliveryRejection> {
  const [, given] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(singleHeader(delivery, 'Authorization') ?? '') ?? [];
  if (given === undefined)
    return rejectedDelivery('unsigned', 'there is no Authorization header with Basic credentials');
  const secret = secretGiven(secrets, Buffer.from(given, 'base64').toString('utf8'));
  return secret === null
    ? rejectedDelivery('bad_signature', 'the user and password are none of those configured')
    : ok(secret);
}
