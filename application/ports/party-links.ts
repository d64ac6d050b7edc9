import type { RecordRef } from '#domain/events/record-ref.ts';

/**
 * Which record of the suite CRM a record of the sales CRM is: `digest` of what it was last told, and the time (Unix ms) of
 * the event that told it.
 */
export type PartyLink = Readonly<{ record: RecordRef; remoteId: string; digest: string; appliedAt: number }>;

/** The mapping table of the pushes into the suite CRM. */
export interface PartyLinks {
  /** The link, or null. */
  find(record: RecordRef): Promise<PartyLink | null>;
  /** The record of that kind that has this id in the suite CRM, or null. */
  findByRemote(kind: string, remoteId: string): Promise<RecordRef | null>;
  /** Keeps the link in place of an earlier one of the record. */
  keep(link: PartyLink): Promise<void>;
}
