import PQueue from 'p-queue';
import { NoTurn, type ServerTurns } from '#application/ports/server-turns.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** How many turns one server waits for or has at once: each holds a connection, and other statements need some too. */
const maxAtOnce = 4;

/**
 * How long a turn may last without a word to the database, in ms, before PostgreSQL ends it: a server that stands still
 * keeps nobody waiting longer. Below the limit of a statement, so that who waits gets the turn.
 */
const maxSilentMs = 4_000;

/**
 * Gives turns by PostgreSQL's advisory locks. Each lasts as long as a transaction: that also works through a pooler in
 * transaction mode, and the lock is free at once when the server that has it ends.
 */
export class PostgresTurns implements ServerTurns {
  readonly #database: Database;
  readonly #queue = new PQueue({ concurrency: maxAtOnce });

  constructor(database: Database) {
    this.#database = database;
  }

  run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return this.#queue.add(() => this.#inTurn(name, work));
  }

  async #inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    let begun: Promise<Value> | null = null;
    try {
      await this.#database.em.fork().transactional(async (em) => {
        await em.execute(
          `select set_config('idle_in_transaction_session_timeout', '${maxSilentMs}', true),
             pg_advisory_xact_lock(hashtextextended(?, 1))`,
          [name],
        );
        begun = work();
        await begun;
      });
    } catch (error) {
      if (begun === null) throw new NoTurn(name, { cause: error });
    }
    // Work that was begun has its own end, whatever becomes of the transaction.
    return begun ?? Promise.reject(new NoTurn(name));
  }
}
