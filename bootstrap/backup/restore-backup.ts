import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { migrations } from '#adapters/persistence/migrations.ts';
import { place } from '#bootstrap/backup/make-backup.ts';
import {
  backupPaths,
  json,
  type Manifest,
  manifestPath,
  manifestSchema,
  rowsPath,
} from '#bootstrap/backup/manifest.ts';
import { restoreDatabase } from '#bootstrap/backup/restore-database.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { codeOf, StartError } from '#bootstrap/start/first-start.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { ArchiveError, readZip, type ZipReader } from '#infrastructure/archive/read-zip.ts';
import { openSnapshot } from '#infrastructure/database/snapshot.ts';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/** The options of a restore; `onProgress` receives progress messages. */
type RestoreOptions = Readonly<{ settings: Settings; onProgress(line: string): void }>;

/** What was restored. */
type Restored = Readonly<{ createdAt: string; version: string; rows: number; notes: number }>;

const maxManifestBytes = 512 * 1024 * 1024;
const maxKeyBytes = 4096;
/** Error codes of a path that no file system, or not this one, can have: a fault of the backup. */
const pathCodes: readonly string[] = [
  'EEXIST',
  'EINVAL',
  'EILSEQ',
  'EISDIR',
  'ENAMETOOLONG',
  'ENOTDIR',
  'ERR_INVALID_ARG_VALUE',
];

/**
 * Restores a backup into an empty `DATA_DIR`, database and vault. The database may be of another kind than the one that
 * was backed up. Files are written to draft folders and everything is verified before these are moved into place, so
 * that an error leaves nothing behind. Throws `StartError` with the problem and the remedy.
 */
export async function restoreBackup(file: string, options: RestoreOptions): Promise<Restored> {
  let zip: ZipReader | null = null;
  try {
    zip = await readZip(file);
    return await restored(zip, options);
  } catch (error) {
    if (error instanceof ArchiveError) {
      const why = printable(error.message);
      throw new StartError(`${file} cannot be restored: ${why}. Use another backup. Nothing was restored.`);
    }
    if (error instanceof StartError || zip !== null) throw error;
    throw new StartError(`${file} cannot be read (${codeOf(error)}).`);
  } finally {
    zip?.close();
  }
}

async function restored(zip: ZipReader, { settings, onProgress }: RestoreOptions): Promise<Restored> {
  const manifest = await manifestOf(zip);
  const { dataDir, vaultDir, templatesDir } = settings;
  await demandEmpty(settings);
  await demandKey(zip, manifest, settings);
  await demandRoom(manifest, dataDir);

  const drafts = new Drafts();
  try {
    const data = await drafts.beside(dataDir);
    const draftOf = async (folder: string): Promise<string> => {
      const path = relative(dataDir, folder);
      return path.startsWith('..') ? await drafts.beside(folder) : join(data, path);
    };
    const folders = { data, vault: await draftOf(vaultDir), templates: await draftOf(templatesDir) };
    let notes = 0;
    for (const entry of manifest.entries) {
      const target = targetOf(entry.path, folders);
      if (target === null) continue;
      await writeEntry(zip, entry, target);
      if (!entry.path.startsWith(backupPaths.notes)) continue;
      notes += 1;
      if (notes % 1000 === 0) onProgress(`vault: ${notes} files`);
    }
    const rows = await restoreDatabase(zip, manifest, { settings, onProgress, data });
    await drafts.putInPlace();
    return { createdAt: manifest.createdAt, version: manifest.version, rows, notes };
  } finally {
    await drafts.remove();
  }
}

/** Text that a terminal shows as it is: of a forged file, anything may stand in it. */
function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Writes a file of the backup; throws `ArchiveError` when there can be no such file. */
async function writeEntry(zip: ZipReader, entry: Manifest['entries'][number], target: string): Promise<void> {
  const mode = entry.path === backupPaths.key ? 0o600 : 0o644;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(await zip.stream(entry), createWriteStream(target, { flags: 'wx', mode, flush: true }));
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    const code = codeOf(error);
    if (pathCodes.includes(code)) throw new ArchiveError(`it has ${entry.path}, which cannot be a file here (${code})`);
    throw new StartError(`${target} cannot be written (${code}). Nothing was restored.`);
  }
}

async function manifestOf(zip: ZipReader): Promise<Manifest> {
  const parsed = json.pipe(manifestSchema).safeParse((await zip.read(manifestPath, maxManifestBytes)).toString());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ArchiveError(`its ${manifestPath} is invalid (${issue?.path.join('.') ?? ''} ${issue?.message ?? ''})`);
  }
  const manifest = parsed.data;
  const later = manifest.migrations.filter((name) => !migrations.some((known) => known.name === name));
  if (later.length > 0)
    throw new ArchiveError(
      `it was made by a later version (${manifest.version}), which this version cannot read; install that version`,
    );
  const named = new Set(manifest.entries.map(({ path }) => path));
  const unnamed = zip.paths.find((path) => path !== manifestPath && !named.has(path));
  if (unnamed !== undefined) throw new ArchiveError(`it has ${unnamed}, which its ${manifestPath} does not name`);
  const foreign = manifest.entries.find(({ path }) => !isOurs(path, manifest));
  if (foreign !== undefined) throw new ArchiveError(`it contains ${foreign.path}, which is not part of a backup`);
  return manifest;
}

function isOurs(path: string, { tables }: Manifest): boolean {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..') || path.includes('\\')) return false;
  if (path === backupPaths.key || path.startsWith(backupPaths.notes) || path.startsWith(backupPaths.templates))
    return true;
  return tables.some((table) => rowsPath(table) === path);
}

type Folders = Readonly<{ data: string; vault: string; templates: string }>;

function targetOf(path: string, { data, vault, templates }: Folders): string | null {
  if (path.startsWith(backupPaths.notes)) return join(vault, path.slice(backupPaths.notes.length));
  if (path.startsWith(backupPaths.templates)) return join(templates, path.slice(backupPaths.templates.length));
  return path === backupPaths.key ? join(data, path) : null;
}

/** Throws unless the target folders and the database are empty: nothing is overwritten. */
async function demandEmpty(settings: Settings): Promise<void> {
  for (const [name, folder] of [
    ['DATA_DIR', settings.dataDir],
    ['VAULT_DIR', settings.vaultDir],
    ['TEMPLATES_DIR', settings.templatesDir],
  ] as const) {
    const found = await readdir(folder).catch((error: unknown) => {
      if (isFileAbsent(error)) return [];
      throw new StartError(`${name}: ${folder} cannot be read (${codeOf(error)}).`);
    });
    if (found.length > 0)
      throw new StartError(
        `${name}: ${folder} is not empty. A backup is restored into an empty folder; move this one away.`,
      );
  }
  const snapshot = await openSnapshot(settings.databaseUrl);
  if (snapshot === null) return;
  try {
    for (const table of snapshot.tables) {
      for await (const _ of snapshot.rows(table)) {
        throw new StartError(
          `DATABASE_URL: ${place(settings)} is not empty. A backup is restored into an empty database.`,
        );
      }
    }
  } finally {
    await snapshot.close();
  }
}

/** Throws unless the key in the backup, or the one in the settings, decrypts the backup's secrets. */
async function demandKey(zip: ZipReader, { keyId }: Manifest, { SECRET_KEY_BASE: given }: Settings): Promise<void> {
  const isInside = zip.paths.includes(backupPaths.key);
  const secret = given ?? (isInside ? (await zip.read(backupPaths.key, maxKeyBytes)).toString().trim() : null);
  if (secret === null) {
    throw new StartError(
      'SECRET_KEY_BASE: the backup contains no key. Set the key of its server: encrypted values cannot be read without it.',
    );
  }
  if (boxFor('tokens', [secret]).keyId === keyId) return;
  throw new StartError(
    `SECRET_KEY_BASE is not the key of this backup, and what is sealed in it would not open. ${isInside ? 'Leave it away: the backup has its key in it.' : 'Set the one that its server had.'}`,
  );
}

async function demandRoom({ entries }: Manifest, dataDir: string): Promise<void> {
  const needed = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const parent = await firstFolder(dataDir);
  const { bavail, bsize } = await statfs(parent);
  if (needed <= bavail * bsize) return;
  throw new StartError(`The backup needs ${needed} bytes, and ${parent} has room for ${bavail * bsize}.`);
}

async function firstFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const isThere = await readdir(folder).then(
      () => true,
      () => false,
    );
    if (isThere || folder === dirname(folder)) return folder;
  }
}

/** Draft folders, created beside their targets and moved into place at the end. */
class Drafts {
  readonly #drafts: { draft: string; target: string }[] = [];

  async beside(target: string): Promise<string> {
    await mkdir(dirname(target), { recursive: true });
    const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-restoring-`));
    this.#drafts.push({ draft, target });
    return draft;
  }

  async putInPlace(): Promise<void> {
    for (const { draft, target } of this.#drafts) {
      // `demandEmpty` has checked that the folder is empty.
      const found = await stat(target).catch(() => null);
      if (found !== null) {
        await chmod(draft, found.mode & 0o777);
        await rmdir(target);
      }
      await rename(draft, target);
    }
  }

  async remove(): Promise<void> {
    for (const { draft } of this.#drafts) await rm(draft, { recursive: true, force: true });
  }
}
