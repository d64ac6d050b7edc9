import { z } from 'zod';
import {
  type ConnectionStandingColumns,
  ConnectionStandingRow,
} from '#adapters/persistence/connection-standing-row.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import { type ConnectionStanding, connectionStates } from '#domain/connections/connection.ts';
import { type ServiceKey, serviceKeys } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const choices = z.object({ service: z.enum(serviceKeys), state: z.enum(connectionStates) });

/** How the connections stand, in the database. */
export class MikroOrmConnectionStandings implements ConnectionStandings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(userId: number, service: ServiceKey): Promise<ConnectionStanding | null> {
    const row = await this.#database.em.fork().findOne(ConnectionStandingRow, { userId, service });
    return row === null ? null : toStanding(row);
  }

  async list(userId: number): Promise<readonly ConnectionStanding[]> {
    const rows = await this.#database.em.fork().find(ConnectionStandingRow, { userId });
    return rows.map(toStanding);
  }

  async dueForProbe(now: number): Promise<readonly ConnectionStanding[]> {
    const rows = await this.#database.em.fork().find(ConnectionStandingRow, { probeAt: { $lte: now } });
    return rows.map(toStanding);
  }

  async keep({ refusals, ...standing }: ConnectionStanding): Promise<void> {
    const em = this.#database.em.fork();
    const { firstAt = null, probes = null, probeAt = null } = refusals ?? {};
    const row = { ...standing, refusedAt: firstAt, refusedProbes: probes, probeAt };
    await em.upsert(ConnectionStandingRow, row, { onConflictFields: ['userId', 'service'] });
  }

  async remove(userId: number, service: ServiceKey): Promise<void> {
    await this.#database.em.fork().nativeDelete(ConnectionStandingRow, { userId, service });
  }
}

function toStanding(row: ConnectionStandingColumns): ConnectionStanding {
  const { service, state } = choices.parse(row);
  const { userId, since, reason = null, refusedAt = null, refusedProbes, probeAt = null } = row;
  const refusals = refusedAt === null ? {} : { refusals: { firstAt: refusedAt, probes: refusedProbes ?? 0, probeAt } };
  return { userId, service, state, since, reason, ...refusals };
}
