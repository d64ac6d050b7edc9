import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { openTestSqlite, patience } from '#test/support/persistence/test-database.ts';

/** A database that is lent, and how to give it back. */
export type LentDatabase = Readonly<{ database: Database; url: string; giveBack(): Promise<void> }>;

const free: Readonly<{ kind: string; database: Database; url: string }>[] = [];

/**
 * Lends an empty SQLite database. It is emptied rather than made: making one takes six times as long. The bytes of one that is
 * lent again may still have what was deleted; they come from borrowers of the same kind only.
 */
export async function lendSqlite(tables: readonly string[], kind = ''): Promise<LentDatabase> {
  const at = free.findIndex((one) => one.kind === kind);
  const { database, url } = at === -1 ? await openTestSqlite() : (free.splice(at, 1)[0] ?? (await openTestSqlite()));
  for (const table of [...tables, 'sqlite_sequence']) await database.em.fork().execute(`delete from ${table}`);
  return { database, url, giveBack: async () => takeBack({ kind, database, url }) };
}

/** Takes a database back that was opened in the place of a lent one. */
export function takeBack(lent: Readonly<{ kind: string; database: Database; url: string }>): void {
  free.push(lent);
}

/** Opens a lent database as another process does. */
export async function openBeside(url: string): Promise<Database> {
  return openDatabase({ url, entities, migrations, ...patience });
}

/** Closes all that was given back, and removes the files. */
export async function emptyPool(): Promise<void> {
  for (const { database, url } of free.splice(0)) {
    await database.close();
    await rm(dirname(url.slice('sqlite:'.length)), { recursive: true, force: true });
  }
}
