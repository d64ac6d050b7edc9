import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Budget, Remaining } from '#adapters/services/definitions/dialect.ts';
import type { BudgetShares, UseOf } from '#adapters/services/limits/budget-shares.ts';
import type { SharePlace } from '#adapters/services/limits/share-place.ts';
import type { BudgetLeft, ProviderBudgets } from '#application/ports/provider-budgets.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';

/** The place of a server that is alone. */
const alone: SharePlace = { sharers: 1, rank: 0, announcedUseOf: () => ({ own: 0, latest: 0, others: 0 }) };

/** How long a call may wait before it fails as `rate_limited`, in ms; how it waits; and who shares the limits. */
export type LimitsOptions = Readonly<{
  maxWaitMs?: number;
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The other servers that use a connection; none by default. */
  shares?: BudgetShares | null;
}>;

/** Why a call could not proceed: the limit is exhausted, with the ms until there may be room; or it was cancelled. */
export type NoRoom = Readonly<{ kind: 'no_room'; retryAfterMs: number }> | Readonly<{ kind: 'cancelled' }>;

/** The minimum length of windows whose use servers announce, in ms: shorter ones end before it matters. */
const minAnnouncedMs = 10_000;

/** The minimum length of windows of which people are shown what is left, in ms. */
const minShownMs = 3_600_000;

const defaultMaxWaitMs = 10_000;
/** When to retry on a server without a share, because more servers use the connection than there are points, in ms. */
const noShareMs = 15_000;

const cancelled: NoRoom = { kind: 'cancelled' };

/** How long a caller waits for room. */
type Waiting = Readonly<{ signal?: AbortSignal | undefined; endsAt?: number | undefined }>;

/**
 * Enforces the providers' limits before a request is sent (LIMIT-001). Each connection, identified by a key, has its
 * own budgets and queue; a budget may be shared by connections. A request takes from all its budgets or from none. Servers that use the same connection divide
 * the budgets among them.
 */
export class ConnectionLimits implements ProviderBudgets {
  readonly #maxWaitMs: number;
  readonly #pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #shares: BudgetShares | null;
  /** The counters by window length; a window starts with its first request. */
  readonly #counters = new Map<number, RateLimiterMemory>();
  /** The limits that providers reported, where they differ from those assumed. */
  readonly #reportedLimits = new Map<string, number>();
  /**
   * What providers reported as left in the window, for all servers together, and what this one had used by then.
   * Divided when a request is sent, since the number of servers may change.
   */
  readonly #reportedLeft = new Map<string, Readonly<{ consumed: number; left: number }>>();
  /** The use of longer windows, by connection and budget; only where servers share limits. */
  readonly #uses = new Map<string, Map<string, Readonly<{ points: number; endsAt: number }>>>();
  /** The budgets that each connection used since the start, by name. */
  readonly #seen = new Map<string, Map<string, Budget>>();
  /** Serialises reads and updates of one connection's counts. */
  readonly #turns = new KeyedQueue();
  /** The queues of connections of which something waits or runs. */
  readonly #queues = new Map<string, PQueue>();

  constructor({ maxWaitMs = defaultMaxWaitMs, pause = pauseFor, shares = null }: LimitsOptions = {}) {
    this.#maxWaitMs = maxWaitMs;
    this.#pause = pause;
    this.#shares = shares;
    shares?.readUseBy((connection) => this.#useOf(connection));
  }

  /**
   * Waits for room within the limits, up to the maximum wait and not beyond `endsAt` (by `performance.now()`); null when
   * the request may be sent.
   */
  async take(
    connection: string,
    budgets: readonly Budget[],
    { signal, endsAt = Number.POSITIVE_INFINITY }: Waiting = {},
  ): Promise<NoRoom | null> {
    const maxWaitMs = Math.min(this.#maxWaitMs, endsAt - performance.now());
    let waitedMs = 0;
    for (;;) {
      if (isCancelled(signal)) return cancelled;
      if (budgets.length === 0) return null;
      const turn = budgets.find(({ sharedBy }) => sharedBy !== undefined)?.sharedBy ?? connection;
      const waitMs = await this.#turns.run(turn, () => this.#takeNow(connection, budgets));
      if (waitMs === null) return null;
      if (waitedMs + waitMs > maxWaitMs) return { kind: 'no_room', retryAfterMs: waitMs };
      waitedMs += waitMs;
      try {
        await this.#pause(waitMs, signal);
      } catch {
        return cancelled;
      }
    }
  }

  /**
   * Runs a request while fewer than `concurrency` of the connection are running; waits for that up to the maximum wait.
   */
  async run<Answer>(
    connection: string,
    concurrency: number | null,
    send: () => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer | NoRoom> {
    if (concurrency === null) return send();
    if (isCancelled(signal)) return cancelled;
    const share = shareOf(concurrency, this.#placeIn(connection));
    if (share === 0) return { kind: 'no_room', retryAfterMs: noShareMs };
    const queue = kept(this.#queues, connection, () => new PQueue({ concurrency }));
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
      dropIdle(this.#queues, connection);
    }
  }

  /**
   * Corrects our counts by the provider's headers: downwards when less is left than counted, and upwards when they
   * state a limit greater than the assumed one.
   */
  async correct(connection: string, budgets: readonly Budget[], remaining: readonly Remaining[]): Promise<void> {
    for (const { name, remaining: left, resetsInMs, limit = null, isAtLeast = false } of remaining) {
      const budget = budgets.find((candidate) => candidate.name === name);
      if (budget === undefined) continue;
      const key = keyOf(connection, budget);
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

  async leftOf(userId: number, service: ServiceKey): Promise<readonly BudgetLeft[]> {
    const connection = connectionKey({ userId, service });
    const all: BudgetLeft[] = [];
    for (const budget of this.#seen.get(connection)?.values() ?? []) {
      if (budget.windowMs < minShownMs) continue;
      const key = keyOf(connection, budget);
      const used = await this.#counterOf(budget).get(key);
      if (used === null || used.msBeforeNext <= 0) continue;
      const points = this.#pointsOf(key, budget);
      const reported = this.#reportedLeft.get(key);
      const { consumed, left } = reported ?? { consumed: 0, left: points };
      all.push({
        name: budget.name,
        points: reported !== undefined && !this.#reportedLimits.has(key) ? null : points,
        left: Math.max(0, Math.floor(Math.min(points, left) - (used.consumedPoints - consumed))),
        resetsInMs: used.msBeforeNext,
      });
    }
    return all;
  }

  /** Tells the other servers that the provider rejected a request of the connection for this time, in ms. */
  publishRejection(connection: string, retryAfterMs: number): void {
    this.#shares?.publishRejection(connection, retryAfterMs);
  }

  /** Takes from every budget and returns null; or takes from none and returns the ms until there may be room in all. */
  async #takeNow(connection: string, budgets: readonly Budget[]): Promise<number | null> {
    const pauseMs = this.#shares?.pauseMs(connection) ?? 0;
    let maxMs: number | null = pauseMs > 0 ? pauseMs : null;
    for (const budget of budgets) {
      const key = keyOf(connection, budget);
      const place = this.#placeIn(budget.sharedBy ?? connection);
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
      // A request that costs more than a share is let through when nothing else was sent in the window.
      if ((used.consumedPoints > 0 && wanted > share) || wanted > allowed)
        maxMs = Math.max(maxMs ?? 1, used.msBeforeNext);
    }
    if (maxMs !== null) return maxMs;
    const seen = kept(this.#seen, connection, () => new Map());
    for (const budget of budgets) {
      seen.set(budget.name, budget);
      const used = await this.#counterOf(budget).penalty(keyOf(connection, budget), budget.cost);
      this.#noteUse(connection, budget, used);
    }
    return null;
  }

  #noteUse(connection: string, { name, windowMs, sharedBy }: Budget, used: RateLimiterRes): void {
    if (this.#shares === null || windowMs < minAnnouncedMs) return;
    const { consumedPoints: points, msBeforeNext } = used;
    kept(this.#uses, sharedBy ?? connection, () => new Map()).set(name, {
      points,
      endsAt: performance.now() + msBeforeNext,
    });
  }

  /** This server's use of a connection's budgets, in windows that have not ended. */
  #useOf(connection: string): ReturnType<UseOf> {
    const now = performance.now();
    const uses = [...(this.#uses.get(connection) ?? [])].filter(([, { endsAt }]) => endsAt > now);
    return Object.fromEntries(uses.map(([name, { points, endsAt }]) => [name, { points, endsInMs: endsAt - now }]));
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

/** The key of a connection. */
export function connectionKey({ userId, service }: Pick<TokenRecord, 'userId' | 'service'>): string {
  return `${userId}:${service}`;
}

/** The key of a budget: those of different connections are apart, unless they state what they share. */
function keyOf(connection: string, { name, sharedBy }: Budget): string {
  return `${sharedBy ?? connection}:${name}`;
}

/**
 * The points of a budget that this server may use in the window: what it announced as used, plus its share of what is
 * left after everyone's announced use. The shares of servers with the same information add up to all points.
 */
function pointsAt(points: number, budget: string, place: SharePlace): number {
  const { own, latest, others } = place.announcedUseOf(budget);
  if (place.sharers === 1) return Math.max(0, points - others);
  return own + shareOf(Math.max(0, points - latest - others), place);
}

/** A server's share of the points; all shares add up to the points. */
function shareOf(points: number, { sharers, rank }: Pick<SharePlace, 'sharers' | 'rank'>): number {
  return Math.floor(points / sharers) + (rank < points % sharers ? 1 : 0);
}

function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  return delay(ms, undefined, signal === undefined ? {} : { signal });
}

/** Drops a queue in which nothing waits or runs: there are as many connections as users have. */
function dropIdle(queues: Map<string, PQueue>, key: string): void {
  const queue = queues.get(key);
  if (queue?.size === 0 && queue.pending === 0) queues.delete(key);
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
