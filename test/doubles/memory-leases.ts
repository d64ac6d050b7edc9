import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';

/** The leases of one process, in memory. */
export class MemoryLeases implements Leases {
  readonly #clock: Clock;
  readonly #leases = new Map<string, Readonly<{ owner: string; until: number; fencing: number }>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async acquire(name: string, owner: string, leaseMs: number): Promise<number | null> {
    const now = this.#clock.now();
    const held = this.#leases.get(name) ?? { owner, until: now, fencing: 1 };
    if (held.owner !== owner && held.until > now) return null;
    const fencing = held.owner === owner ? held.fencing : held.fencing + 1;
    this.#leases.set(name, { owner, until: now + leaseMs, fencing });
    return fencing;
  }

  async release(name: string, owner: string): Promise<boolean> {
    const held = this.#leases.get(name);
    if (held?.owner !== owner) return false;
    this.#leases.set(name, { owner: '', until: 0, fencing: held.fencing });
    return true;
  }
}
