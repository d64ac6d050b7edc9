/**
 * A claim on work. `signal` aborts when it is lost, after which nothing is begun; `cut` when also what was sent is to
 * be broken off, at a stop.
 */
export type WorkHold = Readonly<{
  signal: AbortSignal;
  cut: AbortSignal;
  /** Whether this process still holds the claim. */
  isHeld(): boolean;
}>;

/** Binds all service calls made within some work, however deeply nested, to its claim. */
export interface WorkScope {
  /**
   * Runs the work and returns its value. No request leaves once the claim is lost; one that has left is completed,
   * unless the claim is cut.
   */
  run<Value>(hold: WorkHold, work: () => Promise<Value>): Promise<Value>;
}

/** A scope that does not restrict anything. */
export const noScope: WorkScope = { run: (_, work) => work() };
