import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { ConnectionStanding } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How the connections stand, in memory. */
export class MemoryConnectionStandings implements ConnectionStandings {
  readonly #standings = new Map<string, ConnectionStanding>();

  async find(userId: number, service: ServiceKey): Promise<ConnectionStanding | null> {
    return this.#standings.get(`${userId}/${service}`) ?? null;
  }

  async list(userId: number): Promise<readonly ConnectionStanding[]> {
    return [...this.#standings.values()].filter((standing) => standing.userId === userId);
  }

  async dueForProbe(now: number): Promise<readonly ConnectionStanding[]> {
    return [...this.#standings.values()].filter(({ refusals }) => (refusals?.probeAt ?? Infinity) <= now);
  }

  async keep(standing: ConnectionStanding): Promise<void> {
    this.#standings.set(`${standing.userId}/${standing.service}`, standing);
  }

  async remove(userId: number, service: ServiceKey): Promise<void> {
    this.#standings.delete(`${userId}/${service}`);
  }
}
