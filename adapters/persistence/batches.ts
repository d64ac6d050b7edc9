import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

type Waiting<Item, Answer> = Readonly<{
  item: Item;
  resolve(answer: Answer | Promise<Answer>): void;
  reject(error: unknown): void;
}>;

/** Returns an answer for each item, in order. An answer may be a promise; the next batch runs after it. */
type Run<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;

/**
 * Batches the items added in one turn of the event loop, or while a batch is in flight, so that many callers share one
 * commit. No item waits for others to arrive. When a batch fails, each of its items is retried alone, so that one bad
 * item does not affect the others; when the database is unavailable, all of them fail.
 */
export class Batches<Item, Answer> {
  readonly #run: Run<Item, Answer>;
  readonly #most: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #isRunning = false;

  /** `most` is the maximum batch size. */
  constructor(run: Run<Item, Answer>, most: number) {
    this.#run = run;
    this.#most = most;
  }

  /** Adds an item; resolves with its own answer once its batch has run. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // SQLite's driver blocks: without this turn, each request that is ready to be read would become a batch of its
      // own.
      await nextTurn();
      const batch = this.#waiting.slice(0, this.#most);
      this.#waiting = this.#waiting.slice(this.#most);
      await this.#applySteps(batch);
    }
    this.#isRunning = false;
  }

  async #applySteps(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer === undefined) reject(new Error('A batch returned fewer answers than it had items'));
        else resolve(answer);
      });
      await Promise.allSettled(answers);
    } catch (error) {
      if (batch.length > 1 && !(error instanceof DatabaseUnavailable)) {
        for (const one of batch) await this.#applySteps([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
