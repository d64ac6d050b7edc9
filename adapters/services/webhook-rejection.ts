import { err } from '#domain/shared/result.ts';
import type { DeliveryRejection, StaleRejection } from '#domain/webhooks/delivery.ts';

type Rejected = Readonly<{ ok: false; failure: DeliveryRejection }>;

/** The rejection of a delivery for another reason than its age. */
export function rejectedDelivery(reason: Exclude<DeliveryRejection['reason'], 'stale'>, detail: string): Rejected {
  return err({ reason, detail });
}

/**
 * Why a delivery that is the sender's own is not fresh; null when it is. `at` is its time by its own word (Unix ms), null
 * when it tells none; `field` is what that time is called.
 */
export function staleness(
  freshness: Readonly<{ at: number | null; field: string; now: number; windowMs: number }>,
  delivery: Readonly<Pick<StaleRejection, 'deliveryId' | 'secret'>>,
): Rejected | null {
  const { at, field, now, windowMs } = freshness;
  if (at === null) {
    return err({ reason: 'stale', detail: `signed, but it has no ${field}`, ageMs: null, ...delivery });
  }
  const ageMs = now - at;
  if (Math.abs(ageMs) <= windowMs) return null;
  const detail = `signed, but ${field} is ${Math.round(Math.abs(ageMs) / 1000)} s from now`;
  return err({ reason: 'stale', detail, ageMs, ...delivery });
}
