import type { NamedRef, NameOf } from '#domain/events/record-name.ts';

/** Looks up the names of records that events reference only by id. */
export interface RecordNames {
  /** Looks up the names within a time limit; a name that cannot be found is unknown, which is no failure. */
  of(wanted: readonly NamedRef[]): Promise<NameOf>;
}

/** An implementation that knows no names. */
export const noNames: RecordNames = { of: async () => () => null };
