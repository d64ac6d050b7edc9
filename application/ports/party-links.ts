import type { RecordRef } from '#domain/events/record-ref.ts';

/**
 * The record of the suite CRM that a record of the sales CRM corresponds to: `digest` of what was last pushed, and the
 * time (Unix ms) of the event that caused it.
 */
export type PartyLink = Readonly<{ record: RecordRef; remoteId: string; digest: string; appliedAt: number }>;

/** Maps records of the sales CRM to those of the suite CRM, for pushes. */
export interface PartyLinks {
  /** Returns the link, or null. */
  find(record: RecordRef): Promise<PartyLink | null>;
  /** Returns the record of that kind that has this id in the suite CRM, or null. */
  findByRemote(kind: string, remoteId: string): Promise<RecordRef | null>;
  /**
   * Stores the link, replacing the record's existing one. With `before`, only if the existing link still is `before`,
   * or if there is still none when `before` is null (compare-and-set); false, with nothing changed, otherwise.
   */
  keep(link: PartyLink, before?: PartyLink | null): Promise<boolean>;
}
