import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DriverException } from '@mikro-orm/core';
import { z } from 'zod';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { linesOf } from '#bootstrap/backup/folder-files.ts';
import { json, type Manifest, rowsPath } from '#bootstrap/backup/manifest.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { ArchiveError, type ZipReader } from '#infrastructure/archive/read-zip.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { loadRows } from '#infrastructure/database/load-rows.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { type Row, tablesSql } from '#infrastructure/database/snapshot.ts';

/** The maximum length of a row, and of the rows that are loaded together, in characters. */
const [maxRowLength, pageLength] = [64 * 1024 * 1024, 4 * 1024 * 1024];

const nameRows = z.array(z.object({ name: z.string() }));
const rowSchema = json.pipe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])));

/** What the database is restored with; `data` is the draft of `DATA_DIR`. */
type DatabaseRestore = Readonly<{ settings: Settings; onProgress(line: string): void; data: string }>;

/**
 * Restores the database of a backup, a SQLite file within `DATA_DIR` in the draft; returns the number of rows. Throws
 * `ArchiveError` when the rows do not fit.
 */
export async function restoreDatabase(
  zip: ZipReader,
  manifest: Manifest,
  { settings, onProgress, data }: DatabaseRestore,
): Promise<number> {
  const url = draftUrl(settings, data);
  const digests = new Map(manifest.entries.map((entry) => [entry.path, entry]));
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;
  if (path !== null && existsSync(path)) throw new ArchiveError('it has a file where the database belongs');
  const known = migrations.filter(({ name }) => manifest.migrations.includes(name));
  const database = await openDatabase({ url, entities, migrations: known }).catch((error: unknown) => {
    throw ofBackup(error, 'its schema changes do not belong together');
  });
  try {
    await demandTables(database, manifest);
    return await loadRows(database, {
      tables: manifest.tables,
      lastIds: manifest.lastIds,
      async *rows(table) {
        const entry = digests.get(rowsPath(table));
        if (entry === undefined) throw new ArchiveError(`it has no rows of ${table}`);
        onProgress(`database: ${table}`);
        yield* pagesOf(await zip.stream(entry), table);
      },
    });
  } catch (error) {
    throw ofBackup(error, 'its rows do not match the tables');
  } finally {
    await database.close();
  }
}

/** Throws unless the backup has the rows of exactly the tables that its schema changes make. */
async function demandTables({ em, kind }: Database, { tables }: Manifest): Promise<void> {
  const made = new Set(nameRows.parse(await em.fork().execute(tablesSql[kind])).map(({ name }) => name));
  made.delete('migrations');
  const unknown = tables.find((table) => !made.has(table));
  if (unknown !== undefined) throw new ArchiveError(`it has rows of ${unknown}, which is not a table of its version`);
  const missing = [...made].find((table) => !tables.includes(table));
  if (missing !== undefined) throw new ArchiveError(`it has no rows of ${missing}`);
  if (made.size !== tables.length) throw new ArchiveError('it names a table twice');
}

/** Returns an error of the database as one of the backup, unless the database cannot be used. */
function ofBackup(error: unknown, why: string): unknown {
  const cause = error instanceof DatabaseNotOpened ? error.cause : error;
  const isRefused = cause instanceof DriverException && !(cause instanceof DatabaseUnavailable);
  return isRefused ? new ArchiveError(`${why} (${cause.message.split('\n', 1)[0]})`) : error;
}

async function* pagesOf(stream: AsyncIterable<Buffer>, table: string): AsyncIterable<readonly Row[]> {
  let page: Row[] = [];
  let length = 0;
  for await (const line of linesOf(stream, maxRowLength)) {
    const row = line === null ? null : rowSchema.safeParse(line);
    if (row?.success !== true) throw new ArchiveError(`its rows of ${table} cannot be read`);
    page.push(row.data);
    length += line?.length ?? 0;
    if (page.length < 500 && length < pageLength) continue;
    yield page;
    page = [];
    length = 0;
  }
  if (page.length > 0) yield page;
}

/** Returns the URL of the database to restore into: a SQLite file inside `DATA_DIR` is created in its draft folder. */
function draftUrl({ databaseUrl, dataDir }: Settings, data: string): string {
  const path = databaseUrl.slice('sqlite:'.length);
  if (!databaseUrl.startsWith('sqlite:')) return databaseUrl;
  const below = relative(dataDir, path);
  return below.startsWith('..') || below.startsWith(sep) ? databaseUrl : `sqlite:${join(data, below)}`;
}
