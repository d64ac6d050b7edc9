/** Thrown when a query has done as much as one may; the message says so to the caller. */
export class BudgetSpent extends Error {}

/** Counts the steps of a query over one note, so that none holds up other work: a step is about 10 ns, 2 million are 20 ms. */
export class WorkBudget {
  #left: number;
  readonly #allowed: number;

  constructor(steps = 2_000_000) {
    this.#left = steps;
    this.#allowed = steps;
  }

  /** Starts anew, for the next note. */
  renew(): void {
    this.#left = this.#allowed;
  }

  /** Takes that many steps; throws `BudgetSpent` when they are not left. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent('The query does too much for one note; ask for less.');
  }
}
