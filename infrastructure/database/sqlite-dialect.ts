import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** Wraps the driver for the ORM's query builder. Callers may run concurrently: the driver itself serializes them. */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new TurnTakingAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * An adapter that claims several connections, so that the query builder takes no lock of its own, which a failing BEGIN
 * would never release.
 */
class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true;
  }
}
