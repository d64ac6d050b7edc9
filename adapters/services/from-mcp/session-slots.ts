/** A session that takes up a slot: it can be closed to make room while nothing runs in it. */
export type Slotted = Readonly<{ isBusy: () => boolean; lastUsedAt: () => number; close: () => Promise<void> }>;

/** The sessions of all remote servers of one kind: at most so many are open at a time. */
export class SessionSlots {
  readonly #max: number;
  readonly #taken = new Set<Slotted>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a slot, closing the session that was not used for the longest time if need be; false when all are busy. */
  take(session: Slotted): boolean {
    while (this.#taken.size >= this.#max) {
      const [idlest] = [...this.#taken]
        .filter(({ isBusy }) => !isBusy())
        .toSorted((left, right) => left.lastUsedAt() - right.lastUsedAt());
      if (idlest === undefined) return false;
      this.#taken.delete(idlest);
      void idlest.close();
    }
    this.#taken.add(session);
    return true;
  }

  /** Gives a slot back. Idempotent. */
  leave(session: Slotted): void {
    this.#taken.delete(session);
  }
}
