import { z } from 'zod';
import { type ConnectionStatusColumns, ConnectionStatusRow } from '#adapters/persistence/connection-status-row.ts';
import { type OutboundToken, OutboundTokenRow } from '#adapters/persistence/outbound-token-row.ts';
import type {
  ConnectionOverview,
  ConnectionPlace,
  ConnectionStore,
  StoredConnection,
} from '#application/ports/connections.ts';
import { type ConnectionStatus, connectionStates, statusOf } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { authMethods, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.number().int();
const wholeOrNull = whole.nullish().transform((value) => value ?? null);
const textOrNull = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const placed = z.object({ userId: whole, service: z.string() });
const tokenSchema = placed.extend({
  authMethod: z.enum(authMethods),
  accessToken: z.string(),
  refreshToken: textOrNull,
  scope: textOrNull,
  expiresAt: wholeOrNull,
  extra: z.string(),
  updatedAt: whole,
});
const statusSchema = placed.extend({
  state: z.enum(connectionStates),
  since: whole,
  reason: textOrNull,
  refusedAt: wholeOrNull,
  refusedProbes: wholeOrNull,
  probeAt: wholeOrNull,
});
const extraSchema = z.record(z.string(), z.unknown());
const tokenPlace = { table: 'outbound_tokens', keys: ['userId', 'service'] } as const;
const statusPlace = { table: 'connection_standings', keys: ['userId', 'service'] } as const;
const affectedSchema = z.object({ affectedRows: z.number() });

/**
 * Stores connections in the tables `outbound_tokens` and `connection_standings`. Credentials are stored as given, i.e.
 * encrypted.
 */
export class MikroOrmConnections implements ConnectionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.reload(userId, service);
  }

  async reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    const [row, status] = await Promise.all([
      this.#database.em.fork().findOne(OutboundTokenRow, { userId, service }),
      this.#database.em.fork().findOne(ConnectionStatusRow, { userId, service }),
    ]);
    return row === null ? null : (this.#read([row], status === null ? [] : [status])[0] ?? null);
  }

  async list(userId: number): Promise<readonly StoredConnection[]> {
    const [rows, statuses] = await Promise.all([
      this.#database.em.fork().find(OutboundTokenRow, { userId }, { orderBy: { service: 'asc' } }),
      this.#database.em.fork().find(ConnectionStatusRow, { userId }),
    ]);
    return this.#read(rows, statuses);
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const fields = ['userId', 'service'] as const;
    const rows = await this.#database.em.fork().find(OutboundTokenRow, { userId }, { fields });
    return { services: new Set(this.#placesIn(rows).map(({ service }) => service)), isInTeamVault: false };
  }

  async places(): Promise<readonly ConnectionPlace[]> {
    const fields = ['userId', 'service'] as const;
    const orderBy = { userId: 'asc', service: 'asc' } as const;
    const rows = await this.#database.em.fork().findAll(OutboundTokenRow, { fields, orderBy });
    return this.#placesIn(rows);
  }

  /** Reads connections with their statuses; one whose status cannot be read counts as connected. */
  #read(rows: readonly OutboundToken[], statuses: readonly ConnectionStatusColumns[]): readonly StoredConnection[] {
    const known = this.#database.rows.read(statusPlace, statuses, (row) => statusSchema.parse(row));
    return this.#database.rows.read(tokenPlace, rows, (row) => {
      const record = recordOf(row);
      const status = known.find(({ service, userId }) => service === record.service && userId === record.userId);
      return { record, status: statusOf(record.updatedAt, status === undefined ? null : toStatus(status)) };
    });
  }

  #placesIn(rows: readonly unknown[]): readonly ConnectionPlace[] {
    return this.#database.rows.read(tokenPlace, rows, (row) => placed.parse(row));
  }

  async rewrite(before: TokenRecord, { accessToken, refreshToken }: TokenRecord): Promise<boolean> {
    const stored = { ...placeOf(before), accessToken: before.accessToken };
    return (await this.#database.em.fork().nativeUpdate(OutboundTokenRow, stored, { accessToken, refreshToken })) === 1;
  }

  async renewable(): Promise<readonly ConnectionPlace[]> {
    const where = { refreshToken: { $ne: null }, expiresAt: { $ne: null } };
    const fields = ['userId', 'service'] as const;
    const rows = await this.#database.em.fork().find(OutboundTokenRow, where, { fields, orderBy: { id: 'asc' } });
    return this.#placesIn(rows);
  }

  async dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    const rows = await this.#database.em.fork().find(ConnectionStatusRow, { probeAt: { $lte: now } });
    if (rows.length === 0) return [];
    const $or = rows.map(({ userId, service }) => ({ userId, service }));
    const fields = ['userId', 'service'] as const;
    // A database of an earlier release may hold a status whose connection is gone.
    const there = await this.#database.em.fork().find(OutboundTokenRow, { $or }, { fields, orderBy: { id: 'asc' } });
    return this.#placesIn(there);
  }

  async save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    await this.#database.em.fork().transactional(async (em) => {
      await em.upsert(OutboundTokenRow, columnsOf(record), { onConflictFields: ['userId', 'service'] });
      const columns = { ...placeOf(record), ...statusColumns(status) };
      await em.upsert(ConnectionStatusRow, columns, { onConflictFields: ['userId', 'service'] });
    });
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    const place = placeOf(before);
    return this.#database.em.fork().transactional(async (em) => {
      const stored = { ...place, accessToken: before.accessToken };
      if ((await em.nativeUpdate(OutboundTokenRow, stored, columnsOf(after))) === 0) return false;
      const connected = statusColumns({ state: 'connected', since: after.updatedAt, reason: null });
      await em.nativeUpdate(ConnectionStatusRow, { ...place, state: { $ne: 'connected' } }, connected);
      return true;
    });
  }

  async changeStatus({ userId, service }: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    const { state, since, reason, refusedAt, refusedProbes, probeAt } = statusColumns(status);
    // One statement, so that a connection removed concurrently leaves no status behind.
    const result: unknown = await this.#database.em.fork().execute(
      `insert into connection_standings (user_id, service, state, since, reason, refused_at, refused_probes, probe_at)
       select user_id, service, ?, ?, ?, ?, ?, ? from outbound_tokens where user_id = ? and service = ?
       on conflict (user_id, service) do update set state = excluded.state, since = excluded.since, reason = excluded.reason,
       refused_at = excluded.refused_at, refused_probes = excluded.refused_probes, probe_at = excluded.probe_at`,
      [state, since, reason, refusedAt, refusedProbes, probeAt, userId, service],
      'run',
    );
    return affectedSchema.parse(result).affectedRows === 1;
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#database.em.fork().transactional(async (em) => {
      const removed = await em.nativeDelete(OutboundTokenRow, { userId, service });
      await em.nativeDelete(ConnectionStatusRow, { userId, service });
      return removed > 0;
    });
  }
}

function columnsOf({ extra, ...plain }: TokenRecord) {
  return { ...plain, extra: JSON.stringify(extra) };
}

function recordOf(row: unknown): TokenRecord {
  const { extra, ...record } = tokenSchema.parse(row);
  return { ...record, extra: extraSchema.parse(JSON.parse(extra)) };
}

type StatusRow = z.output<typeof statusSchema>;

function statusColumns({ state, since, reason, rejections }: ConnectionStatus) {
  const { firstAt: refusedAt = null, probes: refusedProbes = null, probeAt = null } = rejections ?? {};
  return { state, since, reason, refusedAt, refusedProbes, probeAt };
}

function toStatus({ state, since, reason, refusedAt, refusedProbes, probeAt }: StatusRow): ConnectionStatus {
  const rejections =
    refusedAt === null ? {} : { rejections: { firstAt: refusedAt, probes: refusedProbes ?? 0, probeAt } };
  return { state, since, reason, ...rejections };
}

function placeOf({ userId, service }: ConnectionPlace): ConnectionPlace {
  return { userId, service };
}
