import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What the sales CRM tells to have happened (REACT-001, REACT-002). */
export const salesCrmActions = ['added', 'updated', 'deleted', 'merged'] as const;

/** What it may have happened to. */
export const salesCrmObjects = ['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product'] as const;

type Action = (typeof salesCrmActions)[number];
type ObjectName = (typeof salesCrmObjects)[number];

/** An event's name: action and object, 'updated.deal'. */
export type SalesCrmEventName = `${Action}.${ObjectName}`;

/** All 28 of them. */
export const salesCrmEventNames = salesCrmObjects.flatMap((object) =>
  salesCrmActions.map((action) => `${action}.${object}` as const),
);

/** A deal as sent: undefined was not sent, null is empty. Texts are untrusted. */
export type Deal = Readonly<{
  id: string;
  title: string | null | undefined;
  /** 'open', 'won', 'lost', 'deleted'. */
  status: string | null | undefined;
  value: number | null | undefined;
  currency: string | null | undefined;
}>;

/** A person as sent: undefined was not sent, null or an empty list was sent as empty. The primary address and number come first. */
export type Person = Readonly<{
  id: string;
  name: string | null | undefined;
  firstName: string | null | undefined;
  lastName: string | null | undefined;
  emails: readonly string[] | undefined;
  phones: readonly string[] | undefined;
  organizationId: string | null | undefined;
}>;

/** An organization as sent: undefined was not sent, null was sent as empty. */
export type Organization = Readonly<{
  id: string;
  name: string | null | undefined;
  address: string | null | undefined;
  website: string | null | undefined;
}>;

/** The record's fields after and before, in the service's own field names; null where the service sends none. */
type Facts<Name extends SalesCrmEventName> = EventFacts<'sales_crm', Name> &
  Readonly<{ current: Fields | null; previous: Fields | null }>;

/** Something happened to a deal; of a deleted one, `deal` is what it was. */
export type DealEvent = Facts<`${Action}.deal`> & Readonly<{ deal: Deal }>;

/** Something happened to a person. */
export type PersonEvent = Facts<`${Action}.person`> & Readonly<{ person: Person }>;

/** Something happened to an organization. */
export type OrganizationEvent = Facts<`${Action}.organization`> & Readonly<{ organization: Organization }>;

/** Something happened to one of the others. */
export type OtherSalesCrmEvent = Facts<`${Action}.${Exclude<ObjectName, 'deal' | 'person' | 'organization'>}`>;

/** What the sales CRM tells. */
export type SalesCrmEvent = DealEvent | PersonEvent | OrganizationEvent | OtherSalesCrmEvent;
