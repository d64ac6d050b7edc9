import { ConnectionStatusRow } from '#adapters/persistence/schema/connection-statuses.ts';
import { ConnectionRow } from '#adapters/persistence/schema/connections.ts';
import type {
  ConnectionOverview,
  ConnectionPlace,
  ConnectionStore,
  RenewalsDue,
  StatedConnection,
  StoredConnection,
} from '#application/ports/connections.ts';
import { type ConnectionStatus, statusOf } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table, type TableRow } from '#infrastructure/database/table.ts';

const place = ['userId', 'service'] as const;
/** Of connections of services that somebody left, most are to be reconnected: they are not looked at again and again. */
const isNotToReconnect = `not exists (select 1 from connection_standings status where status.state = 'reconnect'
  and status.user_id = o0.user_id and status.service = o0.service)`;

/** Nothing is done over the connections of somebody who left: they would be due for ever. */
const isOfActiveUser =
  'not exists (select 1 from users where users.id = o0.user_id and users.deactivated_at is not null)';
/** By keys, however many are due: a condition for each of them would make a statement that SQLite refuses. */
const isDueForProbe =
  '(o0.user_id, o0.service) in (select user_id, service from connection_standings where probe_at <= ?)';

/**
 * Stores connections in the tables `outbound_tokens` and `connection_standings`. Credentials are stored as given, i.e.
 * encrypted.
 */
export class MikroOrmConnections implements ConnectionStore {
  readonly #database: Database;
  readonly #connections;
  readonly #statuses;

  constructor(database: Database) {
    this.#database = database;
    this.#connections = new Table(database, ConnectionRow, place);
    this.#statuses = new Table(database, ConnectionStatusRow);
  }

  find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.reload(userId, service);
  }

  async reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return (await this.#read({ userId, service }))[0] ?? null;
  }

  list(userId: number): Promise<readonly StoredConnection[]> {
    return this.#read({ userId });
  }

  /** Reads connections with their statuses; one whose status cannot be read counts as connected. */
  async #read(where: Partial<ConnectionPlace>): Promise<readonly StoredConnection[]> {
    const [rows, statuses] = await Promise.all([this.#connections.having(where), this.#statuses.having(where)]);
    const inOrder = rows.toSorted((left, right) => (left.service < right.service ? -1 : 1));
    return inOrder.map((row) => {
      const { id: _, ...record } = row;
      const status = statuses.find(({ service }) => service === record.service);
      return { record, status: statusOf(record.updatedAt, status === undefined ? null : toStatus(status)) };
    });
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const rows = await this.#connections.having({ userId }, place);
    return { services: new Set(rows.map(({ service }) => service)), isInTeamVault: false };
  }

  async statesOf(userIds: readonly number[]): Promise<readonly StatedConnection[]> {
    if (userIds.length === 0) return [];
    const where = { userId: { $in: [...userIds] } };
    const places = this.#places().where(where).orderBy({ userId: 'asc', service: 'asc' });
    const [rows, statuses] = await Promise.all([this.#connections.some(places, place), this.#statuses.list(where)]);
    const states = new Map(statuses.map(({ userId, service, state }) => [`${userId}/${service}`, state]));
    return rows.map((row) => ({
      ...row,
      state: states.get(`${row.userId}/${row.service}`) ?? 'connected',
      isTeams: false,
    }));
  }

  places(): Promise<readonly ConnectionPlace[]> {
    return this.#connections.some(this.#places().orderBy({ userId: 'asc', service: 'asc' }), place);
  }

  renewable(due?: RenewalsDue): Promise<readonly ConnectionPlace[]> {
    const query = this.#places().where({ refreshToken: { $ne: null }, expiresAt: { $ne: null } });
    if (due !== undefined) {
      const stored = due.services.map(({ service, storedUntil }) => ({ service, updatedAt: { $lte: storedUntil } }));
      query.andWhere({ $or: [{ expiresAt: { $lte: due.expiresUntil } }, ...stored] });
      // In this order: what is stored longest is mostly of those who left.
      query.andWhere(isOfActiveUser).andWhere(isNotToReconnect);
    }
    return this.#connections.some(query, place);
  }

  dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    const due = this.#places().where(isDueForProbe, [now]).andWhere(isOfActiveUser);
    return this.#connections.some(due.orderBy({ id: 'asc' }), place);
  }

  #places() {
    return this.#connections.qb().select([...place]);
  }

  async rewrite({ userId, service, accessToken }: TokenRecord, after: TokenRecord): Promise<boolean> {
    const values = { accessToken: after.accessToken, refreshToken: after.refreshToken };
    return (await this.#connections.update({ userId, service, accessToken }, values)) === 1;
  }

  save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    const { userId, service } = record;
    return this.#database.em.fork().transactional(async (em) => {
      await this.#connections.put(record, em);
      await this.#statuses.put({ userId, service, ...statusColumns(status) }, em);
    });
  }

  replace({ userId, service, accessToken }: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#database.em.fork().transactional(async (em) => {
      if ((await em.nativeUpdate(ConnectionRow, { userId, service, accessToken }, after)) === 0) return false;
      const connected = statusColumns({ state: 'connected', since: after.updatedAt, reason: null });
      await em.nativeUpdate(ConnectionStatusRow, { userId, service, state: { $ne: 'connected' } }, connected);
      return true;
    });
  }

  async changeStatus({ userId, service }: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    const { state, since, reason, refusedAt, refusedProbes, probeAt } = statusColumns(status);
    // One statement, so that a connection removed concurrently leaves no status behind.
    const changed: unknown[] = await this.#database.em.fork().execute(
      `insert into connection_standings (user_id, service, state, since, reason, refused_at, refused_probes, probe_at)
       select user_id, service, ?, ?, ?, ?, ?, ? from outbound_tokens where user_id = ? and service = ?
       on conflict (user_id, service) do update set state = excluded.state, since = excluded.since, reason = excluded.reason,
       refused_at = excluded.refused_at, refused_probes = excluded.refused_probes, probe_at = excluded.probe_at
       returning service`,
      [state, since, reason, refusedAt, refusedProbes, probeAt, userId, service],
    );
    return changed.length === 1;
  }

  remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#database.em.fork().transactional(async (em) => {
      const removed = await em.nativeDelete(ConnectionRow, { userId, service });
      await em.nativeDelete(ConnectionStatusRow, { userId, service });
      return removed > 0;
    });
  }
}

function statusColumns({ state, since, reason, rejections }: ConnectionStatus) {
  const { firstAt: refusedAt = null, probes: refusedProbes = null, probeAt = null } = rejections ?? {};
  return { state, since, reason, refusedAt, refusedProbes, probeAt };
}

function toStatus(row: TableRow<typeof ConnectionStatusRow>): ConnectionStatus {
  const { state, since, reason, refusedAt, refusedProbes, probeAt } = row;
  const rejections =
    refusedAt === null ? {} : { rejections: { firstAt: refusedAt, probes: refusedProbes ?? 0, probeAt } };
  return { state, since, reason, ...rejections };
}
