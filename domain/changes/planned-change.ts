import type { Effect } from '#domain/operations/effect.ts';
import type { Failure, Success } from '#domain/operations/outcome.ts';

/** A field that a call changes. Values are JSON; a member that is not there is a value that there was not, or is not known. */
export type FieldChange = Readonly<{ field: string; before?: unknown; after?: unknown }>;

/**
 * What a call changes in one record of a service. `id` is null for a record that the call makes, `title` is its name for
 * people, null when it is not known.
 */
export type RecordChange = Readonly<{
  kind: 'record';
  id: string | null;
  title: string | null;
  fields: readonly FieldChange[];
}>;

/** What a call changes in one note: its whole text before and after, null where there is none; `to` is where it is moved. */
export type TextChange = Readonly<{
  kind: 'text';
  path: string;
  before: string | null;
  after: string | null;
  to?: string;
}>;

/** What a call changes in one place. */
export type Difference = RecordChange | TextChange;

/**
 * How a change is taken back, as JSON that only its service reads (`ServiceGateway.prepareUndo`): previous values, texts
 * as differences, ids of what was made.
 */
export type Undo = Readonly<Record<string, unknown>>;

/** What a call is about to change: all of it is known before any of it is sent. */
export type PlannedChange = Readonly<{
  /** The input as it is sent: with ids in place of names. */
  input: Readonly<Record<string, unknown>>;
  effect: Effect;
  differences: readonly Difference[];
  /** The id of the record under which the change is kept, where the input and the answer do not say. */
  recordId?: string;
  /** The connection's account: another text when its user connected another one. */
  account: string;
  /** Identifies the state of what is changed: another text when somebody changed it meanwhile. '' when it has none. */
  state: string;
  /** The failure to find the record that would be changed; absent when it was found, or need not be there. */
  missing?: Failure;
  /**
   * What of the change cannot be taken back, and why, as a sentence; null when all can. With an undo the rest can be, or
   * something is made again and has a new id.
   */
  irreversible: string | null;
  /**
   * How it is taken back: as far as it is known before it is sent (null), and as it is known by its answer. Null when it
   * cannot be taken back, or before it is sent when there is nothing to keep yet.
   */
  undo(answer: Success | null): Undo | null;
}>;

/** Receives what a call changes before any of it is sent; what it returns is the call's outcome, null goes on. */
export type OnPlanned<Outcome> = (plan: PlannedChange) => Promise<Outcome | null>;
