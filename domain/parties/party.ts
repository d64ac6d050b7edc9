import { hash } from 'node:crypto';
import { mentionedBy, type RecordRef } from '#domain/events/record-ref.ts';
import type { Organization, Person } from '#domain/events/sales-crm-event.ts';

/**
 * A person or an organization as it is pushed from one CRM to another. Undefined means not sent: the other CRM's value
 * stays. Null means empty: a value sent before is cleared.
 */
export type Party =
  | Readonly<{
      kind: 'person';
      firstName: string | null | undefined;
      /** Never empty: falls back to the e-mail address or the id. */
      lastName: string;
      email: string | null | undefined;
      phone: string | null | undefined;
      /** The organization that the person works for. */
      employer: RecordRef | null | undefined;
    }>
  | Readonly<{
      kind: 'organization';
      name: string;
      address: string | null | undefined;
      website: string | null | undefined;
    }>;

/** Converts a person of the sales CRM into a party. A name sent as one string is split before its last word. */
export function partyOfPerson(person: Person, record: RecordRef): Party {
  const { id, organizationId } = person;
  const email = firstOf(person.emails);
  const words = (person.name ?? '').split(/\s+/).filter((word) => word !== '');
  const isSplit = typeof person.lastName === 'string';
  const firstName = isSplit || words.length === 0 ? person.firstName : words.slice(0, -1).join(' ');
  return {
    kind: 'person',
    firstName: firstName === '' ? null : firstName,
    lastName: person.lastName ?? words.at(-1) ?? email ?? `Person ${id}`,
    email,
    phone: firstOf(person.phones),
    employer: typeof organizationId === 'string' ? mentionedBy(record, 'organization', organizationId) : organizationId,
  };
}

/** Returns the first value; null when they were sent as empty, undefined when they were not sent. */
function firstOf(values: readonly string[] | undefined): string | null | undefined {
  return values === undefined ? undefined : (values[0] ?? null);
}

/** Converts an organization of the sales CRM into a party. */
export function partyOfOrganization({ id, name, address, website }: Organization): Party {
  return { kind: 'organization', name: name ?? `Organization ${id}`, address, website };
}

/** Drops a party's empty values, for the first match with a record that may already have values there. */
export function withoutEmpty(party: Party): Party {
  const orUndefined = <Value>(value: Value | null | undefined) => value ?? undefined;
  return party.kind === 'organization'
    ? { ...party, address: orUndefined(party.address), website: orUndefined(party.website) }
    : {
        ...party,
        firstName: orUndefined(party.firstName),
        email: orUndefined(party.email),
        phone: orUndefined(party.phone),
        employer: orUndefined(party.employer),
      };
}

/**
 * Returns a digest of a party for change detection; `employerId` is the employer's id in the other CRM, null for none
 * and undefined when it is not known.
 */
export function partyDigest(party: Party, employerId: string | null | undefined): string {
  const values = Object.entries(party)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return hash('sha256', JSON.stringify([values, employerId]));
}
