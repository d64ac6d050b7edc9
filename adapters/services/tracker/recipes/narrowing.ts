import { allOf, type Filter } from '#adapters/services/tracker/details/filters.ts';
import { filterInput, optionalText, page, projection } from '#adapters/services/tracker/inputs.ts';
import { type Call, resolveNames } from '#adapters/services/tracker/names.ts';
import { type Given, namedIn } from '#adapters/services/tracker/recipes/naming.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The inputs that every list tool takes besides its own: the tracker's filter, paging and the fields to return. */
export const listing = (filterType: string) => ({ filter: filterInput(filterType), ...page, fields: projection });

/** A list that is filtered by names: what the tools' inputs come to. */
type Narrowed = Readonly<{
  /** The tracker's own filter, and those that the other inputs stand for. */
  filters: readonly (Filter | null | undefined)[];
  /** Names among the inputs, which are checked if the list is empty. */
  names?: Given;
  team?: string | undefined;
}>;

/**
 * Calls a row that lists records, and checks the names it was filtered by if nothing was found. The list is requested
 * directly, since the tracker resolves names itself; only an empty result is checked, so that a mistyped name is an
 * error and not an empty list. A later page says nothing about names.
 */
export async function listNarrowed(
  call: Call,
  row: Parameters<Call>[0],
  paging: Readonly<Record<string, unknown>>,
  { filters, names = [], team }: Narrowed,
): Promise<Outcome> {
  const filter = allOf(filters);
  const outcome = await call(row, { ...paging, ...(filter === null ? {} : { filter }) });
  const isEmpty = outcome.ok && Array.isArray(outcome.data) && outcome.data.length === 0;
  const named = namedIn(names);
  const isLater = paging['after'] !== undefined || paging['before'] !== undefined;
  if (!isEmpty || isLater || named.length === 0) return outcome;
  const known = await resolveNames(call, named, team ?? null);
  return known.ok ? outcome : known;
}

/** The team that a list is filtered by. */
export const team = optionalText('Team by key ("ENG"), name or id');
/** A start time for a filter. */
export const since = (what: string) =>
  optionalText(`Only those ${what} since a time such as 2026-11-01, or a duration back such as -P2W`);
/** Matches text anywhere in a field. */
export const contains = (text: string): Filter => ({ containsIgnoreCase: text });
