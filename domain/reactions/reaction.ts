import type { NameOf } from '#domain/events/record-name.ts';
import type { EventName, EventOf, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { Step } from '#domain/reactions/step.ts';

/**
 * What reactions know beside the event: the team's templates, how this server is reached (no slash at its end), and what
 * records are called that the event tells by id alone.
 */
export type Surroundings = Readonly<{ templates: NoteTemplates; baseUrl: string; nameOf: NameOf }>;

/** A rule: what to do about an event, or null when it is not about such an event. Pure. */
export type Reaction = (event: ServiceEvent, surroundings: Surroundings) => readonly Step[] | null;

/** A reaction to a service's events of these names; the compiler knows what such an event holds. */
export function on<Service extends ServiceEvent['service'], const Name extends EventName<Service>>(
  service: Service,
  names: readonly Name[],
  plan: (event: EventOf<Service, Name>, surroundings: Surroundings) => readonly Step[],
): Reaction {
  const isMine = (event: ServiceEvent): event is EventOf<Service, Name> & ServiceEvent =>
    event.service === service && names.some((name) => name === event.name);
  return (event, surroundings) => (isMine(event) ? plan(event, surroundings) : null);
}
