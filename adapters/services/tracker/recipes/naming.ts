import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import type { IdOf, Named } from '#adapters/services/tracker/names.ts';

/** Inputs that may name something, by what they name; null clears and names nothing. */
export type Given = readonly (readonly [Kind, string | readonly string[] | null | undefined])[];

/** The names among the inputs. */
export const namedIn = (given: Given): readonly Named[] =>
  given.flatMap(([kind, value]) => {
    if (value == null) return [];
    return (typeof value === 'string' ? [value] : value).map((name) => ({ kind, name }));
  });

/** The id of one name, or what was given instead of it: null stays null, nothing stays nothing. */
export const idOrNull = (idOf: IdOf, kind: Kind, name: string | null | undefined) =>
  name == null ? name : idOf(kind, name);

/** The id of a name that cannot be cleared; nothing stays nothing. */
export const idIfGiven = (idOf: IdOf, kind: Kind, name: string | undefined) =>
  name === undefined ? undefined : idOf(kind, name);

/** The ids of several names. */
export const idsOf = (idOf: IdOf, kind: Kind, names: readonly string[] | undefined) =>
  names === undefined ? undefined : names.map((name) => idOf(kind, name));
