/** An operation as a program sees it: where it stands below `portolan` ('tracker.issue_get'), and its paging input. */
export type ProgramOperation = Readonly<{
  path: string;
  /** The input that takes `pagination.next`; null when its answers have no pages. */
  paging: string | null;
}>;

/** An error as a program catches it: a JSON object with `message`, and what else is known of the failure. */
export type ProgramError = Readonly<{ message: string; [member: string]: unknown }>;

/** What a call of an operation is answered with; the value is JSON. */
export type ProgramAnswer = Readonly<{ ok: true; value: unknown }> | Readonly<{ ok: false; error: ProgramError }>;

/** A program, and what it may do. */
export type Program = Readonly<{
  /** The body of an async function, in JavaScript or TypeScript. */
  code: string;
  /** What the program finds as `input`; JSON. */
  input: unknown;
  /** The time that its clock shows throughout, in Unix ms. */
  at: number;
  operations: readonly ProgramOperation[];
  /** Whose program it is: users take turns. */
  userId: number;
  /** Answers a call of an operation, by its path as the program wrote it; never rejects. */
  call: (path: string, inputs: unknown) => Promise<ProgramAnswer>;
  /** Stops it; the reason, an `Error`, becomes the message. */
  signal: AbortSignal;
}>;

/**
 * Why a program ended without a result: it threw (`thrown`), used too much (`limit`), was stopped by its caller
 * (`stopped`), could not be read (`syntax`), or found too many others waiting (`busy`).
 */
export type ProgramFailure = Readonly<{
  kind: 'thrown' | 'limit' | 'stopped' | 'syntax' | 'busy';
  message: string;
  /** The line of the program, from 1; null when it is not known. */
  line: number | null;
  /** The error that it threw, if that was a failed call. */
  error?: ProgramError;
}>;

/** How a program ended: its result as JSON, or why there is none, and the lines that it logged until then. */
export type ProgramEnd = Readonly<{ log: readonly string[] }> &
  (Readonly<{ ok: true; value: unknown }> | Readonly<{ ok: false; failure: ProgramFailure }>);

/** Runs programs that nobody trusts: they reach nothing but the calls that they are given. */
export interface ProgramSandbox {
  /** Runs a program to its end; never rejects for what the program does. */
  run(program: Program): Promise<ProgramEnd>;
}
