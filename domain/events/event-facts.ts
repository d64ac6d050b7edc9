import type { RecordRef } from '#domain/events/record-ref.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A record as the service sent it: fields by the service's names, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members common to all events. */
export type EventFacts<Service extends ServiceKey, Name extends string> = Readonly<{
  service: Service;
  /** The event's name in the neutral dialect, unique within the service. */
  name: Name;
  record: RecordRef & { readonly service: Service };
  /** When it happened at the service, Unix ms; determines whether an event arrived late. */
  occurredAt: number;
}>;
