import type { AnnouncedUse } from '#adapters/services/limits/share-place.ts';

/** A server's use of its budgets, by name: points, and when their window ends, in ms on the monotonic clock. */
export type Uses = ReadonlyMap<string, Readonly<{ points: number; endsAt: number }>>;

/** The maximum time until all servers have received an announcement, in ms. */
const heardWithinMs = 500;

const none: Uses = new Map();

/** The announced uses of the servers on one connection, so that servers joining or leaving do not change the total. */
export class AnnouncedUses {
  readonly #others = new Map<string, Uses>();
  #before: Uses = none;
  #latest: Uses = none;
  #saidAt = Number.NEGATIVE_INFINITY;

  /**
   * Records this server's announcement. It counts towards its own share once the others have received it, and against
   * the total at once.
   */
  say(uses: Uses, now: number): void {
    this.#before = this.#heard(now);
    this.#latest = uses;
    this.#saidAt = now;
  }

  /** Records another server's announcement. */
  hear(server: string, uses: Uses, now: number): void {
    this.#others.set(server, uses);
    for (const [name, said] of this.#others) {
      if (said.values().every(({ endsAt }) => endsAt <= now)) this.#others.delete(name);
    }
  }

  /** The announced use of one budget, in windows that have not ended. */
  of(budget: string, now: number): AnnouncedUse {
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
