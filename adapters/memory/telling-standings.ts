import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { ConnectionStanding } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Standings as they are kept, with somebody told of each user for whom one changes here. */
export class TellingStandings implements ConnectionStandings {
  readonly #standings: ConnectionStandings;
  readonly #onChange: (userId: number) => void;

  constructor(standings: ConnectionStandings, onChange: (userId: number) => void) {
    this.#standings = standings;
    this.#onChange = onChange;
  }

  async find(userId: number, service: ServiceKey): Promise<ConnectionStanding | null> {
    return this.#standings.find(userId, service);
  }

  async list(userId: number): Promise<readonly ConnectionStanding[]> {
    return this.#standings.list(userId);
  }

  async dueForProbe(now: number): Promise<readonly ConnectionStanding[]> {
    return this.#standings.dueForProbe(now);
  }

  async keep(standing: ConnectionStanding): Promise<void> {
    await this.#standings.keep(standing);
    this.#onChange(standing.userId);
  }

  async remove(userId: number, service: ServiceKey): Promise<void> {
    await this.#standings.remove(userId, service);
    this.#onChange(userId);
  }
}
