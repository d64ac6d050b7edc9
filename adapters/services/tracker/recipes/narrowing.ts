import type { InputOf } from '#adapters/services/requests/operation-table.ts';
import type { NamedInput } from '#adapters/services/requests/row-options.ts';
import { allOf, type Filter } from '#adapters/services/tracker/details/filters.ts';
import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import { filterInput, optionalText, page, projection } from '#adapters/services/tracker/inputs.ts';
import type { rows } from '#adapters/services/tracker/rows.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The inputs that every list tool takes besides its own: the tracker's filter, paging and the fields to return. */
export const listing = (filterType: string) => ({ filter: filterInput(filterType), ...page, fields: projection });

type Rows = typeof rows;

/** Calls a row of the tracker. */
type Call = <Name extends Extract<keyof Rows, string>>(name: Name, input: InputOf<Rows, Name>) => Promise<Outcome>;

/** Calls a row that lists records, by all of these filters. */
export function listBy(
  call: Call,
  row: Parameters<Call>[0],
  paging: Readonly<Record<string, unknown>>,
  filters: readonly (Filter | null | undefined)[],
): Promise<Outcome> {
  const filter = allOf(filters);
  return call(row, { ...paging, ...(filter === null ? {} : { filter }) });
}

/** An input that names a record of a kind, whose id takes its place. */
export const naming = (kind: Kind): NamedInput => ({ kind });

/** An input that names records of a kind, by which a list is filtered; `member` is what the filter calls them. */
export const narrowing = (kind: Kind, member: string): NamedInput => ({
  kind,
  filters: (matches) => ({ [member]: matches }),
});

/** The same for a member that is a list. */
export const narrowingSome = (kind: Kind, member: string): NamedInput => ({
  kind,
  filters: (matches) => ({ [member]: { some: matches } }),
});

/** The team that a list is filtered by. */
export const team = optionalText('Team by key ("ENG"), name or id', 'Key ("ENG"), name or id');
/** A start time for a filter. */
export const since = (what: string, brief: string) =>
  optionalText(`Only those ${what} since a time such as 2026-11-01, or a duration back such as -P2W`, brief);
/** Matches text anywhere in a field. */
export const contains = (text: string): Filter => ({ containsIgnoreCase: text });
