import { allOf, type Filter } from '#adapters/services/tracker/details/filters.ts';
import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import { optionalText } from '#adapters/services/tracker/inputs.ts';
import { type Call, type Named, resolveNames } from '#adapters/services/tracker/names.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The names that were given, as what they name. */
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
  /** Whether this is a later page, where nothing found says nothing about the names. */
  isLater: boolean;
  named: readonly Named[];
  team: string | undefined;
}>;

/**
 * A list that was filtered by names goes straight to the tracker, which knows them. Only when nothing was found the names
 * are looked up, so that a mistyped one is an error and not an empty list.
 */
export async function checkedWhenEmpty(call: Call, { outcome, isLater, named, team }: Listed): Promise<Outcome> {
  const isEmpty = outcome.ok && Array.isArray(outcome.data) && outcome.data.length === 0;
  if (!isEmpty || isLater || named.length === 0) return outcome;
  const known = await resolveNames(call, named, team ?? null);
  return known.ok ? outcome : known;
}

/** Whether a list is asked for from a cursor on. */
export const isLater = (input: Readonly<{ after?: string | undefined; before?: string | undefined }>) =>
  input.after !== undefined || input.before !== undefined;

/** The filters that are given, as the input of a row. */
export const filtered = (filters: readonly (Filter | null | undefined)[]) => {
  const filter = allOf(filters);
  return filter === null ? {} : { filter };
};

/** A team that a list is narrowed to. */
export const team = optionalText('Team by key ("ENG"), name or id');
/** A time from which on. */
export const since = (what: string) =>
  optionalText(`Only those ${what} since a time such as 2026-11-01, or a duration back such as -P2W`);
/** Text somewhere in a field. */
export const contains = (text: string): Filter => ({ containsIgnoreCase: text });
