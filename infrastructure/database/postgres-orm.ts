import {
  type Configuration,
  MikroORM,
  type Options,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql';
import type { PostgresDialect } from 'kysely';
import { type Pool, PostgresDriver, type QueryLimits } from '#infrastructure/database/postgres-driver.ts';

/** The timeout of acquiring a connection, in ms. */
const maxConnectMs = 3_000;

/** An open ORM; `limitTime` sets the timeout of later statements, in ms. */
export type PostgresOrm = Readonly<{ orm: MikroORM; limitTime(maxQueryMs: number): void }>;

/** Opens the ORM on a PostgreSQL database with `PostgresDriver` in place of the query builder's driver. */
export async function openPostgresOrm(options: Options): Promise<PostgresOrm> {
  const limits = { maxQueryMs: 0 };
  const orm = await MikroORM.init({ ...options, driver: driverClass(limits) });
  return {
    orm,
    limitTime: (maxQueryMs) => {
      limits.maxQueryMs = maxQueryMs;
    },
  };
}

/** Returns the ORM driver class, the only place where the ORM accepts a connection of our own. */
function driverClass(limits: QueryLimits): typeof PostgreSqlDriver {
  return class extends PostgreSqlDriver {
    constructor(config: Configuration) {
      super(config);
      Object.assign(this, { connection: new LimitedConnection(config, limits) });
    }
  };
}

type PoolOptions = Parameters<PostgreSqlConnection['createKyselyDialect']>[0];

class LimitedConnection extends PostgreSqlConnection {
  readonly #limits: QueryLimits;

  constructor(config: Configuration, limits: QueryLimits) {
    super(config);
    this.#limits = limits;
  }

  override createKyselyDialect(overrides: PoolOptions): PostgresDialect {
    let made: Pool | null = null;
    const onPoolCreated = (pool: Pool) => {
      made = pool;
    };
    const options = { ...overrides, connectionTimeoutMillis: maxConnectMs, onPoolCreated };
    const dialect = super.createKyselyDialect(options);
    if (made === null) throw new Error('The ORM made no pool of connections');
    const driver = new PostgresDriver(made, this.#limits);
    return Object.assign(dialect, { createDriver: () => driver });
  }
}
