import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** What work under a lease needs. */
export type LeaseDependencies = Readonly<{ leases: Pick<Leases, 'acquire' | 'release'>; random: Random }>;

/** A lease by its name, how long it is held at most, and how long it is waited for; all times in ms. */
export type WantedLease = Readonly<{
  name: string;
  leaseMs: number;
  /** Without it, a lease that another owner has is `busy` at once. */
  wait?: Readonly<{ maxMs: number; pollMs: number; pause: (ms: number) => Promise<void> }>;
}>;

/** Runs work while it holds a lease, which it releases afterwards whatever comes of it; `busy` when it does not get it. */
export async function underLease<Value>(
  { leases, random }: LeaseDependencies,
  { name, leaseMs, wait }: WantedLease,
  work: () => Promise<Value>,
): Promise<Result<Value, Readonly<{ reason: 'busy' }>>> {
  const owner = random.token(12);
  for (let waitedMs = 0; (await leases.acquire(name, owner, leaseMs)) === null; waitedMs += wait?.pollMs ?? 0) {
    if (wait === undefined || waitedMs >= wait.maxMs) return err({ reason: 'busy' });
    await wait.pause(wait.pollMs);
  }
  try {
    return ok(await work());
  } finally {
    await leases.release(name, owner);
  }
}
