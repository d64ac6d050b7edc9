import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { codeOf, StartError } from '#bootstrap/first-start.ts';

/** The fact that names the folder of notes that belongs to a database: the id in the folder's marker. */
export const vaultFact = 'vault_folder';

/** Where a folder of notes stores its id; notes apps hide a folder whose name starts with a dot. */
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

/** The error codes of file systems without hard links: there the last of two processes wins, and the first learns so from the database. */
const noLinks: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'];

/** How a folder of notes relates to a database: `unclaimed` while the database has never had one. */
export type FolderMatch = 'same' | 'unclaimed' | 'other' | 'unmarked';

/** Compares the id in the database with the one in the folder; null is none. */
export function matchFolder(databaseId: string | null, markerId: string | null): FolderMatch {
  if (databaseId === null) return 'unclaimed';
  if (markerId === null) return 'unmarked';
  return databaseId === markerId ? 'same' : 'other';
}

/**
 * Checks that the folder is the one whose notes the database knows, and throws a `StartError` with the setting to correct
 * otherwise: a disk that is not mounted, or a mistyped setting, must not begin a second vault beside the first. A database
 * that has had no vault yet takes the folder as it is, created when missing, and marks it. The marker is written first:
 * after an interruption between the two, the next start continues from it.
 */
export async function claimVaultFolder(folder: string, facts: ServerFacts): Promise<void> {
  const known = await facts.find(vaultFact);
  const found = await readMarker(folder);
  const match = matchFolder(known, found);
  if (match === 'same') return;
  if (match !== 'unclaimed') throw new StartError(mismatchText(folder, match, known ?? ''));
  const id = found ?? (await placeMarker(folder, randomUUID()));
  const kept = await facts.keepFirst(vaultFact, id);
  if (kept !== id) throw new StartError(mismatchText(folder, 'other', kept));
}

/** The message for a folder that is not the database's, with the remedy. */
export function mismatchText(folder: string, match: 'other' | 'unmarked', id: string): string {
  const why =
    match === 'other'
      ? `its ${markerPath} names another one`
      : `it has no ${markerPath}; perhaps its disk is not there, or it was moved`;
  return (
    `VAULT_DIR: ${folder} is not the folder that this database keeps its notes in: ${why}. Set VAULT_DIR to the folder with the ` +
    `notes, or DATABASE_URL to the database of this folder. To keep the notes here from now on, put {"id":"${id}"} into ${join(folder, markerPath)}.`
  );
}

/** The id in the folder's marker; null when it has none. */
export async function readMarker(folder: string): Promise<string | null> {
  const file = join(folder, markerPath);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    throw new StartError(
      `VAULT_DIR: ${file} cannot be read (${code}). Name a folder that this user can read and write.`,
    );
  });
  if (text === null) return null;
  const marker = markerSchema.safeParse(text);
  if (marker.success) return marker.data.id;
  throw new StartError(`VAULT_DIR: ${file} is damaged. Restore it from a backup of the folder.`);
}

/** Writes the marker where none is, and returns the id in it: of two processes, one is first. */
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
    throw new StartError(`VAULT_DIR: ${folder} cannot be written (${code}). Name a folder that this user can write.`);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
