/** What work may go on by: a signal that ends it, and whether it is still this process's to do. */
export type WorkHold = Readonly<{ signal: AbortSignal; isHeld(): boolean }>;

/** Binds the calls to services that some work makes to its hold, however deep in the work they are made. */
export interface WorkScope {
  /** Runs the work and returns its value; each call is cancelled when the signal aborts, and none begins without the hold. */
  run<Value>(hold: WorkHold, work: () => Promise<Value>): Promise<Value>;
}

/** A scope that binds nothing. */
export const noScope: WorkScope = { run: (_, work) => work() };
