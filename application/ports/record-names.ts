import type { NamedRef, NameOf } from '#domain/events/record-name.ts';

/** What people call the records that an event tells by id alone. */
export interface RecordNames {
  /** Looks up what is wanted, within a bound of time; a name that cannot be had is not known, and nothing fails for it. */
  of(wanted: readonly NamedRef[]): Promise<NameOf>;
}

/** Knows no names. */
export const noNames: RecordNames = { of: async () => () => null };
