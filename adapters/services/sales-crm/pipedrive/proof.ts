import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { secretGiven } from '#adapters/services/webhooks/webhook-signature.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

/** Accepts deliveries with HTTP Basic credentials, since Pipedrive does not sign; secrets are `user:password`. */
export function byPassword(secrets: readonly string[], delivery: Delivery): Result<number, DeliveryRejection> {
  const [, given] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(singleHeader(delivery, 'Authorization') ?? '') ?? [];
  if (given === undefined)
    return rejectedDelivery('unsigned', 'there is no Authorization header with Basic credentials');
  const secret = secretGiven(secrets, Buffer.from(given, 'base64').toString('utf8'));
  return secret === null
    ? rejectedDelivery('bad_signature', 'the user and password are none of those configured')
    : ok(secret);
}
