import { linkSync, lstatSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  type FileIdentity,
  identityOf,
  isSameFile,
  makeFolder,
  type Within,
} from '#infrastructure/files/atomic-file.ts';
import { diskGone, errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';
import { syncFolder } from '#infrastructure/files/folder-sync.ts';

/** What came of a move: `taken` when there is another file at the new path, `changed` when the file is not the expected. */
export type Moved = 'moved' | 'taken' | 'changed';

/**
 * Moves a file durably to a path at which none is, keeping its times; makes missing folders. After a crash the file has
 * its old path, its new one, or both; then a second call removes the old one. Throws file system errors.
 */
export async function moveFile(from: string, to: string, expected: FileIdentity, within: Within): Promise<Moved> {
  await makeFolder(dirname(to), within.root);
  if (within.isAway()) throw diskGone();
  if (!isSameFile(identityOf(from), expected)) return 'changed';
  try {
    linkSync(from, to);
  } catch (error) {
    if (isFileAbsent(error)) throw error;
    const isThere = statSync(to, { throwIfNoEntry: false }) !== undefined;
    if (isThere && !isOneFile(from, to)) return 'taken';
    if (!isThere && errorCode(error) === 'EEXIST') return 'taken';
    // One file of two names, or of names that the disk takes for one; or a disk without links.
    renameSync(from, to);
  }
  await syncFolder(dirname(to));
  if (readdirSync(dirname(from)).includes(basename(from))) unlinkSync(from);
  await syncFolder(dirname(from));
  return 'moved';
}

function isOneFile(one: string, other: string): boolean {
  const [first, second] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return first.ino === second.ino && first.dev === second.dev;
}

/** Whether a path is a symbolic link itself. */
export function isSymbolicLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
