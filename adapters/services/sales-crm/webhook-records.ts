import { z } from 'zod';
import type { Deal, Organization, Person } from '#domain/events/sales-crm-event.ts';

const text = z.string().nullish().catch(undefined);
const orNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value.trim();

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

/** Addresses and numbers come as one text, or as a list with a primary one; blank ones are none. */
const contactPoints = z
  .union([
    z.string().transform((value) => [{ value, primary: true }]),
    z.array(z.looseObject({ value: z.string(), primary: z.boolean().optional().catch(undefined) })),
  ])
  .nullish()
  .catch(null)
  .transform((points) =>
    (points ?? [])
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
  .catch(null);

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
    name: orNull(person.name),
    firstName: orNull(person.first_name),
    lastName: orNull(person.last_name),
    emails: person.emails.length > 0 ? person.emails : person.email,
    phones: person.phones.length > 0 ? person.phones : person.phone,
    organizationId: person.org_id ?? null,
  };
}

/** An address comes as one text, or as an object whose `value` is the whole. */
const address = z
  .union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)])
  .nullish()
  .catch(null);

const organizationSchema = z.looseObject({ id: z.string(), name: text, address, website: text });

/** An organization's fields as our organization. */
export function organizationIn(fields: Readonly<Record<string, unknown>>): Organization {
  const found = organizationSchema.parse(fields);
  return {
    id: found.id,
    name: orNull(found.name),
    address: orNull(found.address),
    website: orNull(found.website),
  };
}
