import type { RecordRef } from '#domain/events/record-ref.ts';

/** The last known path of a record's note, and the time (Unix ms) of the latest event that set its frontmatter. */
export type NoteLink = Readonly<{ record: RecordRef; path: string; appliedAt: number }>;

/** Maps records to their notes. The path is a hint: the note may have been moved since. */
export interface NoteLinks {
  /** Returns the link, or null. */
  find(record: RecordRef): Promise<NoteLink | null>;
  /**
   * Stores the link, replacing the record's existing one. `appliedAt` never decreases. Durably committed before
   * anything that the caller stores afterwards.
   */
  keep(link: NoteLink): Promise<void>;
}
