import type { EventName, EventOf, ServiceEvent } from '#domain/events/service-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import type { Step } from '#domain/reactions/step.ts';

/** A rule: what to do about an event, or null when it is not about such an event. Pure. */
export type Reaction = (event: ServiceEvent, templates: NoteTemplates) => readonly Step[] | null;

/** A reaction to a service's events of these names; the compiler knows what such an event holds. */
export function on<Service extends ServiceEvent['service'], const Name extends EventName<Service>>(
  service: Service,
  names: readonly Name[],
  plan: (event: EventOf<Service, Name>, templates: NoteTemplates) => readonly Step[],
): Reaction {
  const isMine = (event: ServiceEvent): event is EventOf<Service, Name> & ServiceEvent =>
    event.service === service && names.some((name) => name === event.name);
  return (event, templates) => (isMine(event) ? plan(event, templates) : null);
}
