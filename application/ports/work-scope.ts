/** Ties the calls to services that some work makes to a signal, however deep in the work they are made. */
export interface WorkScope {
  /** The work's own answer; each call that it makes ends, as cancelled, when the signal aborts. */
  run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value>;
}

/** Ties nothing. */
export const noScope: WorkScope = { run: (_, work) => work() };
