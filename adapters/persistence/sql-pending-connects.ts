import { PendingConnectRow } from '#adapters/persistence/schema/pending-connects.ts';
import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

const columns = ['userId', 'service', 'browser', 'codeVerifier', 'extra', 'startedAt'] as const;

/** Stores pending connects in the database, for all servers that share it. */
export class SqlPendingConnects implements PendingConnects {
  readonly #database: Database;
  readonly #connects;
  readonly #max: number;

  /** `max` bounds the number of pending connects. */
  constructor(database: Database, max = 1_000) {
    this.#database = database;
    this.#connects = new Table(database, PendingConnectRow, ['state']);
    this.#max = max;
  }

  async keep(state: string, connect: PendingConnect): Promise<void> {
    await this.#connects.put({ state, ...connect });
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#connects.evict('seq desc', this.#max);
  }

  async take(state: string): Promise<PendingConnect | null> {
    // The query builder returns no rows that it deletes.
    const sql = 'delete from pending_connects where state = ? returning *';
    const [connect] = this.#connects.read(await this.#database.em.fork().execute(sql, [state]), columns);
    return connect ?? null;
  }
}
