import { salesCrmEventNames } from '#domain/events/sales-crm-event.ts';
import { signingEventNames } from '#domain/events/signing-event.ts';
import { suiteCrmActions } from '#domain/events/suite-crm-event.ts';
import { issueEventNames, otherTrackerEventNames } from '#domain/events/tracker-event.ts';
import type { EventTrigger, ReactionTrigger } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/** The event names of the services that have a fixed list of them. */
export const knownEventNames: Readonly<Record<string, readonly string[]>> = {
  sales_crm: salesCrmEventNames,
  signing: signingEventNames,
  tracker: [...issueEventNames, ...otherTrackerEventNames],
};

const suiteEvent = new RegExp(`^[A-Za-z]\\w{0,99}\\.(?:${suiteCrmActions.join('|')})$`);

/** Whether the service has an event of that name; any name is accepted for a service without a fixed list. */
export function isKnownEvent({ service, name }: Pick<EventTrigger, 'service' | 'name'>): boolean {
  if (service === 'suite_crm') return suiteEvent.test(name);
  return own(knownEventNames, service)?.includes(name) ?? true;
}

/** Returns how the events of a service without a fixed list are named, as a phrase; null where nothing is known of it. */
export function eventShapeOf(service: ServiceKey): string | null {
  if (service !== 'suite_crm') return null;
  return 'suite_crm.<Module>.create, .edit and .delete, such as suite_crm.Deals.edit';
}

/** Returns the kind of record that an event of that name is about; null when the name does not say. */
export function kindOfEvent({ service, name }: Readonly<{ service: ServiceKey; name: string }>): string | null {
  if (service === 'signing') return 'document';
  if (service === 'sales_crm') return name.split('.')[1] ?? null;
  return service === 'tracker' ? (name.split('.')[0] ?? null) : null;
}

const always = ['service', 'event', 'kind', 'id', 'occurredAt', 'record', 'previous', 'links'];

/** Returns the names that expressions and templates may use with this trigger. */
export function namesFor(trigger: ReactionTrigger): readonly string[] {
  if (trigger.kind === 'schedule') return ['event', 'occurredAt', 'from', 'events', 'links'];
  const { service } = trigger;
  const kind = kindOfEvent(trigger);
  return [
    ...always,
    ...(kind === null ? [] : [kind]),
    ...(service === 'tracker' && kind === 'issue' ? ['changed', 'actor'] : []),
    ...(service === 'suite_crm' ? ['module'] : []),
  ];
}
