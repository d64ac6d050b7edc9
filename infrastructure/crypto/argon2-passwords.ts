import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';

/** Argon2id costs. `memoryKib` is per hash; `atOnce` bounds how many run together, so that logins cannot starve the rest. */
export type Argon2Costs = Readonly<{ memoryKib: number; passes: number; atOnce: number }>;

/** The costs that OWASP's password storage guide names first for Argon2id: 19 MiB, 2 passes, 1 lane. */
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

  /** Hashes a password with a random salt of 16 bytes; a PHC string. Argon2id is the library's default algorithm. */
  async hash(password: string): Promise<string> {
    return this.#queue.add(async () => hash(password, this.#options));
  }

  /** Checks a password against a hash. Null or an unreadable hash is false, after as much work as a real one. */
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

  /** Prepares the hash that `verify` compares with when there is no user; call it at start, or the first such login takes longer. */
  async warmUp(): Promise<void> {
    await this.#dummyHash();
  }
}
