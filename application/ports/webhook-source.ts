import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { Delivery, DeliveryRejection } from '#domain/webhooks/delivery.ts';

/**
 * A verified delivery: its body as parsed JSON, the sender's delivery id or null, and the index of the secret that
 * signed it, from 0.
 */
export type Verified = Readonly<{ body: unknown; deliveryId: string | null; secret: number }>;

/** One event of a delivery, not yet parsed; some senders batch several into one delivery. */
export type DeliveryPart = Readonly<{
  /** The event's name in the neutral dialect, or the sender's name for an unknown event; for lists and logs. */
  name: string;
  /** The key that orders it, from `orderKeyOf`; null when its record is unknown. */
  orderKey: string | null;
  /** The event's part of the body. */
  body: unknown;
}>;

/** Calls an operation of the service over the connection that deliveries use; failures are outcomes and never thrown. */
export type FetchCall = (name: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;

/** Verifies and parses a service's deliveries. Never throws, whatever the input. */
export interface WebhookSource {
  readonly service: ServiceKey;
  /**
   * Verifies that the raw bytes are authentic and fresh at `now` (Unix ms). Fails with `not_json` for an authentic body
   * that is not JSON in UTF-8.
   */
  verify(delivery: Delivery, now: number): Result<Verified, DeliveryRejection>;
  /**
   * Reads the secrets of deliveries again, where they are stored rather than configured; true when they have changed.
   * Called when a delivery is not verified, since another server may have stored others.
   */
  refresh?(): Promise<boolean>;
  /** Splits a verified body into its events, at least one; includes unknown ones. */
  parts(body: unknown): readonly DeliveryPart[];
  /**
   * Converts a part into a neutral event; `unknown` when it has no neutral equivalent, `unreadable` when required
   * members are missing. `receivedAt` (Unix ms) is the time of the event when the service does not send one.
   */
  read(
    part: unknown,
    receivedAt: number,
  ): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>>;
  /**
   * Returns the event with the fields of its record, which deliveries that carry only ids lack. Called once per attempt
   * and within 30 s, before reactions see the event; must change nothing. A failure is treated like that of a step, but
   * after `not_found` and `gone` the event is processed as it was read.
   */
  fetch?(event: ServiceEvent, call: FetchCall): Promise<Result<ServiceEvent, Failure>>;
}
