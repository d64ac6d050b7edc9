import { z } from 'zod';
import type { Deal, Organization, Person } from '#domain/events/sales-crm-event.ts';

const text = z.string().nullish().catch(undefined);
/** Blanks are as good as nothing; undefined was not sent, or is no text. */
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

/** A deal's fields as our deal; what was not sent, or is of another type, is undefined. */
export function dealIn(fields: Readonly<Record<string, unknown>>): Deal {
  const { id, title, status, value, currency } = dealSchema.parse(fields);
  return { id, title, status, value, currency };
}

/** Addresses and numbers come as one text, or as a list with a primary one; blank ones are none. Undefined: not sent, or unreadable. */
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

/** An id alone, or the record that it stands for. */
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

/** A person's fields as our person. */
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

/** Of the two names that a list comes under, the one that has something; undefined when neither was sent. */
function filledOf(
  named: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  return named === undefined || named.length === 0 ? (other ?? named) : named;
}

/** An address comes as one text, or as an object whose `value` is the whole. */
const address = z
  .union([z.string(), z.looseObject({ value: z.string().nullish() }).transform(({ value }) => value ?? null)])
  .nullish()
  .catch(undefined);

const organizationSchema = z.looseObject({ id: z.string(), name: text, address, website: text });

/** An organization's fields as our organization. */
export function organizationIn(fields: Readonly<Record<string, unknown>>): Organization {
  const found = organizationSchema.parse(fields);
  return {
    id: found.id,
    name: trimmed(found.name),
    address: trimmed(found.address),
    website: trimmed(found.website),
  };
}
