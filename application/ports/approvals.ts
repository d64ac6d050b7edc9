import type { Approval } from '#domain/changes/approval.ts';

/** How many approvals of an app, and of its user, wait. */
export type WaitingCounts = Readonly<{ ofApp: number; ofUser: number }>;

/** A filter for approvals of a user; members that are not given match all. */
export type ApprovalQuery = Readonly<{
  userId: number;
  /** Those that wait only. */
  isWaiting?: boolean;
  /** Those in one of these states only. */
  states?: readonly Approval['state'][];
  /** Those of this change only (`Approval.digest`). */
  digest?: string;
  /** Only those that come after this one in the list, for the next page. */
  before?: Readonly<{ at: number; id: string }>;
  limit: number;
}>;

/** An approval whose contents and outcome are those, or texts. */
export type ApprovalLike = Omit<Approval, 'content' | 'outcome'> & Readonly<{ content: unknown; outcome: unknown }>;

/** What an approval is for after the record changed: it waits again, with another digest. */
export type RenewedApproval<One extends ApprovalLike = Approval> = Pick<
  One,
  'digest' | 'effect' | 'expiresAt' | 'content'
>;

/** Stores the changes that wait for a person's decision, and the outcomes of those that were done. */
export interface Approvals<One extends ApprovalLike = Approval> {
  /**
   * Stores a new one, and returns it; where one of the same user, app and digest waits that has not expired at its time,
   * stores nothing and returns that one, so that of servers that ask at once one asks.
   */
  keep(approval: One): Promise<One>;
  /** Returns it; null when it is unknown, or was removed. */
  find(id: string): Promise<One | null>;
  /** Lists a user's, the latest first. At most `limit`. */
  list(query: ApprovalQuery): Promise<readonly One[]>;
  /** Counts those that wait and have not expired at `now`. */
  waiting(place: Readonly<{ userId: number; grantId: string; now: number }>): Promise<WaitingCounts>;
  /**
   * Moves one from a state to another (compare-and-set); false, with nothing changed, when it is in another state, so
   * that of two who decide at once one succeeds.
   */
  move(
    id: string,
    from: Approval['state'],
    to: Readonly<{ state: Approval['state']; decidedAt: number; comment?: string | null }>,
  ): Promise<boolean>;
  /** Ends one that is `running`, with its outcome, which is kept until then (Unix ms). */
  end(id: string, outcome: Exclude<One['outcome'], null>, until: number): Promise<boolean>;
  /** Has one that is `running` wait again for what it is for now. */
  renew(id: string, renewed: RenewedApproval<One>): Promise<boolean>;
  /** Removes all of a grant, or of a user when `grantId` is null. */
  removeOf(userId: number, grantId: string | null): Promise<void>;
  /** Removes those that expired before this time (Unix ms), and returns their number. */
  prune(before: number): Promise<number>;
}
