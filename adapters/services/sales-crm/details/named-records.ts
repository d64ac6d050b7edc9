import { z } from 'zod';
import { mapped, parsed } from '#adapters/services/answers/read-answers.ts';
import type { CallRow } from '#adapters/services/requests/operation-table.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** The kinds of record that can be referred to by name. */
export type CrmKind = 'stage' | 'pipeline' | 'user' | 'organization' | 'person';

/** The kinds that are too large to list. */
export type SearchedKind = 'organization' | 'person';

/** A record and its names, the most specific first; `group` is the pipeline of a stage, the organization of a person. */
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
  item: z.looseObject({
    id: z.number(),
    name: z.string(),
    emails: z.array(z.string()).catch([]),
    organization: z.looseObject({ id: z.number(), name: z.string().optional() }).nullish().catch(null),
  }),
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
    const items = parsed(outcome, z.array(record));
    if (!items.ok) return items;
    found.push(...items.data.map((item) => namedRecord(kind, item)));
    cursor = items.pagination?.next ?? null;
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

/**
 * Finds organizations or persons: with exactly this name, with it inside their names, or with a name that begins like it.
 * Persons are found by e-mail address, too; their group is their organization.
 */
export async function searchNamed(
  call: CallRow,
  kind: SearchedKind,
  given: string,
  how: 'exactly' | 'inside' | 'alike',
): Promise<Outcome<readonly NamedRecord[]>> {
  const name = given.trim();
  // A mistyped name often starts correctly.
  const term = how === 'alike' ? (/^\S+/.exec(name)?.[0] ?? '').slice(0, 4) : name;
  // A search for a part needs at least two characters.
  if (term.length < (how === 'exactly' ? 1 : 2)) return succeeded([]);
  const fields = kind === 'person' && how === 'exactly' && name.includes('@') ? ['email'] : ['name'];
  const exactly = how === 'exactly' ? { exact_match: true } : {};
  const input = { term: term.slice(0, 500), fields, limit: maxFound, ...exactly };
  const hits = parsed(await call(kind === 'person' ? 'persons.search' : 'organizations.search', input), z.array(hit));
  return mapped(hits, (list) =>
    list.map(({ item: { id, name: called, emails, organization } }) => {
      const more = [emails[0], organization?.name].filter((one) => one != null);
      return {
        id,
        names: [...emails.filter((email) => email.toLowerCase() === name.toLowerCase()), called],
        shown: more.length === 0 ? `"${called}"` : `"${called}" (${more.join(', ')})`,
        group: organization?.id ?? null,
      };
    }),
  );
}
