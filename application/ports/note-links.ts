import type { RecordRef } from '#domain/events/record-ref.ts';

/** The last known path of a record's note, and the time (Unix ms) of the latest event that set its frontmatter. */
export type NoteLink = Readonly<{ record: RecordRef; path: string; appliedAt: number }>;

/** Maps records to their notes. A note may have been moved since: the path is a first guess. */
export interface NoteLinks {
  /** Returns the link, or null. */
  find(record: RecordRef): Promise<NoteLink | null>;
  /**
   * Stores the link in place of an earlier one of the record. `appliedAt` never goes back. It is on disk before what the caller stores
   * afterwards.
   */
  keep(link: NoteLink): Promise<void>;
}
