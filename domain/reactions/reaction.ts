import type { NameOf } from '#domain/events/record-name.ts';
import type { EventName, EventOf, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { CalledService, Step } from '#domain/reactions/step.ts';

/**
 * What reactions know beside the event: the team's templates, how this server is reached (no slash at its end), and what
 * records are called that the event tells by id alone.
 */
export type Surroundings = Readonly<{ templates: NoteTemplates; baseUrl: string; nameOf: NameOf }>;

/** What a reaction is to, and the service that its steps are applied at, as far as it tells. */
export type Concern = Readonly<{ service: ServiceEvent['service']; names: readonly string[]; calls: CalledService }>;

/** A rule: what to do about an event, or null when it is not about such an event. Pure. */
export type Reaction = ((event: ServiceEvent, surroundings: Surroundings) => readonly Step[] | null) &
  Readonly<{ concern?: Concern }>;

/**
 * A reaction to a service's events of these names; the compiler knows what such an event holds. `calls` is where its steps
 * are applied: deliveries that call one service wait apart from the others while it is down.
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
