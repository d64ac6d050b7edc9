import { z } from 'zod';
import type { CallRow } from '#adapters/services/operation-table.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** The kinds of record that can be referred to by name. */
export type CrmKind = 'stage' | 'pipeline' | 'user' | 'organization' | 'person';

/** A record and its names, the most specific first; `group` is the pipeline of a stage. */
export type NamedRecord = Readonly<{
  id: number;
  names: readonly (string | null)[];
  shown: string;
  group: number | null;
}>;

const rows = { stage: 'stages.list', pipeline: 'pipelines.list', user: 'users.list' } as const;
const pageSize = 500;
const maxPages = 4;
/** The maximum number of records of one search. */
const maxFound = 20;

const record = z.looseObject({
  id: z.number(),
  name: z.string(),
  email: z.string().nullish(),
  pipeline_id: z.number().nullish(),
  active_flag: z.boolean().optional(),
});
const hit = z.looseObject({
  item: z.looseObject({ id: z.number(), name: z.string(), emails: z.array(z.string()).catch([]) }),
});

/** Lists all records of a small kind: stages, pipelines, users. */
export async function namedRecords(call: CallRow, kind: CrmKind): Promise<Outcome<readonly NamedRecord[]>> {
  if (kind === 'organization' || kind === 'person') throw new Error(`There may be too many to list: ${kind}.`);
  const found: NamedRecord[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const paging: Readonly<Record<string, unknown>> =
      kind === 'user' ? {} : { limit: pageSize, ...(cursor === null ? {} : { cursor }) };
    const outcome: Outcome = await call(rows[kind], paging);
    if (!outcome.ok) return outcome;
    const items = z.array(record).safeParse(outcome.data);
    if (!items.success) return unreadable;
    found.push(...items.data.map((item) => namedRecord(kind, item)));
    cursor = outcome.pagination?.next ?? null;
    if (cursor === null) break;
  }
  if (kind !== 'user') return succeeded(found);
  const me = await call('users.me', {});
  const mine = me.ok ? record.safeParse(me.data).data?.id : undefined;
  return succeeded(found.map((user) => (user.id === mine ? { ...user, names: ['me', ...user.names.slice(1)] } : user)));
}

/** Converts a record to its names; inactive users match only when no active one has the name. */
function namedRecord(kind: CrmKind, { id, name, email, ...item }: z.output<typeof record>): NamedRecord {
  if (kind !== 'user') return { id, names: [name], shown: `"${name}"`, group: item.pipeline_id ?? null };
  const isHere = item.active_flag !== false;
  const shown = email == null ? `"${name}"` : `"${name}" (${email})`;
  return { id, names: [null, email ?? null, isHere ? name : null, name], shown, group: null };
}

/** Finds organizations or persons with this name, or, when not exact, similar ones; persons also by e-mail address. */
export async function searchNamed(
  call: CallRow,
  kind: 'organization' | 'person',
  { name, isExact }: Readonly<{ name: string; isExact: boolean }>,
): Promise<Outcome<readonly NamedRecord[]>> {
  // A fuzzy search needs at least two characters; a mistyped name often starts correctly.
  const term = isExact ? name.trim() : (/^\S+/.exec(name.trim())?.[0] ?? '').slice(0, 4);
  if (term.length < (isExact ? 1 : 2)) return succeeded([]);
  const fields = kind === 'person' && isExact && name.includes('@') ? ['email'] : ['name'];
  const input = { term: term.slice(0, 500), fields, limit: maxFound, ...(isExact ? { exact_match: true } : {}) };
  const outcome = await call(kind === 'person' ? 'persons.search' : 'organizations.search', input);
  if (!outcome.ok) return outcome;
  const hits = z.array(hit).safeParse(outcome.data);
  if (!hits.success) return unreadable;
  return succeeded(
    hits.data.map(({ item: { id, name: called, emails } }) => ({
      id,
      names: [...emails.filter((email) => email.toLowerCase() === name.trim().toLowerCase()), called],
      shown: emails[0] === undefined ? `"${called}"` : `"${called}" (${emails[0]})`,
      group: null,
    })),
  );
}

const unreadable = failed('unavailable', 'The sales CRM answered with something that cannot be read.');
