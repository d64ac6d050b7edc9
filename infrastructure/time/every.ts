/** A running periodic task. */
export type Repetition = Readonly<{
  /** Runs the task in the next event-loop turn, once for all calls until then, or after the current run. */
  wake(): void;
  /** Stops; resolves when the current run has ended. */
  stop(): Promise<void>;
}>;

/**
 * Runs `task` immediately and then `periodMs` after each end, never concurrently. Errors go to `onError` and do not
 * stop the repetition. The timer does not keep the process alive.
 */
export function every(periodMs: number, task: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let isDue = false;

  const round = async (): Promise<void> => {
    isWoken = false;
    try {
      await task();
    } catch (error) {
      onError(error);
    }
    running = null;
    if (isStopped) return;
    if (isWoken) startSoon();
    else timer = setTimeout(start, periodMs).unref();
  };
  const start = (): void => {
    clearTimeout(timer);
    running = round();
  };
  const startSoon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (running === null && !isStopped) start();
    });
  };
  start();
  return {
    wake: () => {
      isWoken = true;
      if (running === null && !isStopped) startSoon();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
