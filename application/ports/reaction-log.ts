import type { RunResult } from '#domain/reactions/run-result.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * An administrator's approval of the calls in one version of a reaction, identified by its digest. Times are Unix ms.
 */
export type ReactionApproval = Readonly<{ digest: string; reaction: string; by: string; at: number }>;

/** An administrator's refusal of one version of a reaction, with what they wrote; null for nothing. */
export type ReactionRefusal = ReactionApproval & Readonly<{ comment: string | null }>;

/** The maximum number of refusals that are remembered; the oldest are forgotten first. */
export const maxRefusals = 2_000;

/**
 * The states of a call: `waiting` for approval; `begun` before it is sent; `done`; `unknown` when its effect cannot be
 * determined, which an administrator decides.
 */
export const callStates = ['waiting', 'begun', 'done', 'unknown'] as const;

/** One of the four states. */
export type CallState = (typeof callStates)[number];

/** A call before it is made. `operation` is 'tracker.issues.create'; `seq` is the delivery's position in the inbox. */
export type NewReactionCall = Readonly<{
  key: string;
  reaction: string;
  operation: string;
  seq: number;
  /** The number of chained reaction calls up to and including this one. */
  depth: number;
  /** When it begins, Unix ms. */
  at: number;
}>;

/** The record that a call created or changed. */
export type TouchedRecord = Readonly<{ service: ServiceKey; id: string }>;

/** A call as recorded. `outcome` is a line for people; `record` is the record it affected, null when unknown. */
export type RecordedCall = NewReactionCall &
  Readonly<{ state: CallState; outcome: string | null; record: TouchedRecord | null; endedAt: number | null }>;

/** How a call ended: it was made, its effect is unknown, or it certainly was not made, which removes its entry. */
export type CallEnd =
  | Readonly<{ state: 'done'; outcome: string; record: TouchedRecord | null; at: number }>
  | Readonly<{ state: 'unknown'; outcome: string; at: number }>
  | Readonly<{ state: 'free' }>;

/**
 * What a delivery came to for a reaction. `seq` is the delivery's position in the inbox, `at` when that was known
 * (Unix ms), `outcome` a line for people.
 */
export type ReactionRun = Readonly<{
  reaction: string;
  seq: number;
  at: number;
  result: RunResult;
  outcome: string;
}>;

/** The deliveries on which a reaction ran, those of them on which it failed, and the last run. */
export type ReactionCount = Readonly<{
  reaction: string;
  at: number;
  outcome: string;
  isFault: boolean;
  runs: number;
  faults: number;
}>;

/** A note that is set aside since it exceeded the limits: the digest of its text, its path, and when (Unix ms). */
export type SetAsideNote = Readonly<{ digest: string; reaction: string; at: number }>;

/** The maximum number of notes that are remembered as set aside; the oldest are forgotten first. */
export const maxSetAside = 2_000;

/** Records the runs, calls, approvals, refusals and schedules of user-written reactions. */
export interface ReactionLog {
  /** Records the approval; a second one for the same digest changes nothing. */
  approve(approval: ReactionApproval): Promise<void>;
  /** Records the refusal; a second one for the same digest changes nothing. Keeps the latest `maxRefusals`. */
  refuse(refusal: ReactionRefusal): Promise<void>;
  /** Withdraws the approval or the refusal; false when there is neither. */
  withdraw(digest: string): Promise<boolean>;
  /** Lists all approvals, by reaction and time. */
  approvals(): Promise<readonly ReactionApproval[]>;
  /** Lists the refusals, the latest first. */
  refusals(): Promise<readonly ReactionRefusal[]>;
  /**
   * Records that a call begins, also one that was waiting, and returns null; returns the recorded call, with nothing
   * changed, when it has begun before.
   */
  begin(call: NewReactionCall): Promise<RecordedCall | null>;
  /** Records that a call waits for approval; no-op when the call is already recorded. */
  wait(call: NewReactionCall): Promise<void>;
  /** Ends a call that is `begun` or `unknown`; false, with nothing changed, for any other. */
  end(key: string, end: CallEnd): Promise<boolean>;
  /** Lists calls, the latest first, filtered by reaction and state if given. */
  calls(query: Readonly<{ reaction?: string; state?: CallState; limit: number }>): Promise<readonly RecordedCall[]>;
  /**
   * Returns the latest call that affected the record and ended at that time or later (Unix ms); null when there is
   * none.
   */
  touchedSince(record: TouchedRecord, since: number): Promise<RecordedCall | null>;
  /**
   * Stores runs, each in place of what is stored for its delivery and reaction. Deliveries are counted, once each, on
   * which the reaction ran (`isRun`) and on which it failed; the last that ran is stored with the counts.
   */
  noteRuns(runs: readonly ReactionRun[]): Promise<void>;
  /** Lists the runs of a reaction, of the latest deliveries first, of those before `before` if given. */
  runs(query: Readonly<{ reaction: string; before?: number; limit: number }>): Promise<readonly ReactionRun[]>;
  /** Lists the runs of a delivery, by reaction; at most 1,000. */
  runsOf(seq: number): Promise<readonly ReactionRun[]>;
  /** Removes the runs before this time (Unix ms) and returns their number; the counts stay. */
  pruneRuns(before: number): Promise<number>;
  /** Lists the counts of all reactions that have run, by reaction. */
  counts(): Promise<readonly ReactionCount[]>;
  /** Returns the time (Unix ms) up to which the reaction's schedule has run; null when it has not. */
  scheduledTo(reaction: string): Promise<number | null>;
  /** Advances that time if it still is `from` (compare-and-set); false, with nothing changed, otherwise. */
  advance(reaction: string, from: number | null, to: number): Promise<boolean>;
  /** Switches a built-in reaction off or on. */
  setSwitch(name: string, isOn: boolean): Promise<void>;
  /** Lists the built-in reactions that are switched off, sorted. */
  switchedOff(): Promise<readonly string[]>;
  /** Records that a note is set aside; no-op for a digest that is already recorded. Keeps the latest `maxSetAside`. */
  setAside(note: SetAsideNote): Promise<void>;
  /** Lists the notes that are set aside, the latest first. */
  setAsideNotes(): Promise<readonly SetAsideNote[]>;
}
