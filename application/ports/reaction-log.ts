import type { ServiceKey } from '#domain/services/service-key.ts';

/** An administrator's permission for the calls of one text of a reaction. Times are Unix ms. */
export type ReactionApproval = Readonly<{ digest: string; reaction: string; by: string; at: number }>;

/**
 * The states of a call: `waiting` for an administrator; `begun` before it is sent; `done`; `unknown` when nobody can
 * tell whether it had its effect, which a person decides.
 */
export const callStates = ['waiting', 'begun', 'done', 'unknown'] as const;

/** One of the four states. */
export type CallState = (typeof callStates)[number];

/** A call before it is made. `operation` is 'tracker.issues.create'; `seq` the delivery's place in the inbox. */
export type NewReactionCall = Readonly<{
  key: string;
  reaction: string;
  operation: string;
  seq: number;
  /** How many calls of reactions led to it, this one included. */
  depth: number;
  /** When it is begun, Unix ms. */
  at: number;
}>;

/** The record that a call made or changed. */
export type TouchedRecord = Readonly<{ service: ServiceKey; id: string }>;

/** A call as recorded. `outcome` is a line for people; `record` what it touched, null where that is not known. */
export type RecordedCall = NewReactionCall &
  Readonly<{ state: CallState; outcome: string | null; record: TouchedRecord | null; endedAt: number | null }>;

/** How a call ends: it was made, nobody knows, or it certainly was not made, and its record goes. */
export type CallEnd =
  | Readonly<{ state: 'done'; outcome: string; record: TouchedRecord | null; at: number }>
  | Readonly<{ state: 'unknown'; outcome: string; at: number }>
  | Readonly<{ state: 'free' }>;

/** One run of a reaction: what came of it, as a line for people. */
export type ReactionRun = Readonly<{ reaction: string; at: number; outcome: string; isFault: boolean }>;

/** The runs of a reaction so far: how many, how many of them faults, and the last. */
export type ReactionCount = ReactionRun & Readonly<{ runs: number; faults: number }>;

/** Records what reactions that people wrote have done, may do, and are yet to do. */
export interface ReactionLog {
  /** Records the permission; a second one for the same text changes nothing. */
  approve(approval: ReactionApproval): Promise<void>;
  /** Withdraws the permission; false when there is none. */
  withdraw(digest: string): Promise<boolean>;
  /** Lists all permissions, by reaction and time. */
  approvals(): Promise<readonly ReactionApproval[]>;
  /** Begins a call; one that waited begins now. Returns the recorded one, and changes nothing, when it was begun before. */
  begin(call: NewReactionCall): Promise<RecordedCall | null>;
  /** Records that a call waits for permission; one that is recorded stays as it is. */
  wait(call: NewReactionCall): Promise<void>;
  /** Ends a call that was begun, or that nobody knew the outcome of; false, and nothing changed, for any other. */
  end(key: string, end: CallEnd): Promise<boolean>;
  /** Lists calls, the latest first, of one reaction and state or all. */
  calls(query: Readonly<{ reaction?: string; state?: CallState; limit: number }>): Promise<readonly RecordedCall[]>;
  /** Returns the latest call that touched the record and ended at that time or later (Unix ms), or null. */
  touchedSince(record: TouchedRecord, since: number): Promise<RecordedCall | null>;
  /** Counts a run, and keeps it as the last. */
  noteRun(run: ReactionRun): Promise<void>;
  /** Lists the counts of all reactions that ever ran, by reaction. */
  counts(): Promise<readonly ReactionCount[]>;
  /** Returns up to when (Unix ms) the reaction's schedule has run; null when it never did. */
  scheduledTo(reaction: string): Promise<number | null>;
  /** Moves that on from `from`; false, and nothing changed, when another process did. */
  advance(reaction: string, from: number | null, to: number): Promise<boolean>;
  /** Switches a built-in reaction off or on. */
  setSwitch(name: string, isOn: boolean): Promise<void>;
  /** Lists the built-in reactions that are switched off, sorted. */
  switchedOff(): Promise<readonly string[]>;
}
