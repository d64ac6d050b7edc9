import type { KeptChange, KeptContent, KeptState } from '#domain/changes/kept-change.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A filter for kept changes; members that are not given match all. Times are Unix ms, `since` inclusive. */
export type KeptQuery = Readonly<{
  userId?: number;
  grantId?: string;
  service?: ServiceKey;
  recordId?: string;
  since?: number;
  /** Only changes before this one, for the next page. */
  before?: Readonly<{ at: number; id: string }>;
  /** The maximum number, 1 to 200. */
  limit: number;
}>;

/** Stores changes with what is needed to take them back. */
export interface KeptChanges {
  /** Stores a change that is about to be sent, or one that was done. */
  keep(change: KeptChange): Promise<void>;
  /** Completes a change that was done: its contents and record are as given then, its state is `kept`. */
  settle(id: string, settled: Readonly<{ recordId: string | null; content: KeptContent }>): Promise<void>;
  /** Removes a change that was not made. */
  remove(id: string): Promise<void>;
  /** Returns it; null when it is unknown, or was removed. */
  find(id: string): Promise<KeptChange | null>;
  /** Lists those that match, the latest first. */
  list(query: KeptQuery): Promise<readonly KeptChange[]>;
  /** Moves one from a state to another (compare-and-set); false, with nothing changed, when it is in another state. */
  move(id: string, from: KeptState, to: Readonly<{ state: KeptState; undoneAt: number | null }>): Promise<boolean>;
  /** Removes all of a user. */
  removeOf(userId: number): Promise<void>;
  /** Removes those made before this time (Unix ms), and returns their number. */
  prune(before: number): Promise<number>;
}
