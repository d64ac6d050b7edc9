import type { TestConnection } from '#application/connections/test-connection.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Random } from '#application/ports/random.ts';
import type { Users } from '#application/ports/users.ts';
import { countInTurns } from '#application/turns/count-in-turns.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';

type ProbeRejectedDependencies = Readonly<{
  connections: Pick<Connections, 'dueForProbe'>;
  test: Pick<TestConnection, 'probe'>;
  users: Pick<Users, 'find'>;
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The number of connections probed concurrently: of a provider that refuses all keys, thousands may be due at once. */
const atOnce = 32;

/** The lease's duration for probing one connection, in ms. */
const leaseMs = 60_000;

/** Probes connections of active users with rejected credentials when a probe is due, since a rejection may be temporary. */
export class ProbeRejected {
  readonly #dependencies: ProbeRejectedDependencies;

  constructor(dependencies: ProbeRejectedDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Probes the connections that are due and returns the number that work again. An error with one is logged and does
   * not affect the others.
   */
  async run(): Promise<number> {
    const { connections, clock } = this.#dependencies;
    const due = await connections.dueForProbe(clock.now());
    return countInTurns(due, atOnce, ({ userId, service }) => this.#probe(userId, service));
  }

  async #probe(userId: number, service: ServiceKey): Promise<boolean> {
    const { test, users, leases, random, logger } = this.#dependencies;
    const [lease, owner] = [`probe:${userId}:${service}`, random.token(12)];
    try {
      const user = await users.find(userId);
      if (user === null || !isActive(user)) return false;
      if ((await leases.acquire(lease, owner, leaseMs)) === null) return false;
      const tested = await test.probe(userId, service);
      await leases.release(lease, owner);
      return tested.ok && tested.value.state === 'connected';
    } catch (error) {
      logger.error({ err: error, userId, service }, 'Connection could not be probed; it will be retried');
      return false;
    }
  }
}
