import type { EventFacts } from '#domain/events/event-facts.ts';
import type { SalesCrmEvent } from '#domain/events/sales-crm-event.ts';
import type { SigningEvent } from '#domain/events/signing-event.ts';
import type { SuiteCrmEvent } from '#domain/events/suite-crm-event.ts';
import type { TrackerEvent } from '#domain/events/tracker-event.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An event at a service in neutral terms, independent of the vendor dialect in which it was sent. */
export type ServiceEvent = EventFacts<ServiceKey, string>;

/** An event of the services that have built-in reactions. Other services define their own events and reactions. */
export type KnownEvent = SalesCrmEvent | SigningEvent | SuiteCrmEvent | TrackerEvent;

/** The event names of a service. */
export type EventName<Service extends KnownEvent['service']> = Extract<KnownEvent, { service: Service }>['name'];

/** The events of a service whose names include any of these. */
export type EventOf<Service extends KnownEvent['service'], Name extends string> =
  Extract<KnownEvent, { service: Service }> extends infer Event
    ? Event extends { name: infer Names }
      ? Extract<Name, Names> extends never
        ? never
        : Event
      : never
    : never;
