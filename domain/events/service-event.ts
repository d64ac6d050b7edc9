import type { SalesCrmEvent } from '#domain/events/sales-crm-event.ts';
import type { SigningEvent } from '#domain/events/signing-event.ts';
import type { SuiteCrmEvent } from '#domain/events/suite-crm-event.ts';
import type { TrackerEvent } from '#domain/events/tracker-event.ts';

/** An event at a service, in neutral terms, whatever dialect it was sent in. */
export type ServiceEvent = SalesCrmEvent | SigningEvent | SuiteCrmEvent | TrackerEvent;

/** The event names of a service. */
export type EventName<Service extends ServiceEvent['service']> = Extract<ServiceEvent, { service: Service }>['name'];

/** The events of a service that carry one of these names. */
export type EventOf<Service extends ServiceEvent['service'], Name extends string> =
  Extract<ServiceEvent, { service: Service }> extends infer Event
    ? Event extends { name: infer Names }
      ? Extract<Name, Names> extends never
        ? never
        : Event
      : never
    : never;
