import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';

/** The dependencies of the use case; `days` is the retention period. */
type PruneActivityDependencies = Readonly<{
  log: Pick<ActivityLog, 'prune'>;
  leases: Leases;
  clock: Clock;
  random: Random;
  days: number;
}>;

const dayMs = 86_400_000;

/** The lease's duration, in ms, after which another process may take over. */
const leaseMs = 300_000;

/** Removes activity entries older than the retention period; only one server does so at a time. */
export class PruneActivity {
  readonly #dependencies: PruneActivityDependencies;

  constructor(dependencies: PruneActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the number of removed entries; 0 when another server holds the lease. */
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
