import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { codeOf, StartError } from '#bootstrap/start/first-start.ts';

/** The name of the fact that stores the id of the database's notes folder, found in the folder's marker. */
export const vaultFact = 'vault_folder';

/** The path of a notes folder's marker; notes apps hide folders whose name starts with a dot. */
export const markerPath = join('.portolan', 'vault.json');

const markerSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.object({ id: z.string().min(1) }));

/**
 * Error codes of file systems without hard links: there the last of two processes wins, and the first detects it by the
 * id in the database.
 */
const noLinks: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'];

/** How a notes folder relates to a database; `unclaimed` when the database has no folder yet. */
type FolderMatch = 'same' | 'unclaimed' | 'other' | 'unmarked';

/** Compares the id in the database with the one in the folder; null means none. */
export function matchFolder(databaseId: string | null, markerId: string | null): FolderMatch {
  if (databaseId === null) return 'unclaimed';
  if (markerId === null) return 'unmarked';
  return databaseId === markerId ? 'same' : 'other';
}

/**
 * Verifies that the folder is the one that the database knows and throws a `StartError` with the remedy otherwise: an
 * unmounted disk or a mistyped setting must not start a second vault. A database without a folder claims this one,
 * creating and marking it if necessary. The marker is written before the database, so that the next start continues
 * after an interruption. Returns the folder's id.
 */
export async function claimVaultFolder(folder: string, facts: ServerFacts): Promise<string> {
  const known = await facts.find(vaultFact);
  const found = await readMarker(folder);
  const match = matchFolder(known, found);
  if (match === 'other' || match === 'unmarked') throw new StartError(mismatchText(folder, match, known ?? ''));
  const id = found ?? (await placeMarker(folder, randomUUID()));
  if (match === 'same') return id;
  const kept = await facts.keepFirst(vaultFact, id);
  if (kept !== id) throw new StartError(mismatchText(folder, 'other', kept));
  return id;
}

/** Returns the message for a folder that does not belong to the database, with the remedy. */
function mismatchText(folder: string, match: 'other' | 'unmarked', id: string): string {
  const why =
    match === 'other'
      ? `its ${markerPath} names another database`
      : `it has no ${markerPath}; perhaps its disk is not mounted, or it was moved`;
  return (
    `VAULT_DIR: ${folder} is not the notes folder of this database: ${why}. Set VAULT_DIR to the folder with the ` +
    `notes, or DATABASE_URL to the database of this folder. To keep the notes here from now on, put {"id":"${id}"} into ${join(folder, markerPath)}.`
  );
}

/** Returns the id in the folder's marker; null when there is none. */
export async function readMarker(folder: string): Promise<string | null> {
  const file = join(folder, markerPath);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    throw new StartError(
      `VAULT_DIR: ${file} cannot be read (${code}). Choose a folder that this user can read and write.`,
    );
  });
  if (text === null) return null;
  const id = idIn(text);
  if (id !== null) return id;
  throw new StartError(`VAULT_DIR: ${file} is damaged. Restore it from a backup of the folder.`);
}

/** Returns the id in the text of a marker; null when it is damaged. */
export function idIn(text: string): string | null {
  return markerSchema.safeParse(text).data?.id ?? null;
}

/** Creates the marker and returns its id; if another process created it first, returns that one's. */
async function placeMarker(folder: string, id: string): Promise<string> {
  const file = join(folder, markerPath);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, `${JSON.stringify({ id })}\n`, { flush: true });
    await link(draft, file).catch((error: unknown) => {
      if (!noLinks.includes(codeOf(error))) throw error;
      return rename(draft, file);
    });
    return id;
  } catch (error) {
    const code = codeOf(error);
    const placed = code === 'EEXIST' ? await readMarker(folder) : null;
    if (placed !== null) return placed;
    throw new StartError(`VAULT_DIR: ${folder} cannot be written (${code}). Choose a folder that this user can write.`);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
