import { z } from 'zod';
import type { Deal, Organization, Person } from '#domain/events/sales-crm-event.ts';

const text = z.string().nullish().catch(undefined);
/** Trims a text; a blank one is null. Undefined when it was not sent, or is not a string. */
const trimmed = (value: string | null | undefined): string | null | undefined =>
  typeof value === 'string' ? value.trim() || null : value;

const amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .nullish()
  .catch(undefined);

const dealSchema = z.looseObject({ id: z.string(), title: text, status: text, value: amount, currency: text });

/** Converts a deal's fields to our deal; fields that were not sent, or have another type, are undefined. */
export function dealIn(fields: Readonly<Record<string, unknown>>): Deal {
  const { id, title, status, value, currency } = dealSchema.parse(fields);
  return { id, title, status, value, currency };
}

/**
 * E-mail addresses and phone numbers: one string, or a list with a primary entry; blank ones are null. Undefined when
 * not sent or unreadable.
 */
const contactPoints = z
  .union([
    z.string().transform((value) => [{ value, primary: true }]),
    z.array(z.looseObject({ value: z.string(), primary: z.boolean().optional().catch(undefined) })),
  ])
  .nullish()
  .catch(undefined)
  .transform((points) =>
    points === undefined
      ? undefined
      : (points ?? [])
          .toSorted((left, right) => Number(right.primary ?? false) - Number(left.primary ?? false))
          .map(({ value }) => value.trim())
          .filter((value) => value !== ''),
  );

/** A reference: a bare id, or the record itself. */
const reference = z
  .union([
    z.string().min(1),
    z.number().int().transform(String),
    z
      .looseObject({ value: z.union([z.string().min(1), z.number().int().transform(String)]) })
      .transform(({ value }) => value),
  ])
  .nullish()
  .catch(undefined);

const personSchema = z.looseObject({
  id: z.string(),
  name: text,
  first_name: text,
  last_name: text,
  email: contactPoints,
  emails: contactPoints,
  phone: contactPoints,
  phones: contactPoints,
  org_id: reference,
});

/** Converts a person's fields to our person. */
export function personIn(fields: Readonly<Record<string, unknown>>): Person {
  const person = personSchema.parse(fields);
  return {
    id: person.id,
    name: trimmed(person.name),
    firstName: trimmed(person.first_name),
    lastName: trimmed(person.last_name),
    emails: filledOf(person.emails, person.email),
    phones: filledOf(person.phones, person.phone),
    organizationId: person.org_id,
  };
}

/** Picks whichever of the two names of a list has entries; undefined when neither was sent. */
function filledOf(
  named: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  return named === undefined || named.length === 0 ? (other ?? named) : named;
}

/** An address: a string, or an object whose `value` is the whole address. */
const address = z
  .union([z.string(), z.looseObject({ value: z.string().nullish() }).transform(({ value }) => value ?? null)])
  .nullish()
  .catch(undefined);

const organizationSchema = z.looseObject({ id: z.string(), name: text, address, website: text });

/** Converts an organization's fields to our organization. */
export function organizationIn(fields: Readonly<Record<string, unknown>>): Organization {
  const found = organizationSchema.parse(fields);
  return {
    id: found.id,
    name: trimmed(found.name),
    address: trimmed(found.address),
    website: trimmed(found.website),
  };
}
