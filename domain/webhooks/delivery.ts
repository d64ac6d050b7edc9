import { hash } from 'node:crypto';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/**
 * A webhook delivery as it came in; `body` is the raw bytes, `address` the IP address that it came from, where that is known. Header names
 * are in lower case.
 */
export type Delivery = Readonly<{
  service: ServiceKey;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  query: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
  address?: string;
}>;

/** How large a delivery's body may be, in bytes: 1 MiB (HOOK-009). */
export const maxDeliveryBytes = 1_048_576;

/**
 * A delivery that is the sender's own and too old or too new, as one that was held back and sent again is. `ageMs` is
 * negative for one from the future, null when it does not tell its time; `secret` is which of the secrets signed it, from 0.
 */
export type StaleRefusal = Readonly<{
  reason: 'stale';
  detail: string;
  ageMs: number | null;
  deliveryId: string | null;
  secret: number;
}>;

/**
 * Why a delivery was refused. Only `not_json` and `too_large` are told to the sender; the others are all 401. `detail` is a
 * sentence for the log, without a secret or a part of the body.
 */
export type DeliveryRefusal =
  | StaleRefusal
  | Readonly<{
      reason: 'too_large' | 'no_secret' | 'unsigned' | 'bad_signature' | 'foreign_address' | 'not_json';
      detail: string;
    }>;

/** A header's value when it was sent exactly once and is not empty, else null. */
export function singleHeader(delivery: Delivery, name: string): string | null {
  const value = own(delivery.headers, name.toLowerCase());
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A query parameter's value when it was sent exactly once and is not empty, else null. */
export function singleParameter(delivery: Delivery, name: string): string | null {
  const value = own(delivery.query, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The id under which a delivery is kept once: the sender's own when it is a plain text of at most 200 characters, else
 * the digest of the body.
 */
export function deliveryIdOf(given: string | null, body: Uint8Array): string {
  return given !== null && /^[\x21-\x7e]{1,200}$/.test(given) ? given : `sha256:${hash('sha256', body)}`;
}
