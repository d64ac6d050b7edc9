import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

/** One caller's access to the connection. */
export class SqliteLane implements DatabaseConnection {
  readonly #execute: (lane: SqliteLane, query: CompiledQuery) => Promise<QueryResult<never>>;
  isInTransaction = false;
  /** Whether the transaction has statements that write. */
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

/** The lane behind a connection of our driver. */
export function laneOf(connection: DatabaseConnection): SqliteLane {
  if (connection instanceof SqliteLane) return connection;
  throw new Error('This connection is of another driver');
}
