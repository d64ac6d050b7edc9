import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { Delivery, DeliveryRefusal } from '#domain/webhooks/delivery.ts';

/**
 * A delivery that is the sender's own: its body as parsed JSON, the id that the sender gave it, or null, and which of the
 * secrets signed it, from 0.
 */
export type Verified = Readonly<{ body: unknown; deliveryId: string | null; secret: number }>;

/** One event of a delivery, before it is understood; some senders put several into one delivery. */
export type DeliveryPart = Readonly<{
  /** The neutral dialect's name for it, or what the sender calls it when it is none of those; for lists and logs. */
  name: string;
  /** The line in which it waits, from `orderKeyOf`; null when its record cannot be told. */
  orderKey: string | null;
  /** The part of the body that is about it. */
  body: unknown;
}>;

/** What a service's deliveries look like. Nothing here throws, whatever bytes came. */
export interface WebhookSource {
  readonly service: ServiceKey;
  /**
   * Whether the raw bytes are the sender's own and fresh at `now` (Unix ms). What is the sender's own and not JSON in
   * UTF-8 is `not_json`.
   */
  verify(delivery: Delivery, now: number): Result<Verified, DeliveryRefusal>;
  /** The events of a verified body, at least one; an unknown one too. */
  parts(body: unknown): readonly DeliveryPart[];
  /**
   * The part's event in our words; `unknown` when it is none of those, `unreadable` when it lacks what such events
   * have. `receivedAt` (Unix ms) is when it happened, as far as a service does not tell.
   */
  read(
    part: unknown,
    receivedAt: number,
  ): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>>;
}
