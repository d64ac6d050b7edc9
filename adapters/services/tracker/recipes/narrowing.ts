import { allOf, type Filter } from '#adapters/services/tracker/details/filters.ts';
import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import { optionalText } from '#adapters/services/tracker/inputs.ts';
import { type Call, type Named, resolveNames } from '#adapters/services/tracker/names.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** Collects the given names with the kinds they name. */
export const namesIn = (
  given: Readonly<Partial<Record<Kind, string | readonly string[] | undefined>>>,
): readonly Named[] => {
  const kinds: readonly Kind[] = [
    'teams',
    'workflowStates',
    'users',
    'issueLabels',
    'projects',
    'cycles',
    'initiatives',
  ];
  return kinds.flatMap((kind) => {
    const value = given[kind];
    const list = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    return list.map((name) => ({ kind, name }));
  });
};

/** A list that was filtered by names. */
export type Listed = Readonly<{
  outcome: Outcome;
  /** Whether this is a later page, where an empty result says nothing about the names. */
  isLater: boolean;
  named: readonly Named[];
  team: string | undefined;
}>;

/**
 * Checks the names of a filtered list that came back empty. The list is requested directly, since the tracker resolves
 * names itself; only an empty result is checked, so that a mistyped name is an error and not an empty list.
 */
export async function checkedWhenEmpty(call: Call, { outcome, isLater, named, team }: Listed): Promise<Outcome> {
  const isEmpty = outcome.ok && Array.isArray(outcome.data) && outcome.data.length === 0;
  if (!isEmpty || isLater || named.length === 0) return outcome;
  const known = await resolveNames(call, named, team ?? null);
  return known.ok ? outcome : known;
}

/** Whether a list is requested from a cursor. */
export const isLater = (input: Readonly<{ after?: string | undefined; before?: string | undefined }>) =>
  input.after !== undefined || input.before !== undefined;

/** The given filters, as the input of a row. */
export const filtered = (filters: readonly (Filter | null | undefined)[]) => {
  const filter = allOf(filters);
  return filter === null ? {} : { filter };
};

/** The team that a list is filtered by. */
export const team = optionalText('Team by key ("ENG"), name or id');
/** A start time for a filter. */
export const since = (what: string) =>
  optionalText(`Only those ${what} since a time such as 2026-11-01, or a duration back such as -P2W`);
/** Matches text anywhere in a field. */
export const contains = (text: string): Filter => ({ containsIgnoreCase: text });
