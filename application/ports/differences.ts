import type { Difference } from '#domain/changes/planned-change.ts';
import type { ShownDifference } from '#domain/changes/shown-difference.ts';

/** Works out what people see of changes: of texts the lines that differ, with some around them. */
export interface Differences {
  /** Returns the differences as they are shown, at most `maxShownPlaces`. */
  shown(differences: readonly Difference[]): readonly ShownDifference[];
}
