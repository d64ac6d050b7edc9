import type { RecordRef } from '#domain/events/record-ref.ts';

/**
 * The record of the suite CRM that a record of the sales CRM corresponds to: `digest` of what was last pushed, and the
 * time (Unix ms) of the event behind it.
 */
export type PartyLink = Readonly<{ record: RecordRef; remoteId: string; digest: string; appliedAt: number }>;

/** Maps records of the sales CRM to those of the suite CRM, for pushes. */
export interface PartyLinks {
  /** Returns the link, or null. */
  find(record: RecordRef): Promise<PartyLink | null>;
  /** Returns the record of that kind that has this id in the suite CRM, or null. */
  findByRemote(kind: string, remoteId: string): Promise<RecordRef | null>;
  /**
   * Stores the link in place of an earlier one of the record. With `before`, only if the record's link is still that, or if there is
   * still none when it is null; false when it is another, which stays.
   */
  keep(link: PartyLink, before?: PartyLink | null): Promise<boolean>;
}
