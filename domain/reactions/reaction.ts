import type { NameOf } from '#domain/events/record-name.ts';
import type { EventName, EventOf, KnownEvent, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { CalledService, Step } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The context of a reaction besides the event: the team's templates, this server's base URL (without trailing slash),
 * and a lookup for the names of records that events reference only by id.
 */
export type Surroundings = Readonly<{ templates: NoteTemplates; baseUrl: string; nameOf: NameOf }>;

/** The events that a reaction handles, and the service that its steps call. */
export type Concern = Readonly<{ service: ServiceKey; names: readonly string[]; calls: CalledService }>;

/** A rule that turns an event into steps; returns null when it does not handle such events. Pure. */
export type Reaction = ((event: ServiceEvent, surroundings: Surroundings) => readonly Step[] | null) &
  Readonly<{ concern?: Concern }>;

/**
 * Creates a reaction to events with these names of a service that defines its own events. `calls` is the service that
 * its steps call: its deliveries are queued separately while that service is down.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The guard within narrows by it.
export function reactionTo<Event extends ServiceEvent>(
  service: ServiceKey,
  names: readonly string[],
  plan: (event: Event, surroundings: Surroundings) => readonly Step[],
  calls: CalledService = 'vault',
): Reaction {
  // The service and name determine the event's type: readers of deliveries create no other event with that name.
  const isMine = (event: ServiceEvent): event is Event => event.service === service && names.includes(event.name);
  const react = (event: ServiceEvent, surroundings: Surroundings) => (isMine(event) ? plan(event, surroundings) : null);
  return Object.assign(react, { concern: { service, names, calls } });
}

/** Creates a reaction to events of a built-in service, with the event's type inferred from service and name. */
export function on<Service extends KnownEvent['service'], const Name extends EventName<Service>>(
  service: Service,
  names: readonly Name[],
  plan: (event: EventOf<Service, Name> & ServiceEvent, surroundings: Surroundings) => readonly Step[],
  calls: CalledService = 'vault',
): Reaction {
  return reactionTo<EventOf<Service, Name> & ServiceEvent>(service, names, plan, calls);
}
