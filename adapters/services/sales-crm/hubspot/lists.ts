import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import { ignoredIn, showingInputs } from '#adapters/services/sales-crm/details/showing-inputs.ts';
import type { Call } from '#adapters/services/sales-crm/hubspot/account.ts';
import type { Members, RecordKind } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { type Many, readerOf, recordsIn, withLinks } from '#adapters/services/sales-crm/hubspot/reading.ts';
import { textIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** A condition of a search. */
export type Filter = Readonly<{ propertyName: string; operator: string; value?: string; values?: readonly string[] }>;

/** A condition that a property has a value. */
export function equals(propertyName: string, value: unknown, operator = 'EQ'): Filter {
  return { propertyName, operator, value: String(value) };
}

/** A condition that a property has one of several values. */
export function among(propertyName: string, values: readonly unknown[]): Filter {
  return { propertyName, operator: 'IN', values: values.map(String) };
}

/** The most records of one page of a list and of a search, and how many a search returns at all. */
const maxListed = 100;
const maxSearched = 200;
const maxFound = 10_000;

/** The error for an input that has no equivalent: left out without a word, it would seem to be heeded. */
export function noPlace(name: string): InputError {
  return { path: [name], message: `${quoted(name)} has no equivalent at HubSpot: leave it out.` };
}

/** The failure of an input that names nothing, or does not fit. */
export const wrong = (name: string, message: string) => refusedInput([{ path: [name], message }]);

/** What a list is narrowed by, besides its inputs: a text, and conditions of which one group has to be met. */
type Narrowing = Readonly<{ query?: string; filters?: readonly Filter[]; groups?: FilterGroups }>;
type FilterGroups = readonly (readonly Filter[])[];

/**
 * Lists records. Without conditions it is a list, which is complete; else a search, which ends after 10,000 records, and
 * finds changes seconds later.
 */
export async function listRecords(call: Call, kind: RecordKind, input: Members, narrowing: Narrowing = {}): Many {
  const { query, filters = [], groups = [[]] } = narrowing;
  const given = conditionsOf(kind, input);
  if (!given.ok) return given;
  const all = groups.map((group) => [...group, ...given.data, ...filters]).filter((group) => group.length > 0);
  const reader = await readerOf(call, kind, input['custom_fields']);
  if (!reader.ok) return reader;
  const { properties, associations } = reader.data;
  const { cursor, limit = maxListed } = input;
  const sort = sortOf(kind.sorts, input);
  const after = typeof cursor === 'string' ? cursor : null;
  const isList = query === undefined && all.length === 0 && sort === null;
  const page = { type: kind.type, properties, limit: Math.min(Number(limit), isList ? maxListed : maxSearched) };
  const filterGroups = all.map((group) => ({ filters: group }));
  const sorts = sort !== null ? [sort] : query === undefined ? ['hs_object_id'] : [];
  const search = { ...page, filterGroups, sorts, ...(query === undefined ? {} : { query }) };
  const outcome = isList
    ? await call.send('list', { ...page, associations, ...(after === null ? {} : { after }) })
    : await call.send('search', { ...search, after: after ?? '0' });
  const records = recordsIn(outcome, reader.data);
  const found = isList ? records : withinReach(await withLinks(call, kind, records));
  return withWarnings(found, ignoredIn(input, 'HubSpot'));
}

/** Ends a search where HubSpot does: it refuses what lies beyond. */
function withinReach<Data>(outcome: Outcome<Data>): Outcome<Data> {
  if (!outcome.ok || !(Number(outcome.pagination?.next) >= maxFound)) return outcome;
  const warning = 'HubSpot’s search ends after 10,000 records, and there are more. Narrow it by updated_since.';
  return withWarnings({ ...outcome, pagination: { ...outcome.pagination, next: null, hasMore: false } }, [warning]);
}

/** The order of a list, given in two inputs or as "update_time DESC"; null for the usual one. */
export function sortOf(sorts: RecordKind['sorts'], { sort, sort_by, sort_direction }: Members): string | null {
  const [first, second] = typeof sort === 'string' ? sort.trim().split(/\s+/) : [sort_by, sort_direction];
  if (first === undefined && second === undefined) return null;
  const property = own(sorts, textIn(first ?? 'id')) ?? own(sorts, 'id') ?? '';
  return String(second).toLowerCase() === 'desc' ? `-${property}` : property;
}

/** The inputs that name an associated record, and what HubSpot calls it in conditions. */
const others: RecordKind['sorts'] = { person_id: 'contact', org_id: 'company', deal_id: 'deal', lead_id: 'lead' };

/** Inputs of lists that are no conditions. */
const paging = ['limit', 'cursor', 'fields', 'sort', 'sort_by', 'sort_direction', 'custom_fields', ...showingInputs];

function conditionsOf(kind: RecordKind, input: Members): Outcome<readonly Filter[]> {
  const filters: Filter[] = [];
  const unknown: string[] = [];
  const [updated = '', added = ''] = [own(kind.sorts, 'update_time'), own(kind.sorts, 'add_time')];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || paging.includes(name)) continue;
    const linked = own(others, name.replace('organization', 'org'));
    const [property] = own(kind.fields, name) ?? [];
    const at = Date.parse(textIn(value));
    if (name === 'ids' && Array.isArray(value)) filters.push(among('hs_object_id', value));
    else if (name === 'updated_since') filters.push(equals(updated, at, 'GTE'));
    else if (name === 'updated_until') filters.push(equals(updated, at, 'LT'));
    else if (name === 'start_date') filters.push(equals(added, at, 'GTE'));
    else if (name === 'end_date') filters.push(equals(added, at + 86_400_000, 'LT'));
    else if (linked !== undefined) filters.push(equals(`associations.${linked}`, value));
    else if (property !== undefined) filters.push(equals(property, value));
    else unknown.push(name);
  }
  return unknown.length === 0 ? succeeded(filters) : refusedInput(unknown.map(noPlace));
}
