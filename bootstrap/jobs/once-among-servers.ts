import type { Leases } from '#application/ports/leases.ts';

/** A job that one of the servers of a database runs in each period. */
type OnceAmongServers = Readonly<{
  /** Runs the job unless another server has run it in this period. A job that failed is due again immediately. */
  run(): Promise<void>;
  /** Releases the lease, so that another server need not wait for the end of the period. */
  release(): Promise<void>;
}>;

/** The lease's share of the period; below 1, so that a check slightly early does not skip a period. */
const counts = 0.9;

/** Creates the job. Its lease outlives the run, since other servers check long after a run has ended. */
export function onceAmongServers(
  { leases, owner }: Readonly<{ leases: Leases; owner: string }>,
  { name, periodMs }: Readonly<{ name: string; periodMs: number }>,
  job: () => Promise<void>,
): OnceAmongServers {
  let isTaken = false;
  const release = async () => {
    if (isTaken) await leases.release(name, owner);
    isTaken = false;
  };
  return {
    run: async () => {
      isTaken = (await leases.acquire(name, owner, Math.floor(periodMs * counts))) !== null;
      if (!isTaken) return;
      try {
        await job();
      } catch (error) {
        await release();
        throw error;
      }
    },
    release,
  };
}
