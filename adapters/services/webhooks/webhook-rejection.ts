import { err } from '#domain/shared/result.ts';
import type { DeliveryRejection, StaleRejection } from '#domain/webhooks/delivery.ts';

type Rejected = Readonly<{ ok: false; failure: DeliveryRejection }>;

/** The maximum age that is reported, in ms: a hundred years. Senders state any number. */
const maxAgeMs = 100 * 365 * 86_400_000;

/** Rejects a delivery for a reason other than its age. */
export function rejectedDelivery(reason: Exclude<DeliveryRejection['reason'], 'stale'>, detail: string): Rejected {
  return err({ reason, detail });
}

/**
 * Why an authentic delivery is not fresh; null when it is. `at` is the time it states (Unix ms), null when it states
 * none; `field` is the name of that field.
 */
export function staleness(
  freshness: Readonly<{ at: number | null; field: string; now: number; windowMs: number }>,
  delivery: Readonly<Pick<StaleRejection, 'deliveryId' | 'secret'>>,
): Rejected | null {
  const { at, field, now, windowMs } = freshness;
  if (at === null) {
    return err({ reason: 'stale', detail: `signed, but it has no ${field}`, ageMs: null, ...delivery });
  }
  const ageMs = Math.max(-maxAgeMs, Math.min(maxAgeMs, now - at));
  if (Math.abs(ageMs) <= windowMs) return null;
  const detail = `signed, but ${field} is ${Math.round(Math.abs(ageMs) / 1000)} s from now`;
  return err({ reason: 'stale', detail, ageMs, ...delivery });
}
