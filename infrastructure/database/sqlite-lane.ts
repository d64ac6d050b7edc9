import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

/** One caller's handle on the shared connection. */
export class SqliteLane implements DatabaseConnection {
  readonly #execute: (lane: SqliteLane, query: CompiledQuery) => Promise<QueryResult<never>>;
  isInTransaction = false;
  /** Whether the transaction contains writes. */
  hasWritten = false;

  constructor(execute: (lane: SqliteLane, query: CompiledQuery) => Promise<QueryResult<never>>) {
    this.#execute = execute;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#execute(this, query);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed from SQLite');
  }
}

/** Returns the handle behind a connection of this driver. */
export function laneOf(connection: DatabaseConnection): SqliteLane {
  if (connection instanceof SqliteLane) return connection;
  throw new Error('This connection belongs to another driver');
}
