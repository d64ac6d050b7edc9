import type { Leases } from '#application/ports/leases.ts';

/** A job that of all servers on a database one runs in each period. */
export type OnceAmongServers = Readonly<{
  /** Runs the job, unless another server has run it in this period. One that fails is due again at once. */
  run(): Promise<void>;
  /** Leaves the period to the others: whoever starts next need not wait for its end. */
  release(): Promise<void>;
}>;

/** The part of the period for which one run counts: the next is not missed by who looks a moment early. */
const counts = 0.9;

/** Makes it by a lease that outlives the run, since a run ends long before the other servers look. */
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
