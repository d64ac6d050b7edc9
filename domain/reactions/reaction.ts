import type { NameOf } from '#domain/events/record-name.ts';
import type { EventName, EventOf, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { CalledService, Step } from '#domain/reactions/step.ts';

/**
 * The context that reactions get beside the event: the team's templates, this server's base URL (no slash at its end),
 * and the names of records that the event carries by id alone.
 */
export type Surroundings = Readonly<{ templates: NoteTemplates; baseUrl: string; nameOf: NameOf }>;

/** The events that a reaction handles, and the service that its steps call. */
export type Concern = Readonly<{ service: ServiceEvent['service']; names: readonly string[]; calls: CalledService }>;

/** A rule that turns an event into steps, or null when it does not handle such events. Pure. */
export type Reaction = ((event: ServiceEvent, surroundings: Surroundings) => readonly Step[] | null) &
  Readonly<{ concern?: Concern }>;

/**
 * Creates a reaction to a service's events of these names; the compiler knows their members. `calls` is the service
 * that its steps call: deliveries to one service wait apart from the others while it is down.
 */
export function on<Service extends ServiceEvent['service'], const Name extends EventName<Service>>(
  service: Service,
  names: readonly Name[],
  plan: (event: EventOf<Service, Name>, surroundings: Surroundings) => readonly Step[],
  calls: CalledService = 'vault',
): Reaction {
  const isMine = (event: ServiceEvent): event is EventOf<Service, Name> & ServiceEvent =>
    event.service === service && names.some((name) => name === event.name);
  const react = (event: ServiceEvent, surroundings: Surroundings) => (isMine(event) ? plan(event, surroundings) : null);
  return Object.assign(react, { concern: { service, names, calls } });
}
