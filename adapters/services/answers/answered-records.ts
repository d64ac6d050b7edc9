import { z } from 'zod';
import type { AnsweredRecord } from '#application/ports/service-questions.ts';
import { isEmail } from '#domain/users/email.ts';

/** A value that should be text, as text; null when it is something else. */
export const textOr = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);

/** An id as text. */
export const idText = z.union([z.string().min(1), z.number().transform(String)]);

/**
 * Reads the records of a list that have what the schema needs, and leaves out the others; null when the answer is no
 * list.
 */
export const recordsOf =
  <Type extends z.ZodType>(item: Type, toRecord: (item: z.output<Type>) => AnsweredRecord) =>
  (data: unknown): readonly AnsweredRecord[] | null => {
    if (!Array.isArray(data)) return null;
    return data.flatMap((one: unknown) => {
      const read = item.safeParse(one);
      return read.success ? [toRecord(read.data)] : [];
    });
  };

/** Joins what is known of a record's state: 'open, 1200 EUR'; null when nothing is. */
export function stateOf(...parts: readonly (string | null | undefined)[]): string | null {
  const known = parts.filter((part) => part != null && part !== '');
  return known.length === 0 ? null : known.join(', ');
}

/** E-mail addresses as they are compared; values that are none are left out. */
export function emailsOf(values: readonly (string | null | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value != null && isEmail(value) ? [value.toLowerCase()] : []));
}

/** The domains of web addresses, which may lack their scheme; values that are none are left out. */
export function domainsOf(websites: readonly (string | null | undefined)[]): readonly string[] {
  return websites.flatMap((website) => {
    const address = website?.includes('://') === true ? website : `https://${website ?? ''}`;
    return URL.canParse(address) ? [new URL(address).hostname.toLowerCase().replace(/^www\./, '')] : [];
  });
}

type Read = (data: unknown) => readonly AnsweredRecord[] | null;

const connected =
  (read: Read, isByName: boolean): Read =>
  (data) =>
    read(data)?.map((record) => ({ ...record, carries: { ...record.carries, isByName } })) ?? null;

/** Marks records that only a name connects to what they were asked for. */
export const joinedByName = (read: Read): Read => connected(read, true);

/** Marks records that an id or an address connects to what they were asked for. */
export const joinedById = (read: Read): Read => connected(read, false);
