import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** Wraps the driver for the ORM's query builder. Callers may run concurrently: the driver serializes them. */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new ConcurrentAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * Claims support for several connections, which keeps the query builder from taking its own lock: a failing BEGIN would
 * never release that.
 */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true;
  }
}
