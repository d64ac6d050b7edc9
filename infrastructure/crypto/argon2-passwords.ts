import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';

/**
 * Argon2id costs. `memoryKib` is per hash; `atOnce` limits concurrent hashes, so that logins cannot starve other work;
 * `maxWaitMs` is how long a verification may have to wait before it is refused.
 */
type Argon2Costs = Readonly<{ memoryKib: number; passes: number; atOnce: number; maxWaitMs: number }>;

/**
 * The first recommendation of OWASP's password storage guide for Argon2id: 19 MiB, 2 passes, 1 lane. One core is left to
 * the event loop.
 */
export const standardCosts: Argon2Costs = {
  memoryKib: 19_456,
  passes: 2,
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  maxWaitMs: 5_000,
};

type Verified =
  | Readonly<{ ok: true; value: boolean }>
  | Readonly<{ ok: false; failure: Readonly<{ reason: 'busy'; retryAfterS: number }> }>;

/** Hashes passwords with Argon2id, as PHC strings, beside the event loop. */
export class Argon2Passwords {
  readonly #options: Readonly<{ memoryCost: number; timeCost: number; parallelism: number }>;
  readonly #costs: Argon2Costs;
  readonly #queue: PQueue;
  #dummy: Promise<string> | null = null;
  /**
   * How long a hash takes, in ms: a moving average, which follows what the machine has left for it. It begins at none, so
   * that one slow hash, as the first of a server that is still starting, refuses nobody.
   */
  #eachMs = 0;

  constructor(costs: Argon2Costs = standardCosts) {
    this.#costs = costs;
    this.#options = { memoryCost: costs.memoryKib, timeCost: costs.passes, parallelism: 1 };
    this.#queue = new PQueue({ concurrency: costs.atOnce });
  }

  /**
   * Hashes a password with a random salt of 16 bytes to a PHC string. Argon2id is the library's default. Never refused:
   * only administrators and those with a link set passwords.
   */
  async hash(password: string): Promise<string> {
    return this.#queue.add(() => this.#timed(() => hash(password, this.#options)));
  }

  /**
   * Verifies a password against a hash. A null or unreadable hash returns false after the work of a real verification.
   * Fails at once when those before it would take too long, and at its turn when they did.
   */
  async verify(phc: string | null, password: string): Promise<Verified> {
    const readable = phc?.startsWith('$argon2id$') === true ? phc : null;
    const against = readable ?? (await this.#dummyHash());
    const waitMs = ((this.#queue.size + this.#queue.pending) * this.#eachMs) / this.#costs.atOnce;
    if (waitMs > this.#costs.maxWaitMs) return busyFor(waitMs);
    const askedAt = performance.now();
    return this.#queue.add(async () => {
      const waitedMs = performance.now() - askedAt;
      if (waitedMs > this.#costs.maxWaitMs) return busyFor(waitedMs);
      const isSame = await this.#timed(() => verify(against, password).catch(() => false));
      return { ok: true, value: readable !== null && isSame };
    });
  }

  async #timed<Value>(work: () => Promise<Value>): Promise<Value> {
    const begunAt = performance.now();
    const value = await work();
    this.#eachMs += (performance.now() - begunAt - this.#eachMs) / 8;
    return value;
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= this.hash('no user has this password');
    return this.#dummy;
  }

  /**
   * Precomputes the hash that `verify` uses when there is no user; without a call at start the first such login takes
   * longer.
   */
  async warmUp(): Promise<void> {
    await this.#dummyHash();
  }
}

function busyFor(waitMs: number): Verified {
  return { ok: false, failure: { reason: 'busy', retryAfterS: Math.ceil(waitMs / 1_000) } };
}
