import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Completes events whose deliveries carry only ids. */
export interface EventRecords {
  /**
   * Returns the event with the fields of its record; the event itself where its delivery carried them, or where the
   * record no longer exists. Fails while the record cannot be read; returns within a time limit.
   */
  complete(event: ServiceEvent): Promise<Result<ServiceEvent, Failure>>;
}
