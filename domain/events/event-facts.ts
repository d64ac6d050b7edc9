import type { RecordRef } from '#domain/events/record-ref.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A record as the service sent it: fields by the service's names, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members that all events share. */
export type EventFacts<Service extends ServiceKey, Name extends string> = Readonly<{
  service: Service;
  /** The name of what happened in the neutral dialect, unique within the service. */
  name: Name;
  record: RecordRef & { readonly service: Service };
  /** When it happened at the service, Unix ms; decides whether an event is late. */
  occurredAt: number;
}>;
