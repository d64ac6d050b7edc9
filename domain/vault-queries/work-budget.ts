/** Thrown when a query exceeds its step budget; the message is for the caller. */
export class BudgetSpent extends Error {}

/**
 * Limits the steps of a query over one note, so that no query blocks the event loop: a step is about 10 ns, 2 million
 * are 20 ms.
 */
export class WorkBudget {
  #left: number;
  readonly #allowed: number;

  constructor(steps = 2_000_000) {
    this.#left = steps;
    this.#allowed = steps;
  }

  /** Resets the budget for the next note. */
  renew(): void {
    this.#left = this.#allowed;
  }

  /** Charges that many steps; throws `BudgetSpent` when too few are left. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent('The query does too much for one note; ask for less.');
  }
}
