import { lstatSync, type Stats } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { readOpened } from '#adapters/vault-folder/notes/read-opened.ts';
import { placeOf, type SpelledFolder } from '#adapters/vault-folder/notes/spellings.ts';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';

/**
 * Stats an entry below the root without following symlinks; null when there is none. Synchronous, since that takes less
 * time than handing the work to a thread.
 */
export function lookAt(folder: SpelledFolder, path: string): Stats | null {
  try {
    return lstatSync(placeOf(folder, path), { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isFileAbsent(error)) return null;
    throw error;
  }
}

/** The paths of a folder's listed entries; empty when the folder is gone or cannot be read. */
export async function entriesOf(root: SpelledFolder, folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(placeOf(root, folder));
    const listed = names.filter((name) => !name.startsWith('.') && !name.includes('\\'));
    return listed.map((name) => root.spellings.heard(folder === '' ? name : `${folder}/${name}`));
  } catch (error) {
    if (isFileAbsent(error) || errorCode(error) === 'EACCES') return [];
    throw error;
  }
}

/**
 * Reads a text file; null when it is gone, is a folder or cannot be read. One of which the size is given has just been
 * written, and is read within the loop if it is small.
 */
export async function readText(
  folder: SpelledFolder,
  path: string,
  size: number | null = null,
): Promise<string | null> {
  const place = placeOf(folder, path);
  try {
    if (size === null) return await readFile(place, 'utf8');
    return (await readOpened(place, (file) => file.read(size))).toString();
  } catch (error) {
    if (isFileAbsent(error) || errorCode(error) === 'EISDIR' || errorCode(error) === 'EACCES') return null;
    throw error;
  }
}
