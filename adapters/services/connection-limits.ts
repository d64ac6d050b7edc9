import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { BudgetShares, UseOf } from '#adapters/services/budget-shares.ts';
import type { Budget, Remaining } from '#adapters/services/dialect.ts';
import type { SharePlace } from '#adapters/services/share-place.ts';

/** The place of a server that is the only one. */
const alone: SharePlace = { sharers: 1, rank: 0, saidOf: () => ({ own: 0, latest: 0, others: 0 }) };

/** How long a call may wait for its turn before it fails as `rate_limited`, in ms; how it waits; and who shares the limits. */
export type LimitsOptions = Readonly<{
  maxWaitMs?: number;
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The servers that use a connection too; none unless given. */
  shares?: BudgetShares | null;
}>;

/** The outcome of a call that got no turn: when there may be one, in ms; or that it was cancelled. */
export type NoRoom = Readonly<{ kind: 'no_room'; retryAfterMs: number }> | Readonly<{ kind: 'cancelled' }>;

/** The length of the windows whose use servers tell each other, in ms: shorter ones end before it matters. */
const minSaidMs = 10_000;

const defaultMaxWaitMs = 10_000;
/** When a server that has no share, since more use the connection than there are points, may come again, in ms. */
const noShareMs = 15_000;

const cancelled: NoRoom = { kind: 'cancelled' };

/**
 * The providers' limits, kept on our side before a request leaves (LIMIT-001). A connection is named by a key; its
 * budgets and its queue are its own. A request takes from all its budgets or from none. Of several servers that use a
 * connection each takes its share.
 */
export class ConnectionLimits {
  readonly #maxWaitMs: number;
  readonly #pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #shares: BudgetShares | null;
  /** The counters of use by the window's length; a window begins with its first request. */
  readonly #counters = new Map<number, RateLimiterMemory>();
  /** The limits that providers reported, where they differ from those assumed. */
  readonly #reportedLimits = new Map<string, number>();
  /**
   * What providers reported to be left in the window, for all servers together, and what this one had used of it by then. It is
   * shared out when a request is to be sent: servers join and leave meanwhile.
   */
  readonly #reportedLeft = new Map<string, Readonly<{ consumed: number; left: number }>>();
  /** What was used in longer windows, by connection and budget; only where servers share. */
  readonly #uses = new Map<string, Map<string, Readonly<{ points: number; endsAt: number }>>>();
  readonly #turns = new Map<string, PQueue>();
  readonly #queues = new Map<string, PQueue>();

  constructor({ maxWaitMs = defaultMaxWaitMs, pause = pauseFor, shares = null }: LimitsOptions = {}) {
    this.#maxWaitMs = maxWaitMs;
    this.#pause = pause;
    this.#shares = shares;
    shares?.readUseBy((connection) => this.#useOf(connection));
  }

  /** Waits for the request's turn, at most the bound; null when the request may be sent. */
  async take(connection: string, budgets: readonly Budget[], signal?: AbortSignal): Promise<NoRoom | null> {
    let waitedMs = 0;
    for (;;) {
      if (isCancelled(signal)) return cancelled;
      if (budgets.length === 0) return null;
      const waitMs = await this.#turnOf(connection, () => this.#takeNow(connection, budgets));
      if (waitMs === null) return null;
      if (waitedMs + waitMs > this.#maxWaitMs) return { kind: 'no_room', retryAfterMs: waitMs };
      waitedMs += waitMs;
      try {
        await this.#pause(waitMs, signal);
      } catch {
        return cancelled;
      }
    }
  }

  /** Runs a request when fewer than `concurrency` of the connection are running; waits for that as long as for its turn. */
  async run<Answer>(
    connection: string,
    concurrency: number | null,
    send: () => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer | NoRoom> {
    if (concurrency === null) return send();
    if (isCancelled(signal)) return cancelled;
    const queue = kept(this.#queues, connection, () => new PQueue({ concurrency }));
    const share = shareOf(concurrency, this.#placeIn(connection));
    if (share === 0) return { kind: 'no_room', retryAfterMs: noShareMs };
    queue.concurrency = share;
    const waiting = new AbortController();
    let hasBegun = false;
    const withdraw = (): void => {
      if (!hasBegun) waiting.abort();
    };
    const timer = setTimeout(withdraw, this.#maxWaitMs);
    signal?.addEventListener('abort', withdraw, { once: true });
    const begin = (): Promise<Answer> => {
      hasBegun = true;
      return send();
    };
    try {
      return await queue.add(begin, { signal: waiting.signal });
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
      return isCancelled(signal) ? cancelled : { kind: 'no_room', retryAfterMs: this.#maxWaitMs };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', withdraw);
    }
  }

  /**
   * Corrects our count by what the provider's headers say: downwards when less is left than we thought, and upwards when
   * it states a limit that is greater than the one we took.
   */
  async correct(connection: string, budgets: readonly Budget[], remaining: readonly Remaining[]): Promise<void> {
    for (const { name, remaining: left, resetsInMs, limit = null, isAtLeast = false } of remaining) {
      const budget = budgets.find((candidate) => candidate.name === name);
      if (budget === undefined) continue;
      const key = `${connection}:${name}`;
      if (limit !== null && limit > 0) this.#reportedLimits.set(key, limit);
      const counter = this.#counterOf(budget);
      const ours = await counter.get(key);
      const isOurs = ours !== null && ours.msBeforeNext > 0;
      const consumed = isOurs ? ours.consumedPoints : 0;
      const points = this.#pointsOf(key, budget);
      if (isAtLeast) {
        if (consumed + left > points) this.#reportedLimits.set(key, consumed + left);
        continue;
      }
      const windowMs = resetsInMs ?? (isOurs ? ours.msBeforeNext : budget.windowMs);
      const known = isOurs ? this.#reportedLeft.get(key) : undefined;
      const isLess = left < points - consumed && (known === undefined || consumed + left < known.consumed + known.left);
      if (!isLess || windowMs <= 0) continue;
      this.#reportedLeft.set(key, { consumed, left });
      this.#noteUse(connection, budget, await counter.set(key, consumed, windowMs / 1000));
    }
  }

  /** Tells the other servers that the provider refused a request of the connection for that long, in ms. */
  publishRejection(connection: string, retryAfterMs: number): void {
    this.#shares?.publishRejection(connection, retryAfterMs);
  }

  /** Takes from every budget, or from none: then the milliseconds until the last of them may have room. */
  async #takeNow(connection: string, budgets: readonly Budget[]): Promise<number | null> {
    const place = this.#placeIn(connection);
    const pauseMs = this.#shares?.pauseMs(connection) ?? 0;
    let maxMs: number | null = pauseMs > 0 ? pauseMs : null;
    for (const budget of budgets) {
      const key = `${connection}:${budget.name}`;
      const share = pointsAt(this.#pointsOf(key, budget), budget.name, place);
      if (share === 0) maxMs = Math.max(maxMs ?? 1, noShareMs);
      const used = await this.#counterOf(budget).get(key);
      if (used === null || used.msBeforeNext <= 0) {
        this.#reportedLeft.delete(key);
        continue;
      }
      const wanted = used.consumedPoints + budget.cost;
      const reported = this.#reportedLeft.get(key);
      const allowed = reported === undefined ? wanted : reported.consumed + Math.floor(reported.left / place.sharers);
      // A request that costs more than a share is let through when nothing else was sent.
      if ((used.consumedPoints > 0 && wanted > share) || wanted > allowed)
        maxMs = Math.max(maxMs ?? 1, used.msBeforeNext);
    }
    if (maxMs !== null) return maxMs;
    for (const budget of budgets) {
      const used = await this.#counterOf(budget).penalty(`${connection}:${budget.name}`, budget.cost);
      this.#noteUse(connection, budget, used);
    }
    return null;
  }

  #noteUse(connection: string, { name, windowMs }: Budget, used: RateLimiterRes): void {
    if (this.#shares === null || windowMs < minSaidMs) return;
    const { consumedPoints: points, msBeforeNext } = used;
    kept(this.#uses, connection, () => new Map()).set(name, { points, endsAt: performance.now() + msBeforeNext });
  }

  /** What this server has used of a connection's budgets, of windows that have not ended. */
  #useOf(connection: string): ReturnType<UseOf> {
    const now = performance.now();
    const uses = [...(this.#uses.get(connection) ?? [])].filter(([, { endsAt }]) => endsAt > now);
    return Object.fromEntries(uses.map(([name, { points, endsAt }]) => [name, { points, endsInMs: endsAt - now }]));
  }

  /** Serializes what is decided for one connection. */
  #turnOf<Result>(connection: string, decide: () => Promise<Result>): Promise<Result> {
    return kept(this.#turns, connection, () => new PQueue({ concurrency: 1 })).add(decide);
  }

  #placeIn(connection: string): SharePlace {
    return this.#shares?.place(connection) ?? alone;
  }

  #pointsOf(key: string, { points }: Budget): number {
    return this.#reportedLimits.get(key) ?? points;
  }

  #counterOf({ windowMs }: Budget): RateLimiterMemory {
    return kept(
      this.#counters,
      windowMs,
      () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowMs / 1000, keyPrefix: '' }),
    );
  }
}

/**
 * How many points of a budget the server at that place may use in the window: what it said that it used, and its share of what is
 * left by what all have said. The shares of servers that heard the same are the points together.
 */
function pointsAt(points: number, budget: string, place: SharePlace): number {
  const { own, latest, others } = place.saidOf(budget);
  if (place.sharers === 1) return Math.max(0, points - others);
  return own + shareOf(Math.max(0, points - latest - others), place);
}

/** The share of so many points at that place; all shares together are the points. */
function shareOf(points: number, { sharers, rank }: Pick<SharePlace, 'sharers' | 'rank'>): number {
  return Math.floor(points / sharers) + (rank < points % sharers ? 1 : 0);
}

function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  return delay(ms, undefined, signal === undefined ? {} : { signal });
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
