import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What happens to a record of the suite CRM; 'all' is only subscribed to, never told (HOOK-006). */
export const suiteCrmActions = ['create', 'edit', 'delete'] as const;

/** An event's name: module and action, 'Deals.edit'. Modules may be custom. */
export type SuiteCrmEventName = `${string}.${(typeof suiteCrmActions)[number]}`;

/** One event for each record of a notification; `fields` are those it tells of, null when it tells ids only. */
export type SuiteCrmEvent = EventFacts<'suite_crm', SuiteCrmEventName> &
  Readonly<{ module: string; fields: Fields | null }>;
