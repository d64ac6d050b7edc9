import type { OnPlanned, PlannedChange, Undo } from '#domain/changes/planned-change.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * Decides whether a call's requests may still be sent, and is notified when one is: for work that may lose the right to
 * begin anything.
 */
export type Departure = Readonly<{
  /** Called right before the first byte of a request may leave; false forbids it. */
  begin(): boolean;
  /** Cancels also what has been sent. */
  cut: AbortSignal;
}>;

/** A question of a service to the user in the middle of a call: its words, and the JSON Schema of the answer. */
export type AskedQuestion = Readonly<{ message: string; schema: Readonly<Record<string, unknown>> }>;

/** What the user answered. */
export type QuestionAnswer = Readonly<{
  action: 'accept' | 'decline' | 'cancel';
  content?: Readonly<Record<string, string | number | boolean | string[]>>;
}>;

/** What an app asks of a change, besides its input. */
export type AskedOfChange = Readonly<{
  /** Whether the change is only shown, and not made. */
  isDry?: boolean;
  /** The app's own words on it, at most 300 characters. */
  explain?: string;
  /** The id of an approval: its outcome is asked for, or the change is made that was allowed. */
  approval?: string;
  /** The id of the kept change that is taken back; for `undo` only. */
  undoOf?: string;
  /**
   * The digest of the change that the client's user confirmed, null for none yet: a change that may lose something or
   * reaches others ends with what they have to confirm. Absent where the client is not asked.
   */
  confirmed?: string | null;
  /** The input as the app gave it, where its user has chosen since what a name in it means. */
  given?: unknown;
}>;

/** What makes a call part of a program. */
export type ProgramPart = Readonly<{
  /** The program's id, under which its changes are kept. */
  id: string;
  /** Receives what the call would change, in a dry run. */
  onPlanned?: (plan: PlannedChange) => void;
  /**
   * The user has allowed the call with the program's plan: the digest that its change must have, null for any. Absent
   * where nothing was allowed.
   */
  allowed?: string | null;
}>;

/** One call of an outbound operation, with input that is not validated yet. */
export type OperationCall = Readonly<{
  service: ServiceKey;
  /** The operation's name within its service: 'notes.read'. */
  name: string;
  input: unknown;
  /** True for a user's call: when it names something that is not there, what is near is looked up and explained. */
  isUsers?: boolean;
  /** Cancels the outbound request when it aborts; with a `departure`, only what has not been sent. */
  signal?: AbortSignal;
  /** Without it requests may be sent until the signal aborts. */
  departure?: Departure;
  /** When its caller stops waiting, by `performance.now()`: no wait begins that would end later. */
  endsAt?: number;
  /**
   * The maximum number of times that one request is sent; 1 leaves retries to the caller. Defaults to the provider's.
   */
  maxTries?: number;
  /** Receives the progress of long-running work; `total` is null when unknown. */
  onProgress?: (progress: Readonly<{ done: number; total: number | null; message: string }>) => void;
  /** Asks the caller's user what a remote MCP server wants to know, in its words; absent where nobody can be asked. */
  onQuestion?: (question: AskedQuestion) => Promise<QuestionAnswer>;
  /** What an app asks of a change besides: to be shown it only, its own words, and the approval that it was given. */
  asked?: AskedOfChange;
  /** The program that makes the call; none for a call that came alone. */
  program?: ProgramPart;
  /**
   * Called once with what an operation changes, before any of it is sent; an outcome that it returns ends the operation
   * in place of its own. Not called for operations that read. Without it nothing is read before a change.
   */
  onPlanned?: OnPlanned<Outcome>;
}>;

/** A change to take back: the operation that made it, and how. */
export type UndoCall = Omit<OperationCall, 'input'> &
  Readonly<{
    undo: Undo;
    /** Whether values that somebody changed since are overwritten, too. */
    isForced: boolean;
  }>;

/** One request of an operation, ready to be sent with a connection's credentials. */
export type OutboundRequest = Readonly<{
  /** False when it carries a stream, which can be sent only once. */
  canBeSentAgain: boolean;
  /** Sends it with the record's credentials; the outcome is `unauthorized` when the provider rejects them. */
  send(record: TokenRecord): Awaitable<Outcome>;
}>;

/** An operation whose input is valid. */
export type ReadyOperation = Readonly<{
  /**
   * Runs the operation: passes its requests to `send`, sequentially or concurrently, and combines their outcomes into
   * one. `record` is the connection at the start, for whatever besides credentials the operation depends on.
   */
  run(record: TokenRecord, send: (request: OutboundRequest) => Awaitable<Outcome>): Awaitable<Outcome>;
}>;

/** Sends operations to the services over the network, with the credentials passed to each call. */
export interface ServiceGateway {
  /** Finds the operation and validates its input without sending anything. A failure lists every error in the input. */
  prepare(call: OperationCall): Result<ReadyOperation, Failure>;
  /**
   * Finds how a change is taken back. It runs like any change: what it reverses is planned first, and sent then. Fails
   * with `conflict` when somebody changed the same values since.
   */
  prepareUndo(call: UndoCall): Result<ReadyOperation, Failure>;
}
