import { PendingSignInRow } from '#adapters/persistence/schema/pending-sign-ins.ts';
import type { PendingSignIn, PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores pending sign-ins in the database, for all servers that share it. */
export class SqlPendingSignIns implements PendingSignIns {
  readonly #signIns;
  readonly #max: number;

  /** `max` bounds the number of pending sign-ins. */
  constructor(database: Database, max = 5_000) {
    this.#signIns = new Table(database, PendingSignInRow, ['state']);
    this.#max = max;
  }

  async keep(state: string, signIn: PendingSignIn): Promise<void> {
    await this.#signIns.put({ state, ...signIn });
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#signIns.evict('seq desc', this.#max);
  }

  async take(state: string): Promise<PendingSignIn | null> {
    const row = await this.#signIns.take(state);
    if (row === null) return null;
    const { seq: _, state: __, ...signIn } = row;
    return signIn;
  }
}
