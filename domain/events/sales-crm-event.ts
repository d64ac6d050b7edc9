import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What the sales CRM tells to have happened (contract, Events by service). */
export const salesCrmActions = ['added', 'updated', 'deleted', 'merged'] as const;

/** What it may have happened to. */
export const salesCrmObjects = ['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product'] as const;

/** An event's name: action and object, 'updated.deal'. */
export type SalesCrmEventName = `${(typeof salesCrmActions)[number]}.${(typeof salesCrmObjects)[number]}`;

/** The record's fields after and before, in the service's own field names; null where the service sends none. */
export type SalesCrmEvent = EventFacts<'sales_crm', SalesCrmEventName> &
  Readonly<{ current: Fields | null; previous: Fields | null }>;
