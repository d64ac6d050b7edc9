import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';

/**
 * Argon2id costs. `memoryKib` is per hash; `atOnce` limits concurrent hashes, so that logins cannot starve other work.
 */
type Argon2Costs = Readonly<{ memoryKib: number; passes: number; atOnce: number }>;

/** The first recommendation of OWASP's password storage guide for Argon2id: 19 MiB, 2 passes, 1 lane. */
export const standardCosts: Argon2Costs = { memoryKib: 19_456, passes: 2, atOnce: 2 };

/** Hashes passwords with Argon2id, as PHC strings. */
export class Argon2Passwords {
  readonly #options: Readonly<{ memoryCost: number; timeCost: number; parallelism: number }>;
  readonly #queue: PQueue;
  #dummy: Promise<string> | null = null;

  constructor(costs: Argon2Costs = standardCosts) {
    this.#options = { memoryCost: costs.memoryKib, timeCost: costs.passes, parallelism: 1 };
    this.#queue = new PQueue({ concurrency: costs.atOnce });
  }

  /** Hashes a password with a random salt of 16 bytes to a PHC string. Argon2id is the library's default. */
  async hash(password: string): Promise<string> {
    return this.#queue.add(async () => hash(password, this.#options));
  }

  /**
   * Verifies a password against a hash. A null or unreadable hash returns false after the work of a real verification.
   */
  async verify(phc: string | null, password: string): Promise<boolean> {
    const readable = phc?.startsWith('$argon2id$') === true ? phc : null;
    const against = readable ?? (await this.#dummyHash());
    const isSame = await this.#queue.add(async () => verify(against, password).catch(() => false));
    return readable !== null && isSame;
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
