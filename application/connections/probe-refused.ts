import type { TestConnection } from '#application/connections/test-connection.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Random } from '#application/ports/random.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** What the use case works with. */
export type ProbeRefusedDependencies = Readonly<{
  connections: Pick<Connections, 'dueForProbe'>;
  test: Pick<TestConnection, 'probe'>;
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** How long one process may be at the probe of a connection, in ms. */
const leaseMs = 60_000;

/** Tries the connections again whose credentials were refused, when their time has come: a refusal may have been a passing one. */
export class ProbeRefused {
  readonly #dependencies: ProbeRefusedDependencies;

  constructor(dependencies: ProbeRefusedDependencies) {
    this.#dependencies = dependencies;
  }

  /** Tries those that are due; what goes wrong with one is logged and stops no other. The number of those that work again. */
  async run(): Promise<number> {
    const { connections, clock } = this.#dependencies;
    const due = await connections.dueForProbe(clock.now());
    const worked = await Promise.all(due.map(({ userId, service }) => this.#probe(userId, service)));
    return worked.filter(Boolean).length;
  }

  async #probe(userId: number, service: ServiceKey): Promise<boolean> {
    const { test, leases, random, logger } = this.#dependencies;
    const [lease, owner] = [`probe:${userId}:${service}`, random.token(12)];
    try {
      if ((await leases.acquire(lease, owner, leaseMs)) === null) return false;
      const tested = await test.probe(userId, service);
      await leases.release(lease, owner);
      return tested.ok && tested.value.state === 'connected';
    } catch (error) {
      logger.error({ err: error, userId, service }, 'A refused connection could not be probed; it is tried again');
      return false;
    }
  }
}
