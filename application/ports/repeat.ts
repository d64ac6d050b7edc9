/** Runs a task again and again, `periodMs` after each end, never twice at a time, until it is stopped. */
export type Repeat = (
  periodMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
) => Readonly<{
  /** Runs now, or right after the run that is under way. */
  wake(): void;
  /** Ends it; resolves when the run that is under way has ended. */
  stop(): Promise<void>;
}>;
