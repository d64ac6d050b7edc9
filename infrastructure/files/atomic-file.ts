import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const temporaryName = /^\.~[\w-]{16}\.tmp$/;

/** Whether a file name is one that `writeFileAtomically` gives to unfinished files. */
export const isTemporaryName = (name: string): boolean => temporaryName.test(name);

/**
 * Writes the whole file so that a reader, or a crash at any point, finds the old or the new content and never a part:
 * temporary file in the same folder, fsync, rename, fsync of the folder. Missing folders are made; the mode of a file
 * that was there stays. Throws the file system's error (ENOSPC and the like) with the old file intact.
 */
export async function writeFileAtomically(path: string, content: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = join(folder, `.~${randomBytes(12).toString('base64url')}.tmp`);
  try {
    await writeSynced(temporary, content, await modeOf(path));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Removes the file for good; throws ENOENT when there is none. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, content: Uint8Array, mode: number | null): Promise<void> {
  const file = await open(path, 'wx');
  try {
    if (mode !== null) await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function modeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.mode & 0o777 : null;
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for fsync, and journals renames itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
