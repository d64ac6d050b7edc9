import type { SaidUse } from '#adapters/services/share-place.ts';

/** What a server has used of its budgets, by their names: points, and when their window ends, on the monotonic clock in ms. */
export type Uses = ReadonlyMap<string, Readonly<{ points: number; endsAt: number }>>;

/** How long it takes at most until all have heard what one says, in ms. */
const heardWithinMs = 500;

const none: Uses = new Map();

/** What the servers that use one connection have said of their use, so that a server that joins or leaves changes no sum. */
export class SaidUses {
  readonly #others = new Map<string, Uses>();
  #before: Uses = none;
  #latest: Uses = none;
  #saidAt = Number.NEGATIVE_INFINITY;

  /** Notes what this server says now. It counts for its own share once the others have heard it, and against it at once. */
  say(uses: Uses, now: number): void {
    this.#before = this.#heard(now);
    this.#latest = uses;
    this.#saidAt = now;
  }

  /** Notes what another server says. */
  hear(server: string, uses: Uses, now: number): void {
    this.#others.set(server, uses);
    for (const [name, said] of this.#others) {
      if (said.values().every(({ endsAt }) => endsAt <= now)) this.#others.delete(name);
    }
  }

  /** What was said of one budget, of windows that have not ended. */
  of(budget: string, now: number): SaidUse {
    const pointsIn = (uses: Uses): number => {
      const use = uses.get(budget);
      return use === undefined || use.endsAt <= now ? 0 : use.points;
    };
    const others = this.#others.values().reduce((sum, uses) => sum + pointsIn(uses), 0);
    return { own: pointsIn(this.#heard(now)), latest: pointsIn(this.#latest), others };
  }

  #heard(now: number): Uses {
    return now - this.#saidAt >= heardWithinMs ? this.#latest : this.#before;
  }
}
