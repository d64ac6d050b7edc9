import { setTimeout } from 'node:timers';
import type { Runner } from '#test/contracts/kit/runner.ts';

/** How long a clause may take, in ms: a mutant that never answers is caught by that. */
const maxMs = 15_000;

type Step = () => Promise<void>;

/** A runner of one suite, which stops at the first clause that fails. */
export class FirstFailure implements Runner {
  readonly #tests: { title: string; body: Step }[] = [];
  readonly #before: Step[] = [];
  readonly #after: Step[] = [];
  readonly it: Runner['it'] = Object.assign((title: string, body: Step) => void this.#tests.push({ title, body }), {
    skip: () => undefined,
  });
  readonly describe = (_: string, body: () => void): void => body();
  readonly beforeEach = (body: Step): void => void this.#before.push(body);
  readonly afterEach = (body: Step): void => void this.#after.push(body);

  /** Runs the clauses; returns the first that failed and why, null when all hold. */
  async run(): Promise<Readonly<{ title: string; error: unknown }> | null> {
    if (this.#tests.length === 0) throw new Error('The suite has no clause for this subject');
    for (const { title, body } of this.#tests) {
      const error = await failureOf(() => this.#one(body));
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

async function failureOf(step: Step): Promise<Readonly<{ reason: unknown }> | null> {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${maxMs / 1000} s`)), maxMs);
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
