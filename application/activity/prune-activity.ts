import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';

/** The dependencies of the use case; `days` is how long entries are kept. */
export type PruneActivityDependencies = Readonly<{
  log: Pick<ActivityLog, 'prune'>;
  leases: Leases;
  clock: Clock;
  random: Random;
  days: number;
}>;

const dayMs = 86_400_000;

/** How long pruning may take, in ms, before another process takes it over. */
const leaseMs = 300_000;

/** Removes activity that is older than it is kept; one server at a time does it. */
export class PruneActivity {
  readonly #dependencies: PruneActivityDependencies;

  constructor(dependencies: PruneActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns how many entries were removed; 0 while another server is at it. */
  async run(): Promise<number> {
    const { log, leases, clock, random, days } = this.#dependencies;
    const owner = random.token(12);
    if ((await leases.acquire('prune activity', owner, leaseMs)) === null) return 0;
    try {
      return await log.prune(clock.now() - days * dayMs);
    } finally {
      await leases.release('prune activity', owner);
    }
  }
}
