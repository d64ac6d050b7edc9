/** How long a failing entry is retried before it is dead, in milliseconds: 24 hours (INBOX-003). */
export const retryForMs = 86_400_000;

const firstDelayMs = 1000;
const maxDelayMs = 120_000;

/**
 * Returns the wait before the next attempt, in milliseconds: exponential from 1 s up to 2 minutes, with full jitter, so
 * that many entries that failed together do not come back together. `attempts` counts the attempts so far, from 1;
 * `chance` is from 0 to below 1.
 */
export function retryDelayMs(attempts: number, chance: number): number {
  const bound = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
  return Math.ceil(chance * bound);
}

/** Whether an entry that has been failing since `failingSince` (Unix ms) is given up at `now`. */
export function isGivenUp(failingSince: number | null, now: number): boolean {
  return failingSince !== null && now - failingSince >= retryForMs;
}
