import {
  type Configuration,
  MikroORM,
  type Options,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql';
import type { PostgresDialect } from 'kysely';
import { type Pool, PostgresDriver, type QueryLimits } from '#infrastructure/database/postgres-driver.ts';

/** An open ORM; `limitTime` sets the timeout of later statements, in ms. */
export type PostgresOrm = Readonly<{ orm: MikroORM; limitTime(maxQueryMs: number): void }>;

/** Opens the ORM on a PostgreSQL database with `PostgresDriver` in place of the query builder's driver. */
export async function openPostgresOrm(options: Options, maxConnectMs: number): Promise<PostgresOrm> {
  const limits = { maxQueryMs: 0 };
  const orm = await MikroORM.init({ ...options, driver: driverClass(limits, maxConnectMs) });
  return {
    orm,
    limitTime: (maxQueryMs) => {
      limits.maxQueryMs = maxQueryMs;
    },
  };
}

/** Returns the ORM driver class, the only place where the ORM accepts a connection of our own. */
function driverClass(limits: QueryLimits, maxConnectMs: number): typeof PostgreSqlDriver {
  return class extends PostgreSqlDriver {
    constructor(config: Configuration) {
      super(config);
      Object.assign(this, { connection: new LimitedConnection(config, limits, maxConnectMs) });
    }
  };
}

type PoolOptions = Parameters<PostgreSqlConnection['createKyselyDialect']>[0];

class LimitedConnection extends PostgreSqlConnection {
  readonly #limits: QueryLimits;
  readonly #maxConnectMs: number;

  constructor(config: Configuration, limits: QueryLimits, maxConnectMs: number) {
    super(config);
    this.#limits = limits;
    this.#maxConnectMs = maxConnectMs;
  }

  override createKyselyDialect(overrides: PoolOptions): PostgresDialect {
    let made: Pool | null = null;
    const onPoolCreated = (pool: Pool) => {
      made = pool;
    };
    const options = { ...overrides, connectionTimeoutMillis: this.#maxConnectMs, onPoolCreated };
    const dialect = super.createKyselyDialect(options);
    if (made === null) throw new Error('The ORM made no pool of connections');
    const driver = new PostgresDriver(made, this.#limits);
    return Object.assign(dialect, { createDriver: () => driver });
  }
}
