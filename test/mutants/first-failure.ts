import { setTimeout } from 'node:timers';
import type { Runner } from '#test/contracts/kit/runner.ts';

/** How long a clause may take of an adapter as it is, in ms. */
const maxMs = 60_000;
/** How long it may take of a mutant at least, in ms, and how many times what the longest took of the adapter as it is. */
const leastMs = 3_000;
const longerThanUsual = 10;

type Step = () => Promise<void>;

/** How long a mutant may take for a clause, in ms: one that never answers is caught by that. `usualMs` is what the longest takes as it is. */
export function patienceWith(usualMs: number): number {
  return Math.min(maxMs, Math.max(leastMs, longerThanUsual * usualMs));
}

/** A runner of one suite, which stops at the first clause that fails. */
export class FirstFailure implements Runner {
  /** How long the longest clause has taken, in ms. */
  longestMs = 0;
  readonly #maxMs: number;
  readonly #tests: { title: string; body: Step }[] = [];
  readonly #before: Step[] = [];
  readonly #after: Step[] = [];
  readonly it: Runner['it'] = Object.assign((title: string, body: Step) => void this.#tests.push({ title, body }), {
    skip: () => undefined,
  });
  readonly describe = (_: string, body: () => void): void => body();
  readonly beforeEach = (body: Step): void => void this.#before.push(body);
  readonly afterEach = (body: Step): void => void this.#after.push(body);

  /** `patienceMs` is how long a clause may take. */
  constructor(patienceMs: number = maxMs) {
    this.#maxMs = patienceMs;
  }

  /** Runs the clauses; returns the first that failed and why, null when all hold. */
  async run(): Promise<Readonly<{ title: string; error: unknown }> | null> {
    if (this.#tests.length === 0) throw new Error('The suite has no clause for this subject');
    for (const { title, body } of this.#tests) {
      const startedAt = performance.now();
      const error = await failureOf(() => this.#one(body), this.#maxMs);
      this.longestMs = Math.max(this.longestMs, performance.now() - startedAt);
      if (error !== null) return { title, error: error.reason };
    }
    return null;
  }

  async #one(body: Step): Promise<void> {
    try {
      for (const step of this.#before) await step();
      await body();
    } finally {
      for (const step of this.#after) await step();
    }
  }
}

async function failureOf(step: Step, patienceMs: number): Promise<Readonly<{ reason: unknown }> | null> {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${Math.ceil(patienceMs / 1000)} s`)), patienceMs);
  });
  try {
    await Promise.race([step(), late]);
    return null;
  } catch (reason) {
    return { reason };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
