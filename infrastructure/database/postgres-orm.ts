import {
  type Configuration,
  MikroORM,
  type Options,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql';
import type { PostgresDialect } from 'kysely';
import { type Pool, PostgresDriver, type QueryLimits } from '#infrastructure/database/postgres-driver.ts';

/**
 * How long a connection of the pool may be idle, in ms: opening one, and planning its statements, takes PostgreSQL as
 * long as ten deliveries.
 */
const idleTimeoutMillis = 120_000;

/** An open ORM; `limitTime` sets the timeout of later statements, in ms. `driver` is there after the first statement. */
export type PostgresOrm = Readonly<{ orm: MikroORM; driver(): PostgresDriver; limitTime(maxQueryMs: number): void }>;

/** Opens the ORM on a PostgreSQL database with `PostgresDriver` in place of the query builder's driver. */
export async function openPostgresOrm(options: Options, maxConnectMs: number): Promise<PostgresOrm> {
  const limits = { maxQueryMs: 0, maxConnectMs };
  let made: PostgresDriver | null = null;
  const onMade: OnDriver = (driver) => {
    made = driver;
  };
  const orm = await MikroORM.init({ ...options, driver: driverClass({ limits, onMade }) });
  return {
    orm,
    driver: () => {
      if (made === null) throw new Error('The ORM has made no driver');
      return made;
    },
    limitTime: (maxQueryMs) => {
      limits.maxQueryMs = maxQueryMs;
    },
  };
}

type OnDriver = (driver: PostgresDriver) => void;
type ConnectionOptions = Readonly<{ limits: QueryLimits; onMade: OnDriver }>;

/** Returns the ORM driver class, the only place where the ORM accepts a connection of our own. */
function driverClass(options: ConnectionOptions): typeof PostgreSqlDriver {
  return class extends PostgreSqlDriver {
    constructor(config: Configuration) {
      super(config);
      Object.assign(this, { connection: new LimitedConnection(config, options) });
    }
  };
}

type PoolOptions = Parameters<PostgreSqlConnection['createKyselyDialect']>[0];

class LimitedConnection extends PostgreSqlConnection {
  readonly #options: ConnectionOptions;

  constructor(config: Configuration, options: ConnectionOptions) {
    super(config);
    this.#options = options;
  }

  override createKyselyDialect(overrides: PoolOptions): PostgresDialect {
    const { limits, onMade } = this.#options;
    let made: Pool | null = null;
    const onPoolCreated = (pool: Pool) => {
      made = pool;
    };
    const options = { ...overrides, connectionTimeoutMillis: limits.maxConnectMs, idleTimeoutMillis, onPoolCreated };
    const dialect = super.createKyselyDialect(options);
    if (made === null) throw new Error('The ORM made no pool of connections');
    const driver = new PostgresDriver(made, limits);
    onMade(driver);
    return Object.assign(dialect, { createDriver: () => driver });
  }
}
