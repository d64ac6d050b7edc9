import { hash } from 'node:crypto';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Organization, Person } from '#domain/events/sales-crm-event.ts';

/**
 * A person or an organization as one CRM tells another. Null is "not known": it is never written over what the other CRM
 * knows.
 */
export type Party =
  | Readonly<{
      kind: 'person';
      firstName: string | null;
      /** Never empty: what stands in for it is the e-mail address, or the id. */
      lastName: string;
      email: string | null;
      phone: string | null;
      /** The record of the organization that the person works for. */
      employer: RecordRef | null;
    }>
  | Readonly<{ kind: 'organization'; name: string; address: string | null; website: string | null }>;

/** A person of the sales CRM as a party. A name in one piece is split before its last word. */
export function partyOfPerson(person: Person): Party {
  const { id, organizationId } = person;
  const [email = null] = person.emails;
  const [phone = null] = person.phones;
  const words = (person.name ?? '').split(/\s+/).filter((word) => word !== '');
  const isSplit = person.lastName !== null;
  const firstName = isSplit ? person.firstName : words.slice(0, -1).join(' ');
  const lastName = person.lastName ?? words.at(-1) ?? email ?? `Person ${id}`;
  const employer =
    organizationId === null ? null : ({ service: 'sales_crm', kind: 'organization', id: organizationId } as const);
  return { kind: 'person', firstName: firstName === '' ? null : firstName, lastName, email, phone, employer };
}

/** An organization of the sales CRM as a party. */
export function partyOfOrganization({ id, name, address, website }: Organization): Party {
  return { kind: 'organization', name: name ?? `Organization ${id}`, address, website };
}

/** A digest by which it is known that nothing changed since; `employerId` is the employer's id in the other CRM. */
export function partyDigest(party: Party, employerId: string | null): string {
  const values = Object.entries(party).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return hash('sha256', JSON.stringify([values, employerId]));
}
