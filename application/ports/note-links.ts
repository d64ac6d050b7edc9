import type { RecordRef } from '#domain/events/record-ref.ts';

/** Where a record's note was last, and the time (Unix ms) of the latest event that set its frontmatter. */
export type NoteLink = Readonly<{ record: RecordRef; path: string; appliedAt: number }>;

/** Which note belongs to which record. A note may have been moved since: the path is a first guess. */
export interface NoteLinks {
  /** The link, or null. */
  find(record: RecordRef): Promise<NoteLink | null>;
  /** Keeps the link in place of an earlier one of the record. `appliedAt` never goes back. */
  keep(link: NoteLink): Promise<void>;
}
