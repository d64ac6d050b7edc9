/** How long a failing entry is retried before it becomes dead, in ms: 24 hours (INBOX-003). */
const retryForMs = 86_400_000;

const firstDelayMs = 1000;
const maxDelayMs = 120_000;

/**
 * Returns the wait before the next attempt, in ms: exponential back-off from 1 s to 2 minutes with full jitter, so that
 * entries that failed together are not retried together. `attempts` counts the attempts so far, from 1; `chance` is in
 * [0, 1).
 */
export function retryDelayMs(attempts: number, chance: number): number {
  const bound = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
  return Math.ceil(chance * bound);
}

/** Whether an entry that has been failing since `failingSince` (Unix ms) is given up at `now`. */
export function isGivenUp(failingSince: number | null, now: number): boolean {
  return failingSince !== null && now - failingSince >= retryForMs;
}
