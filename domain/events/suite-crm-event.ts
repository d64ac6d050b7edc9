import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** The actions in the suite CRM's events; subscriptions may also name 'all', which no event carries (HOOK-006). */
export const suiteCrmActions = ['create', 'edit', 'delete'] as const;

/** An event's name: module and action, 'Deals.edit'. Modules may be custom. */
export type SuiteCrmEventName = `${string}.${(typeof suiteCrmActions)[number]}`;

/** An event about one record of a notification; `fields` are those that were sent, null when only ids were. */
export type SuiteCrmEvent = EventFacts<'suite_crm', SuiteCrmEventName> &
  Readonly<{ module: string; fields: Fields | null }>;
