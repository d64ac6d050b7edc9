/** Returns the current time. */
export interface Clock {
  /** Returns the current time, in Unix milliseconds. */
  now(): number;
}

/** Runs a task repeatedly, `periodMs` after each end and never concurrently, until it is stopped. */
export type Repeat = (
  periodMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
) => Readonly<{
  /** Runs the task now, or right after the current run. */
  wake(): void;
  /** Stops; resolves when the current run has ended. */
  stop(): Promise<void>;
}>;
