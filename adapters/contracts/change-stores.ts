import type { ApprovalLike, Approvals } from '#application/ports/approvals.ts';
import type { KeptChanges, KeptSummary } from '#application/ports/kept-changes.ts';

/** The encrypted texts of a stored row, by member; null for one that has no value. */
export type SealedRow<Member extends string> = Readonly<{ id: string; texts: Readonly<Record<Member, string | null>> }>;

/** Lists and replaces the encrypted texts of a store, for key rotation. */
export interface SealedRows<Member extends string> {
  /** Lists rows in the order of their ids, after that id if given. */
  sealedRows(query: Readonly<{ after: string | null; limit: number }>): Promise<readonly SealedRow<Member>[]>;
  /** Replaces the texts of a row if they are still those of `before`; false when they are not. */
  reseal(before: SealedRow<Member>, texts: SealedRow<Member>['texts']): Promise<boolean>;
}

/** A kept change as it is stored: both texts are encrypted. */
export type StoredKeptChange = KeptSummary & Readonly<{ content: string }>;

/** The store of kept changes, which is given encrypted texts. */
export interface KeptChangeStore extends KeptChanges<StoredKeptChange>, SealedRows<'content' | 'irreversible'> {}

/** An approval as it is stored: content, outcome and comment are encrypted. */
export type StoredApproval = Omit<ApprovalLike, 'content' | 'outcome'> &
  Readonly<{ content: string; outcome: string | null }>;

/** The store of approvals, which is given encrypted texts. */
export interface ApprovalStore extends Approvals<StoredApproval>, SealedRows<'content' | 'outcome' | 'comment'> {}
