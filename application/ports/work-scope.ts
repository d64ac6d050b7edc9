/** A claim on work: a signal that cancels it, and whether this process still holds the claim. */
export type WorkHold = Readonly<{ signal: AbortSignal; isHeld(): boolean }>;

/** Binds all service calls made within some work, however deeply nested, to its claim. */
export interface WorkScope {
  /**
   * Runs the work and returns its value; calls are cancelled when the signal aborts, and none is started once the claim
   * is lost.
   */
  run<Value>(hold: WorkHold, work: () => Promise<Value>): Promise<Value>;
}

/** A scope that does not restrict anything. */
export const noScope: WorkScope = { run: (_, work) => work() };
