import { rejectedDelivery, staleness } from '#adapters/services/webhooks/webhook-rejection.ts';
import {
  isBase64Signature,
  isHexSignature,
  jsonOf,
  signedBy,
  signedInBase64By,
} from '#adapters/services/webhooks/webhook-signature.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { type Delivery, type DeliveryRejection, singleHeader } from '#domain/webhooks/delivery.ts';

/** Finds the index of the secret that proves a delivery. */
export type DeliveryProof = (secrets: readonly string[], delivery: Delivery) => Result<number, DeliveryRejection>;

/** How a vendor's deliveries are verified. */
export type DeliveryFacts = Readonly<{
  /** The secrets, the current one first; without one every delivery is rejected. */
  secrets: readonly string[];
  /** What has to be set: 'TRACKER_WEBHOOK_SECRET'. */
  setting: string;
  proof: DeliveryProof;
  /** The id that is the same when the delivery is sent again; null when it has none. */
  idOf?(delivery: Delivery, body: unknown): string | null;
  /** The times that a delivery states, in Unix ms, each of which has to be within `windowMs` of now; null for a missing one. */
  freshness?: Readonly<{
    field: string;
    windowMs: number;
    timesOf(delivery: Delivery, body: unknown): readonly (number | null)[];
  }>;
}>;

/** Verifies deliveries in the order that HOOK-003 asks for: the proof, the form, the age. */
export function deliveryVerifier(facts: DeliveryFacts): WebhookSource['verify'] {
  const { secrets, setting, proof, idOf, freshness } = facts;
  return (delivery, now) => {
    if (secrets.length === 0) return rejectedDelivery('no_secret', `${setting} is not set`);
    const proven = proof(secrets, delivery);
    if (!proven.ok) return proven;
    const secret = proven.value;
    const body = jsonOf(delivery.body);
    if (body === undefined)
      return rejectedDelivery('not_json', 'verified, and not JSON in UTF-8, or nested too deeply');
    const deliveryId = idOf?.(delivery, body) ?? null;
    if (freshness !== undefined) {
      const { field, windowMs, timesOf } = freshness;
      for (const at of timesOf(delivery, body)) {
        const stale = staleness({ at, field, now, windowMs }, { deliveryId, secret });
        if (stale !== null) return stale;
      }
    }
    return ok({ body, deliveryId, secret });
  };
}

/** How HMAC-SHA256 is encoded. */
const encodings = {
  hex: { form: '64 hexadecimal digits', fits: isHexSignature, by: signedBy },
  base64: { form: '44 characters of base64', fits: isBase64Signature, by: signedInBase64By },
};

/** Where a signature is and what it signs: by default the raw body, in hexadecimal, with nothing before it. */
export type SignatureFacts = Readonly<{
  in?: readonly (keyof typeof encodings)[];
  prefix?: string;
  of?(delivery: Delivery): Uint8Array;
  /** Reads it, where it is not in the header of this name. */
  read?(delivery: Delivery): string | null;
}>;

/** The proof by HMAC-SHA256 in a header, or elsewhere; no text is valid in two encodings. */
export function signedIn(place: string, facts: SignatureFacts = {}): DeliveryProof {
  const { in: accepted = ['hex'], prefix = '', of = ({ body }) => body, read } = facts;
  const form = `${prefix}${accepted.map((one) => encodings[one].form).join(' or ')}`;
  return (secrets, delivery) => {
    const given = read === undefined ? singleHeader(delivery, place) : read(delivery);
    if (given === null) return rejectedDelivery('unsigned', `${place} is missing, empty or sent twice`);
    const signature = given.startsWith(prefix) ? given.slice(prefix.length) : '';
    const encoding = accepted.find((one) => encodings[one].fits(signature));
    if (encoding === undefined) return rejectedDelivery('unsigned', `${place} is not ${form}`);
    const secret = encodings[encoding].by(secrets, of(delivery), signature);
    return secret === null ? rejectedDelivery('bad_signature', 'no configured secret made this signature') : ok(secret);
  };
}
