import { z } from 'zod';
import type { Ask } from '#infrastructure/database/check-database.ts';
import type { SchemaChange } from '#infrastructure/database/schema-change.ts';
import { migrationsSql } from '#infrastructure/database/snapshot.ts';

/** Thrown for a database that must not be used; the message is the end of a sentence, with the remedy. */
export class RefusedDatabase extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RefusedDatabase';
  }
}

const nameRows = z.array(z.object({ name: z.string() }));
const verdictRows = z.array(z.record(z.string(), z.string()));
const sizeRows = z.tuple([z.object({ pages: z.number() })]);

/**
 * The maximum sizes, in pages of 4 KiB, of a file that is checked at start: wholly up to 64 MiB, and quickly, without
 * comparing its indexes with its tables, up to 256 MiB. Each takes a fraction of a second.
 */
const [maxWhollyPages, maxQuicklyPages] = [16_384, 65_536];

/**
 * Throws `RefusedDatabase` when a later version has migrated the database: this version might write rows that the later
 * one cannot read.
 */
export async function refuseLaterVersion(
  known: readonly SchemaChange[],
  ask: Ask,
  kind: 'sqlite' | 'postgres',
): Promise<void> {
  const tables =
    kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name = 'migrations'"
      : "select 'migrations' as name where to_regclass('migrations') is not null";
  if ((await ask(tables)).length === 0) return;
  const ran = nameRows.parse(await ask(migrationsSql)).map(({ name }) => name);
  const later = ran.filter((name) => !known.some((change) => change.name === name));
  if (later.length === 0) return;
  throw new RefusedDatabase(
    `it was used by a later version, with schema changes that this version does not know (${later.join(', ')}). Run that version, or restore a copy from before the update`,
  );
}

/**
 * Checks a SQLite file as thoroughly as its size allows at a start, and throws what SQLite reports. Returns whether the
 * whole file was checked.
 */
export async function refuseDamage(ask: Ask): Promise<boolean> {
  const [{ pages }] = sizeRows.parse(await ask('select page_count as pages from pragma_page_count'));
  if (pages > maxQuicklyPages) return false;
  const check = pages > maxWhollyPages ? 'quick_check' : 'integrity_check';
  const [first = {}] = verdictRows.parse(await ask(`pragma ${check}(1)`));
  const verdict = first[check] ?? 'ok';
  if (verdict !== 'ok') throw new DamagedFile(verdict);
  return pages <= maxWhollyPages;
}

/** Thrown when SQLite's check reports damage. */
class DamagedFile extends Error {
  readonly code = 'SQLITE_CORRUPT';
}
