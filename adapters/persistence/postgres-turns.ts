import PQueue from 'p-queue';
import { NoTurn, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/**
 * The maximum number of locks that one server holds or waits for at once: each takes a connection, and other statements
 * need some too.
 */
const maxAtOnce = 4;

/**
 * The time in ms after which PostgreSQL ends an idle lock transaction, so that a frozen server does not hold a lock for
 * longer. Below the statement timeout, so that a waiting server still gets the lock.
 */
const maxSilentMs = 4_000;

/**
 * Serialises work across servers with PostgreSQL's advisory locks. Each lock lasts as long as a transaction: that works
 * through a pooler in transaction mode as well, and the lock is released at once when the server that holds it ends.
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
    // Work that has started settles by itself, whatever happens to the transaction.
    return begun ?? Promise.reject(new NoTurn(name));
  }
}
