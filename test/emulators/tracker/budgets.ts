import { ratelimited } from '#test/emulators/tracker/faults.ts';

/** What a connection may use in an hour. */
export type Hourly = Readonly<{ requests: number; complexity: number }>;

/** The hourly budgets by how a request is signed in (LIMIT-005). */
export const hourlyBudgets = {
  key: { requests: 1_500, complexity: 250_000 },
  oauth: { requests: 500, complexity: 200_000 },
  unauthenticated: { requests: 60, complexity: 10_000 },
} as const satisfies Readonly<Record<string, Hourly>>;

/** What is left of one budget; `resetAt` is Unix ms, when all of it will be back. */
export type Left = Readonly<{ limit: number; remaining: number; resetAt: number }>;

const hourMs = 3_600_000;

/** Leaky buckets with a constant refill, two for each connection. */
export class Buckets {
  readonly #used = new Map<string, { used: number; at: number }>();

  /** Takes from a bucket; refuses when there is not enough in it. */
  take(connection: string, name: keyof Hourly, { limit, cost }: Readonly<{ limit: number; cost: number }>): Left {
    const now = Date.now();
    const key = `${connection}:${name}`;
    const before = this.#used.get(key) ?? { used: 0, at: now };
    const used = Math.max(0, before.used - ((now - before.at) / hourMs) * limit);
    if (used + cost > limit) throw ratelimited(name, Math.ceil(((used + cost - limit) / limit) * 3_600));
    this.#used.set(key, { used: used + cost, at: now });
    const left = limit - used - cost;
    return { limit, remaining: Math.floor(left), resetAt: Math.ceil(now + ((used + cost) / limit) * hourMs) };
  }
}
