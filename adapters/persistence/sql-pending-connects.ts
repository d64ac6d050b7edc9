import { PendingConnectRow } from '#adapters/persistence/schema/pending-connects.ts';
import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores pending connects in the database, for all servers that share it. */
export class SqlPendingConnects implements PendingConnects {
  readonly #connects;
  readonly #max: number;

  /** `max` bounds the number of pending connects. */
  constructor(database: Database, max = 1_000) {
    this.#connects = new Table(database, PendingConnectRow, ['state']);
    this.#max = max;
  }

  async keep(state: string, connect: PendingConnect): Promise<void> {
    await this.#connects.put({ state, ...connect });
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#connects.evict('seq desc', this.#max);
  }

  async take(state: string): Promise<PendingConnect | null> {
    const row = await this.#connects.take(state);
    if (row === null) return null;
    const { seq: _, state: __, ...connect } = row;
    return connect;
  }
}
