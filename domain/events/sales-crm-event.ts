import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** The actions in the sales CRM's events (REACT-001, REACT-002). */
export const salesCrmActions = ['added', 'updated', 'deleted', 'merged'] as const;

/** The objects in the sales CRM's events. */
export const salesCrmObjects = ['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product'] as const;

type Action = (typeof salesCrmActions)[number];
type ObjectName = (typeof salesCrmObjects)[number];

/** An event's name: action and object, 'updated.deal'. */
export type SalesCrmEventName = `${Action}.${ObjectName}`;

/** The names of all 28 events of the sales CRM. */
export const salesCrmEventNames = salesCrmObjects.flatMap((object) =>
  salesCrmActions.map((action) => `${action}.${object}` as const),
);

/** A deal as sent: undefined means not sent, null means empty. Texts are untrusted. */
export type Deal = Readonly<{
  id: string;
  title: string | null | undefined;
  /** 'open', 'won', 'lost', 'deleted'. */
  status: string | null | undefined;
  value: number | null | undefined;
  currency: string | null | undefined;
}>;

/**
 * A person as sent: undefined means not sent; null or an empty list means sent as empty. Primary e-mail address and
 * phone number come first.
 */
export type Person = Readonly<{
  id: string;
  name: string | null | undefined;
  firstName: string | null | undefined;
  lastName: string | null | undefined;
  emails: readonly string[] | undefined;
  phones: readonly string[] | undefined;
  organizationId: string | null | undefined;
}>;

/** An organization as sent: undefined means not sent, null means sent as empty. */
export type Organization = Readonly<{
  id: string;
  name: string | null | undefined;
  address: string | null | undefined;
  website: string | null | undefined;
}>;

/** The record's fields after and before the event, by the service's field names; null where the service sends none. */
type Facts<Name extends SalesCrmEventName> = EventFacts<'sales_crm', Name> &
  Readonly<{ current: Fields | null; previous: Fields | null }>;

/** An event about a deal; for a deleted deal, `deal` is its last state. */
export type DealEvent = Facts<`${Action}.deal`> & Readonly<{ deal: Deal }>;

/** An event about a person. */
export type PersonEvent = Facts<`${Action}.person`> & Readonly<{ person: Person }>;

/** An event about an organization. */
export type OrganizationEvent = Facts<`${Action}.organization`> & Readonly<{ organization: Organization }>;

/** An event about an activity, a lead, a note or a product. */
export type OtherSalesCrmEvent = Facts<`${Action}.${Exclude<ObjectName, 'deal' | 'person' | 'organization'>}`>;

/** Any event of the sales CRM. */
export type SalesCrmEvent = DealEvent | PersonEvent | OrganizationEvent | OtherSalesCrmEvent;
