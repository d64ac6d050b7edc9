import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';

let made: Promise<Buffer> | null = null;

/**
 * Writes a SQLite file with all tables and no rows, as a first start makes it, unless there is a file: at a third of the processor time,
 * since the tables are made once a process.
 */
export async function writeEmptySqlite(path: string): Promise<void> {
  made ??= make();
  await writeFile(path, await made, { mode: 0o600, flag: 'wx' }).catch(orThere);
}

async function make(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-empty-'));
  const path = join(folder, 'empty.sqlite');
  const database = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
  await database.close();
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}

function orThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
