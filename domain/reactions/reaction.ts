import type { NameOf } from '#domain/events/record-name.ts';
import type { EventName, EventOf, KnownEvent, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { CalledService, Step } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The context that reactions get beside the event: the team's templates, this server's base URL (no slash at its end),
 * and the names of records that the event carries by id alone.
 */
export type Surroundings = Readonly<{ templates: NoteTemplates; baseUrl: string; nameOf: NameOf }>;

/** The events that a reaction handles, and the service that its steps call, where that is declared. */
export type Concern = Readonly<{ service: ServiceKey; names: readonly string[]; calls: CalledService }>;

/** A rule that turns an event into steps, or null when it does not handle such events. Pure. */
export type Reaction = ((event: ServiceEvent, surroundings: Surroundings) => readonly Step[] | null) &
  Readonly<{ concern?: Concern }>;

/**
 * Creates a reaction to events of these names, of a service that brings them itself. `calls` is the service that its
 * steps call: deliveries to one service wait apart from the others while it is down.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The guard within narrows by it.
export function reactionTo<Event extends ServiceEvent>(
  service: ServiceKey,
  names: readonly string[],
  plan: (event: Event, surroundings: Surroundings) => readonly Step[],
  calls: CalledService = 'vault',
): Reaction {
  // The name determines the event's members: no reader of deliveries creates another event of that name.
  const isMine = (event: ServiceEvent): event is Event => event.service === service && names.includes(event.name);
  const react = (event: ServiceEvent, surroundings: Surroundings) => (isMine(event) ? plan(event, surroundings) : null);
  return Object.assign(react, { concern: { service, names, calls } });
}

/**
 * Creates a reaction to built-in events, by their service and names; the compiler knows the members of such an event.
 */
export function on<Service extends KnownEvent['service'], const Name extends EventName<Service>>(
  service: Service,
  names: readonly Name[],
  plan: (event: EventOf<Service, Name> & ServiceEvent, surroundings: Surroundings) => readonly Step[],
  calls: CalledService = 'vault',
): Reaction {
  return reactionTo<EventOf<Service, Name> & ServiceEvent>(service, names, plan, calls);
}
