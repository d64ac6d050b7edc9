import { z } from 'zod';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** The failure of an answer that has another form than it should. */
export const unreadable = failed('unavailable', 'The service answered with something that cannot be read.');

/** Parses the answer of a request. */
export function parsed<Schema extends z.ZodType>(outcome: Outcome, schema: Schema): Outcome<z.output<Schema>> {
  if (!outcome.ok) return outcome;
  const { data, success } = schema.safeParse(outcome.data);
  return success ? { ...outcome, data } : unreadable;
}

/** Adds warnings to a success. */
export function withWarnings<Data>(outcome: Outcome<Data>, warnings: readonly string[]): Outcome<Data> {
  if (!outcome.ok || warnings.length === 0) return outcome;
  return { ...outcome, warnings: [...(outcome.warnings ?? []), ...warnings] };
}

const size = z.number().int().positive().optional().catch(undefined);
const listed = z.object({ values: z.array(z.unknown()), isLast: z.boolean().optional(), maxResults: size });

const pageSchema = z.union([listed, z.array(z.unknown()).transform((values) => listed.parse({ values }))]);

/** The most pages of one list that are read; of more, a part is never taken for the whole. */
const maxPages = 20;

/**
 * Reads all pages of a list, whose answers are pages with `values`, or arrays. A page may be shorter than was asked for,
 * if it says how long pages are.
 */
export async function allPages<Schema extends z.ZodType>(
  read: (page: Readonly<{ startAt: number; maxResults: number }>) => Promise<Outcome>,
  schema: Schema,
  maxResults = 100,
): Promise<Outcome<readonly z.output<Schema>[]>> {
  const records: z.output<Schema>[] = [];
  let startAt = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = parsed(await read({ startAt, maxResults }), pageSchema);
    if (!answer.ok) return answer;
    const { values, isLast, maxResults: given = maxResults } = answer.data;
    records.push(...values.flatMap((value) => schema.safeParse(value).data ?? []));
    if (isLast ?? values.length < given) return succeeded(records);
    startAt += given;
  }
  return tooMany(startAt);
}

const tooMany = (count: number) =>
  failed('too_large', `The service has more than ${count} records of this kind. Narrow the list.`);

/** Reads all pages of a list that is paged by cursors. */
export async function allPagesByCursor<Schema extends z.ZodType>(
  read: (cursor: string | null) => Promise<Outcome>,
  schema: Schema,
): Promise<Outcome<readonly z.output<Schema>[]>> {
  const records: z.output<Schema>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer: Outcome<z.output<Schema>[]> = parsed(await read(cursor), z.array(schema));
    if (!answer.ok) return answer;
    records.push(...answer.data);
    cursor = answer.pagination?.next ?? null;
    if (cursor === null) return succeeded(records);
  }
  return tooMany(records.length);
}

/** Maps the data of a success. */
export function mapped<From, To>(outcome: Outcome<From>, to: (data: From) => To): Outcome<To> {
  return outcome.ok ? { ...outcome, data: to(outcome.data) } : outcome;
}
