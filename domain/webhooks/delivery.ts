import { hash } from 'node:crypto';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/**
 * A webhook delivery as received; `body` is the raw bytes, `address` the sender's IP address if known. Header names are
 * lower-case. `url` is the public URL that the sender called: the server's base URL, with path and query as received.
 */
export type Delivery = Readonly<{
  service: ServiceKey;
  method: string;
  url: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  query: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
  address?: string;
}>;

/** The maximum size of a delivery's body, in bytes: 1 MiB (HOOK-009). */
export const maxDeliveryBytes = 1_048_576;

/**
 * The rejection of an authentic delivery that is too old or too new, for example a replayed one. `ageMs` is negative
 * for one from the future, null when it carries no time; `secret` is the index of the secret that signed it, from 0.
 */
export type StaleRejection = Readonly<{
  reason: 'stale';
  detail: string;
  ageMs: number | null;
  deliveryId: string | null;
  secret: number;
}>;

/**
 * The rejection of a delivery. Only `not_json` and `too_large` are disclosed to the sender; all others answer 401.
 * `detail` is a sentence for the log, without secrets and parts of the body.
 */
export type DeliveryRejection =
  | StaleRejection
  | Readonly<{
      reason: 'too_large' | 'no_secret' | 'unsigned' | 'bad_signature' | 'foreign_address' | 'not_json';
      detail: string;
    }>;

/** Returns a header's value when it was sent exactly once and is not empty; null otherwise. */
export function singleHeader(delivery: Delivery, name: string): string | null {
  const value = own(delivery.headers, name.toLowerCase());
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a query parameter's value when it was sent exactly once and is not empty; null otherwise. */
export function singleParameter(delivery: Delivery, name: string): string | null {
  const value = own(delivery.query, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Returns the id by which a delivery is deduplicated: the sender's own when it is at most 200 printable ASCII
 * characters without spaces, else the digest of the body.
 */
export function deliveryIdOf(given: string | null, body: Uint8Array): string {
  return given !== null && /^[\x21-\x7e]{1,200}$/.test(given) ? given : `sha256:${hash('sha256', body)}`;
}
