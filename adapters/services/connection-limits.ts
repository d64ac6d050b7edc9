import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Budget } from '#adapters/services/dialect.ts';

/** How long a call may wait for its turn before it is told `rate_limited`. */
const patienceMs = 10_000;

/** What a provider's own headers say is left of a budget. */
export type Remaining = Readonly<{ name: string; remaining: number; resetsInMs: number | null }>;

/**
 * The providers' limits, kept on our side before a request leaves (contract, Limits). A connection is named by a key; its
 * budgets and its queue are its own.
 */
export class ConnectionLimits {
  readonly #limiters = new Map<string, RateLimiterMemory>();
  readonly #queues = new Map<string, PQueue>();

  /** Waits for its turn within a bound. Null when the request may leave; else the milliseconds after which it might. */
  async take(connection: string, budgets: readonly Budget[], signal?: AbortSignal): Promise<number | null> {
    let waitedMs = 0;
    for (const budget of budgets) {
      for (;;) {
        const waitMs = await this.#consume(connection, budget);
        if (waitMs === null) break;
        if (waitedMs + waitMs > patienceMs) return waitMs;
        waitedMs += waitMs;
        await delay(waitMs, undefined, signal === undefined ? {} : { signal });
      }
    }
    return null;
  }

  /** Runs a request when fewer than `concurrency` of the connection are running. */
  run<Answer>(connection: string, concurrency: number | null, send: () => Promise<Answer>): Promise<Answer> {
    if (concurrency === null) return send();
    const queue = this.#queues.get(connection) ?? new PQueue({ concurrency });
    queue.concurrency = concurrency;
    this.#queues.set(connection, queue);
    return queue.add(send);
  }

  /** Corrects our count of a budget by what the provider says is left, when that is less than we thought. */
  async correct(connection: string, budgets: readonly Budget[], remaining: readonly Remaining[]): Promise<void> {
    for (const { name, remaining: left, resetsInMs } of remaining) {
      const budget = budgets.find((candidate) => candidate.name === name);
      if (budget === undefined) continue;
      const limiter = this.#limiterOf(budget);
      const key = `${connection}:${name}`;
      const used = budget.points - left;
      const ours = await limiter.get(key);
      if (used > (ours?.consumedPoints ?? 0))
        await limiter.set(key, used, Math.ceil((resetsInMs ?? budget.windowMs) / 1000));
    }
  }

  async #consume(connection: string, budget: Budget): Promise<number | null> {
    try {
      await this.#limiterOf(budget).consume(`${connection}:${budget.name}`, budget.cost);
      return null;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  }

  #limiterOf({ name, points, windowMs }: Budget): RateLimiterMemory {
    const id = `${name}:${points}:${windowMs}`;
    const known = this.#limiters.get(id);
    if (known !== undefined) return known;
    const limiter = new RateLimiterMemory({ points, duration: windowMs / 1000, keyPrefix: id });
    this.#limiters.set(id, limiter);
    return limiter;
  }
}
