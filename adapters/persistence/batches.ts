import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

type Waiting<Item, Answer> = Readonly<{
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}>;

/**
 * Gathers what is asked for in one turn of the event loop, or while a batch is under way, into one batch, so that many
 * callers share one commit. Nobody waits longer for company. When a batch fails, each of its items is tried alone, so that one
 * that cannot be carried out fails nobody else's; when the database cannot be used at all, all of them fail with it.
 */
export class Batches<Item, Answer> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #most: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #isRunning = false;

  /** `run` answers for each item, in order; `most` is how many items it is given at most. */
  constructor(run: (items: readonly Item[]) => Promise<readonly Answer[]>, most: number) {
    this.#run = run;
    this.#most = most;
  }

  /** The item's own answer, when the batch that it is in has been carried out. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // SQLite's driver blocks: without this turn each request that is ready to be read would be a batch of its own.
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
        if (answer === undefined) reject(new Error('A batch did not answer for all that was in it'));
        else resolve(answer);
      });
    } catch (error) {
      if (batch.length > 1 && !(error instanceof DatabaseUnavailable)) {
        for (const one of batch) await this.#applySteps([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
