import type { Kind } from '#adapters/services/tracker/details/kinds.ts';
import type { IdOf, Named } from '#adapters/services/tracker/names.ts';

/** Inputs that may name a record, with the kind they name; null clears a field and names nothing. */
export type Given = readonly (readonly [Kind, string | readonly string[] | null | undefined])[];

/** Collects the names among the inputs. */
export const namedIn = (given: Given): readonly Named[] =>
  given.flatMap(([kind, value]) => {
    if (value == null) return [];
    return (typeof value === 'string' ? [value] : value).map((name) => ({ kind, name }));
  });

/** The id of a name; null and undefined are returned unchanged. */
export const idOrNull = (idOf: IdOf, kind: Kind, name: string | null | undefined) =>
  name == null ? name : idOf(kind, name);

/** The id of a name that cannot be null; undefined is returned unchanged. */
export const idIfGiven = (idOf: IdOf, kind: Kind, name: string | undefined) =>
  name === undefined ? undefined : idOf(kind, name);

/** The ids of several names; undefined is returned unchanged. */
export const idsOf = (idOf: IdOf, kind: Kind, names: readonly string[] | undefined) =>
  names === undefined ? undefined : names.map((name) => idOf(kind, name));
