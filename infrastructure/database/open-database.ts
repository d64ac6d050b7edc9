import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AnyEntity, EntityClass, EntitySchema } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { type Options, type SqlEntityManager, MikroORM as SqliteOrm } from '@mikro-orm/sqlite';
import { migrationClass, type SchemaChange } from '#infrastructure/database/schema-change.ts';

/** Which of the two databases is spoken to. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** An open database. `em` is never used itself: each use forks it. */
export type Database = Readonly<{ kind: DatabaseKind; em: SqlEntityManager; close(): Promise<void> }>;

/** What a database is opened with: its address, the tables' entities, and every schema change in order. */
export type DatabaseOptions = Readonly<{
  /** `sqlite:path` or `postgres://user:password@host/name`. */
  url: string;
  entities: readonly (EntitySchema | EntityClass<AnyEntity>)[];
  migrations: readonly SchemaChange[];
}>;

/** The database could not be opened; the message names it without its password and says why. */
export class DatabaseNotOpened extends Error {
  constructor(url: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The database ${withoutPassword(url)} cannot be opened: ${why}`, { cause });
    this.name = 'DatabaseNotOpened';
  }
}

/**
 * Opens the database and runs the schema changes it has not seen. SQLite: write-ahead log, synchronous FULL (a commit is
 * on disk when it returns), 5 s of patience for another writer. Throws `DatabaseNotOpened`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  try {
    return await (options.url.startsWith('sqlite:') ? openSqlite(options) : openPostgres(options));
  } catch (error) {
    throw new DatabaseNotOpened(options.url, error);
  }
}

async function openSqlite({ url, entities, migrations }: DatabaseOptions): Promise<Database> {
  const path = url.slice('sqlite:'.length);
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const orm = await SqliteOrm.init({ ...common(entities, migrations, 'sqlite'), dbName: path });
  return opened('sqlite', orm.em, orm, async () => {
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'busy_timeout = 5000']) {
      await orm.em.getConnection().execute(`pragma ${pragma}`);
    }
    await orm.migrator.up();
  });
}

async function openPostgres({ url, entities, migrations }: DatabaseOptions): Promise<Database> {
  const { MikroORM } = await import('@mikro-orm/postgresql');
  const orm = await MikroORM.init({ ...common(entities, migrations, 'postgres'), clientUrl: url });
  return opened('postgres', orm.em, orm, () =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(7239041)');
      await orm.migrator.up();
    }),
  );
}

/** Prepares the opened database; closes it again when that fails. */
async function opened(
  kind: DatabaseKind,
  em: SqlEntityManager,
  orm: Readonly<{ close(force?: boolean): Promise<void>; checkConnection(): Promise<{ ok: boolean }> }>,
  prepare: () => Promise<void>,
): Promise<Database> {
  try {
    await prepare();
  } catch (error) {
    await orm.close(true);
    throw error;
  }
  return { kind, em, close: () => orm.close(true) };
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

function withoutPassword(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, '$1:***@');
}
