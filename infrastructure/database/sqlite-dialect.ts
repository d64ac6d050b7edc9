import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** The driver as the ORM's query builder takes it. Several may ask at once: the driver itself has them take turns. */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new TurnTakingAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** With several connections the query builder has no lock of its own, which a failing BEGIN would keep for ever. */
class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true;
  }
}
