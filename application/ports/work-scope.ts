/** Binds the calls to services that some work makes to a signal, however deep in the work they are made. */
export interface WorkScope {
  /** Runs the work and returns its value; each call that it makes is cancelled when the signal aborts. */
  run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value>;
}

/** A scope that binds nothing. */
export const noScope: WorkScope = { run: (_, work) => work() };
