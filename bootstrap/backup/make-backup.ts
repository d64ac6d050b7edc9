import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { contentOf, filesBelow, jsonLines } from '#bootstrap/backup/folder-files.ts';
import { backupPaths, type Manifest, manifestPath, rowsPath } from '#bootstrap/backup/manifest.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { codeOf, openSecrets, StartError } from '#bootstrap/start/first-start.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { version } from '#bootstrap/version.ts';
import { writeZip, type ZipWriter } from '#infrastructure/archive/write-zip.ts';
import { openSnapshot, type Snapshot } from '#infrastructure/database/snapshot.ts';

/** The options of a backup; `onProgress` receives progress messages. */
type BackupOptions = Readonly<{
  settings: Settings;
  /** Whether to leave out the key, which is then needed to restore. */
  withoutKey: boolean;
  onProgress(line: string): void;
  now: Date;
}>;

/** The contents of a backup that was written. */
type MadeBackup = Readonly<{ tables: number; notes: number; hasKey: boolean }>;

/**
 * Writes the database, the vault's notes, the templates and the key to one file, even while servers are running. The
 * notes are read after the database snapshot: the effects of all deliveries that are done in the snapshot are in the
 * notes, and all others are processed again after a restore, which is idempotent. Throws `StartError` with the remedy.
 */
export async function makeBackup(file: string, options: BackupOptions): Promise<MadeBackup> {
  const { settings } = options;
  const snapshot = await openSnapshot(settings.databaseUrl);
  if (snapshot === null) {
    throw new StartError(
      `There is nothing to back up: the database (${place(settings)}) was never used. Set DATA_DIR or DATABASE_URL.`,
    );
  }
  let made: MadeBackup | null = null;
  try {
    await writeZip(file, async (zip) => {
      made = await fill(zip, snapshot, options);
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = codeOf(error);
    throw new StartError(
      code === 'EEXIST'
        ? `${file} exists. Name a file that does not.`
        : `The backup could not be written to ${file} (${code}). Nothing was left there.`,
    );
  } finally {
    await snapshot.close();
  }
  if (made === null) throw new Error('The archive was not filled.');
  return made;
}

async function fill(
  zip: ZipWriter,
  snapshot: Snapshot,
  { settings, withoutKey, onProgress, now }: BackupOptions,
): Promise<MadeBackup> {
  const secrets = await openSecrets(settings);
  for (const table of snapshot.tables) {
    onProgress(`database: ${table}`);
    await zip.addStream(rowsPath(table), () => Readable.from(jsonLines(snapshot.rows(table))));
  }
  const notes =
    settings.VAULT_URL === undefined ? await addFolder(zip, settings.vaultDir, backupPaths.notes, onProgress) : 0;
  await addFolder(zip, settings.templatesDir, backupPaths.templates, () => undefined);
  // A key from the settings is not part of the backup.
  const hasKey = !withoutKey && settings.SECRET_KEY_BASE === undefined;
  if (hasKey) await zip.add(backupPaths.key, `${secrets[0]}\n`);
  const manifest: Manifest = {
    format: 1,
    version,
    createdAt: now.toISOString(),
    keyId: boxFor('tokens', secrets).keyId,
    migrations: [...snapshot.migrations],
    tables: [...snapshot.tables],
    lastIds: { ...snapshot.lastIds },
    entries: [...zip.entries],
  };
  await zip.add(manifestPath, `${JSON.stringify(manifest)}\n`);
  return { tables: snapshot.tables.length, notes, hasKey };
}

async function addFolder(
  zip: ZipWriter,
  folder: string,
  prefix: string,
  onProgress: (line: string) => void,
): Promise<number> {
  let count = 0;
  if (!existsSync(folder)) return count;
  for await (const { path, open } of filesBelow(folder)) {
    const file = await open();
    if (file === null) continue;
    await zip.addStream(`${prefix}${path}`, () => contentOf(file));
    count += 1;
    if (count % 1000 === 0) onProgress(`vault: ${count} files`);
  }
  return count;
}

/** Returns the location of the database, without credentials. */
export function place({ databaseUrl }: Settings): string {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl.slice('sqlite:'.length);
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
