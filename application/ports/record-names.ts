import type { NamedRef, NameOf } from '#domain/events/record-name.ts';

/** Looks up the names of records that an event carries by id alone. */
export interface RecordNames {
  /** Looks up the wanted names, within a time limit; one that cannot be found is unknown, which is no failure. */
  of(wanted: readonly NamedRef[]): Promise<NameOf>;
}

/** Record names that are all unknown. */
export const noNames: RecordNames = { of: async () => () => null };
