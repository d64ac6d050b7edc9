import { setImmediate } from 'node:timers/promises';
import type { AnyEntity, EntityClass, EntitySchema, IMigrator } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { type Options, type SqlEntityManager, MikroORM as SqliteOrm } from '@mikro-orm/sqlite';
import { BindingSqliteDriver } from '#infrastructure/database/binding-sqlite.ts';
import { type Ask, checkPostgres, checkSqlite } from '#infrastructure/database/check-database.ts';
import { checkIntegrity } from '#infrastructure/database/check-integrity.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import type { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { LogCheckpoints } from '#infrastructure/database/log-checkpoints.ts';
import { LogSync } from '#infrastructure/database/log-sync.ts';
import { postgresStatements } from '#infrastructure/database/postgres-statements.ts';
import { type ReadingAside, ReadingThread } from '#infrastructure/database/reading-thread.ts';
import { refuseDamage, refuseLaterVersion } from '#infrastructure/database/refuse-database.ts';
import { RowReader } from '#infrastructure/database/row-reader.ts';
import { migrationClass, type SchemaChange } from '#infrastructure/database/schema-change.ts';
import { underSchemaLock } from '#infrastructure/database/schema-lock.ts';
import { sqliteDialect } from '#infrastructure/database/sqlite-dialect.ts';
import { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import { inMemory, makePrivate, openSqliteFile, pagesBesideThread } from '#infrastructure/database/sqlite-file.ts';
import { SqlitePlace } from '#infrastructure/database/sqlite-place.ts';
import { sqliteStatements } from '#infrastructure/database/sqlite-statements.ts';
import type { DirectStatements } from '#infrastructure/database/statements.ts';

/** The kind of database in use. */
export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * An open database. Callers fork `em` and never use it directly. Its methods throw `DatabaseUnavailable` while it
 * cannot be used.
 */
export type Database = Readonly<{
  kind: DatabaseKind;
  em: SqlEntityManager;
  /** Runs statements without the ORM's unit of work. */
  direct: DirectStatements;
  /** Where statements that may read a whole table run; null where any statement lets others run, or is soon done. */
  aside: ReadingAside | null;
  /** Reads rows, and remembers those that do not fit. */
  rows: RowReader;
  /** Resolves when the database can be read and written; throws `DatabaseUnavailable` when it cannot. */
  check(): Promise<void>;
  /** Returns why a SQLite file is not the one that was opened: gone or replaced; null when it is, or for PostgreSQL. */
  trouble: () => DatabaseUnavailable | null;
  /**
   * Checks what was not checked at the opening: the whole of a large SQLite file, beside the server. Returns the first
   * damage found, or null; null at once when there is nothing to check. Rejects when `stop` aborts.
   */
  checkIntegrity(stop: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}>;

/** What is needed to open a database: its URL, the entities, and all schema changes in order. */
export type DatabaseOptions = Readonly<{
  /** `sqlite:path` or `postgres://user:password@host/name`. */
  url: string;
  entities: readonly (EntitySchema | EntityClass<AnyEntity>)[];
  migrations: readonly SchemaChange[];
  /**
   * How long a statement waits for another process's lock on a SQLite file, in ms; 2,000 by default, far longer than a
   * command's write takes.
   */
  maxLockWaitMs?: number;
  /** The timeout of acquiring a PostgreSQL connection, in ms; 3,000 by default. */
  maxConnectMs?: number;
  /** The timeout of a PostgreSQL statement, in ms, after the schema changes; 5,000 by default. */
  maxQueryMs?: number;
  /** Undoes the schema changes of this opening when it aborts before their end. */
  stop?: AbortSignal | undefined;
}>;

/**
 * Opens the database and runs pending schema changes. A SQLite file is made accessible to its owner only. Throws
 * `DatabaseNotOpened`, also for a database written by a later version, and for a damaged one.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  try {
    return await (options.url.startsWith('sqlite:') ? openSqlite(options) : openPostgres(options));
  } catch (error) {
    throw error instanceof DatabaseNotOpened ? error : new DatabaseNotOpened(options.url, error);
  }
}

/** How much memory a process has that can spare the 10 MB of a thread, in bytes. */
const enoughForThread = 268_435_456;

/** Whether the process is limited to less. */
function isShortOfMemory(): boolean {
  const most = process.constrainedMemory();
  return most > 0 && most < enoughForThread;
}

async function openSqlite({
  url,
  entities,
  migrations,
  maxLockWaitMs = 2_000,
  stop,
}: DatabaseOptions): Promise<Database> {
  const path = url.slice('sqlite:'.length);
  makePrivate(path);
  const files = path === inMemory ? {} : { log: new LogSync(path), place: new SqlitePlace(path) };
  const aside = path === inMemory ? null : new ReadingThread(path, () => files.place?.check());
  const checkpoints =
    path === inMemory || isShortOfMemory() ? null : new LogCheckpoints(path, () => files.place?.check());
  const open = () => openSqliteFile(path, checkpoints === null ? undefined : pagesBesideThread);
  const checkpoint = () => checkpoints?.ask();
  const driver = new SqliteDriver({ open, maxWaitMs: maxLockWaitMs, checkpoint, ...files });
  const options = {
    ...common(entities, migrations, 'sqlite'),
    dbName: path,
    driverOptions: sqliteDialect(driver),
  };
  const orm = await SqliteOrm.init({ ...options, driver: BindingSqliteDriver });
  const ask: Ask = (sql) => orm.em.fork().execute(sql);
  let isChecked = path === inMemory;
  const prepare = async () => {
    isChecked = (await refuseDamage(ask)) || isChecked;
    await refuseLaterVersion(migrations, ask, 'sqlite');
    await migrate(orm.migrator, stop);
  };
  return opened('sqlite', orm, {
    prepare,
    direct: sqliteStatements(driver),
    aside,
    checkpoints,
    check: () => checkSqlite(path, ask),
    trouble: files.place?.trouble ?? nothingToCheck.trouble,
    checkIntegrity: async (stop) => (isChecked ? null : checkIntegrity(path, stop)),
  });
}

async function openPostgres(options: DatabaseOptions): Promise<Database> {
  const { url, entities, migrations, maxConnectMs = 3_000, maxQueryMs = 5_000 } = options;
  const { openPostgresOrm } = await import('#infrastructure/database/postgres-orm.ts');
  const { orm, driver, limitTime } = await openPostgresOrm(
    { ...common(entities, migrations, 'postgres'), clientUrl: url },
    maxConnectMs,
  );
  const ask: Ask = (sql) => orm.em.fork().execute(sql);
  const prepare = async () => {
    await underSchemaLock(orm.em, async () => {
      await refuseLaterVersion(migrations, ask, 'postgres');
      await migrate(orm.migrator, options.stop);
    });
    // Schema changes, and waiting for another server's, may take longer than the timeout.
    limitTime(maxQueryMs);
  };
  const direct = postgresStatements(driver);
  return opened('postgres', orm, { prepare, direct, aside: null, check: () => checkPostgres(ask), ...nothingToCheck });
}

/**
 * Runs the pending schema changes in one transaction, so that a process which ends meanwhile leaves the database as it
 * was. Rejects between two changes when `stop` aborts.
 */
async function migrate(migrator: IMigrator, stop: AbortSignal | undefined): Promise<void> {
  migrator.on('migrating', async () => {
    // SQLite's statements leave no turn of the loop in which a signal could arrive.
    await setImmediate();
    stop?.throwIfAborted();
  });
  await migrator.up();
}

/** PostgreSQL looks after its files itself. */
const nothingToCheck = { trouble: () => null, checkIntegrity: async () => null } as const;

type Orm = Readonly<{ em: SqlEntityManager; close(force?: boolean): Promise<void> }>;

/** Prepares the opened database; closes it when that fails. */
async function opened(
  kind: DatabaseKind,
  orm: Orm,
  {
    prepare,
    checkpoints,
    ...rest
  }: Omit<Database, 'kind' | 'em' | 'rows' | 'close'> &
    Readonly<{ prepare(): Promise<void>; checkpoints?: LogCheckpoints | null }>,
): Promise<Database> {
  try {
    await prepare();
  } catch (error) {
    await orm.close(true);
    throw error;
  }
  const close = async () => {
    await rest.aside?.close();
    await checkpoints?.close();
    await orm.close(true);
  };
  return { kind, em: orm.em, rows: new RowReader(), ...rest, close };
}

function common(
  entities: DatabaseOptions['entities'],
  migrations: readonly SchemaChange[],
  kind: DatabaseKind,
): Pick<Options, 'extensions' | 'metadataCache' | 'migrations'> & {
  entities: (EntitySchema | EntityClass<AnyEntity>)[];
} {
  return {
    entities: [...entities],
    extensions: [Migrator],
    metadataCache: { enabled: false },
    migrations: {
      snapshot: false,
      silent: true,
      tableName: 'migrations',
      migrationsList: migrations.map((change) => ({ name: change.name, class: migrationClass(change, kind) })),
    },
  };
}
