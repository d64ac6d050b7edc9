import type { KeptChange, KeptChangeHead, KeptState } from '#domain/changes/kept-change.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A filter for kept changes; members that are not given match all. Times are Unix ms, `since` inclusive. */
export type KeptQuery = Readonly<{
  userId?: number;
  grantId?: string;
  service?: ServiceKey;
  recordId?: string;
  /** Those of one program. */
  partOf?: string;
  account?: string;
  since?: number;
  /** Only changes that come after this one in the list, for the next page. */
  before?: Readonly<{ at: number; id: string }>;
  /** The maximum number, 1 to 200. */
  limit: number;
}>;

/** A kept change as it is listed: without what is needed to take it back. `irreversible` says why it cannot be; null when it can. */
export type KeptSummary = KeptChangeHead & Readonly<{ irreversible: string | null }>;

/** What a kept change gets when it was done; without more than the record it stays as it was kept. */
export type SettledChange<One extends KeptChangeHead> = Readonly<{ recordId: string | null }> &
  Partial<Omit<One, keyof KeptChangeHead>>;

/** Stores changes with what is needed to take them back. */
export interface KeptChanges<One extends KeptChangeHead = KeptChange> {
  /** Stores a change that is about to be sent, or one that was done. */
  keep(change: One): Promise<void>;
  /** Completes a change that was done, of which nothing was taken back yet: its state is `kept`, what is given replaces the rest. */
  settle(id: string, settled: SettledChange<One>): Promise<void>;
  /** Removes a change that was not made. */
  remove(id: string): Promise<void>;
  /** Returns it; null when it is unknown, or was removed. */
  find(id: string): Promise<One | null>;
  /** Lists those that match, the latest first. */
  list(query: KeptQuery): Promise<readonly KeptSummary[]>;
  /** Returns those of these ids, at most 200, in any order. */
  summaries(ids: readonly string[]): Promise<readonly KeptSummary[]>;
  /** Moves one from a state to another (compare-and-set); false, with nothing changed, when it is in another state. */
  move(id: string, from: KeptState, to: Readonly<{ state: KeptState; undoneAt: number | null }>): Promise<boolean>;
  /** Removes all of a user. */
  removeOf(userId: number): Promise<void>;
  /** Removes those made before this time (Unix ms), and returns their number. */
  prune(before: number): Promise<number>;
}
