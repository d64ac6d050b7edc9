import { createHash, randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fsync,
  linkSync,
  open,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, sep } from 'node:path';
import { promisify } from 'node:util';
import { diskGone, errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';
import { syncFolder } from '#infrastructure/files/folder-sync.ts';

const temporaryName = /^\.~(?:(?<machine>[0-9a-f]{8})\.(?<pid>[0-9a-z]{1,7})\.(?<run>[\w-]{8})\.)?[\w-]{16}\.tmp$/;

/** This machine's part of temporary file names: process ids of other machines mean nothing here. */
const thisMachine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Identifies this run of the program: in a container, the next one commonly has the same process id. */
const thisRun = randomBytes(6).toString('base64url');

const ofThisRun = `.~${thisMachine}.${process.pid.toString(36)}.${thisRun}`;
let named = 0;

/** Returns a unique name for a temporary file, with the machine, process and run that write it. */
export function temporaryNameOf(): string {
  named += 1;
  return `${ofThisRun}.${named.toString(36).padStart(16, '0')}.tmp`;
}

/** Whether a file name is that of a temporary file of `writeFileAtomically`. */
export const isTemporaryName = (name: string): boolean => temporaryName.test(name);

/** Whether the process that writes a temporary file has ended, is running, or is on another machine. */
type WriterState = 'ended' | 'running' | 'elsewhere';

/** Returns the state of a temporary file's writer, from the file's name. */
export function writerOf(name: string): WriterState {
  const { machine, pid, run } = temporaryName.exec(name)?.groups ?? {};
  if (machine !== thisMachine || pid === undefined) return 'elsewhere';
  const id = Number.parseInt(pid, 36);
  const isRun = id === process.pid ? run === thisRun : isRunning(id);
  return isRun ? 'running' : 'ended';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/**
 * Identifies a version of a file: it differs between files, and changes with the file. `mode` is not compared, since
 * changing it changes `ctimeNs`.
 */
export type FileIdentity = Readonly<{ ino: bigint; mtimeNs: bigint; ctimeNs: bigint; size: bigint; mode: bigint }>;

/** Returns the file's identity; null when it does not exist. */
export function identityOf(path: string): FileIdentity | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : toIdentity(found);
}

/** Extracts the identity from a file's status. */
export const toIdentity = ({ ino, mtimeNs, ctimeNs, size, mode }: BigIntStats): FileIdentity => ({
  ino,
  mtimeNs,
  ctimeNs,
  size,
  mode,
});

/** Whether two identities are of the same unchanged file; null stands for no file. */
export function isSameFile(one: FileIdentity | null, other: FileIdentity | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs && one.size === other.size
  );
}

/** The folder that a file is written within; `isAway` tells that it is not the one that was opened. */
export type Within = Readonly<{ root: string; isAway(): boolean }>;

/**
 * Writes a file atomically and durably: after a crash at any point the file has its old or its new content, never a
 * part. Writes a temporary file in the same folder, fsyncs it, renames it and fsyncs the folder. Creates missing
 * folders below the root of `within`, and none without it; keeps the mode of an existing file. With `expected`, writes
 * only if the file still has that identity (null: if it does not exist) and returns null otherwise. Returns the identity of
 * what was written. Throws file system errors (such as ENOSPC) with the old file intact. What took the place of the root
 * is left as it is: ENODEV.
 */
export async function writeFileAtomically(
  path: string,
  content: Uint8Array,
  expected?: FileIdentity | null,
  within: Within | null = null,
): Promise<FileIdentity | null> {
  const folder = dirname(path);
  const temporary = folder + sep + temporaryNameOf();
  let written: FileIdentity | null;
  try {
    const mode = expected === undefined ? modeOf(path) : permissionsIn(expected?.mode);
    await writeSynced(temporary, content, mode, within?.root ?? null);
    if (within?.isAway() === true) throw diskGone();
    if (expected === undefined) renameSync(temporary, path);
    else if (!replace(temporary, path, expected)) {
      await rm(temporary, { force: true });
      return null;
    }
    // In the same turn: once the folder is synced, it may be a file that an editor has put in its place.
    written = identityOf(path);
  } catch (error) {
    if (within?.isAway() !== true) await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
  return written;
}

/**
 * Renames the file into place unless the existing one differs from the expected. The check and the rename are two
 * adjacent system calls, microseconds apart, since there is no conditional rename. A new file never replaces an
 * existing one.
 */
function replace(temporary: string, path: string, expected: FileIdentity | null): boolean {
  if (!isSameFile(identityOf(path), expected)) return false;
  if (expected !== null) {
    renameSync(temporary, path);
    return true;
  }
  try {
    linkSync(temporary, path);
    rmSync(temporary);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (isFileAbsent(error)) throw error;
    // The file system does not support links: only the check above protects.
    renameSync(temporary, path);
    return true;
  }
}

/**
 * Removes the file durably; with `expected`, only if it still has that identity, and returns false otherwise. Throws
 * ENOENT when it does not exist.
 */
export async function removeFile(path: string, expected?: FileIdentity): Promise<boolean> {
  if (expected === undefined) await unlink(path);
  else if (isSameFile(identityOf(path), expected)) unlinkSync(path);
  else return false;
  await syncFolder(dirname(path));
  return true;
}

/** The maximum size, in bytes, that is written synchronously to the page cache; the fsync runs in a thread. */
const maxWithinLoop = 128 * 1024;

const [openInThread, syncInThread, writeInThread] = [promisify(open), promisify(fsync), promisify(writeFile)];

async function writeSynced(path: string, content: Uint8Array, mode: number | null, root: string | null): Promise<void> {
  const file = await openNew(path, root);
  try {
    if (mode !== null) fchmodSync(file, mode);
    if (content.length <= maxWithinLoop) writeFileSync(file, content);
    else await writeInThread(file, content);
    await syncInThread(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates a file, and its missing folders below `root`; returns the descriptor. In a thread, since a file system that is
 * writing its journal lets whoever creates a file wait.
 */
async function openNew(path: string, root: string | null): Promise<number> {
  try {
    return await openInThread(path, 'wx');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || root === null) throw error;
    await makeFolder(dirname(path), root);
    return openInThread(path, 'wx');
  }
}

function modeOf(path: string): number | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? permissionsIn(found.mode) : null;
}

const permissionsIn = (mode: bigint | undefined): number | null => (mode === undefined ? null : Number(mode & 0o777n));

/** Creates the folder and those above it, durably, down from `root`, which is not made when it is missing. */
export async function makeFolder(folder: string, root: string): Promise<void> {
  if (folder === root || !folder.startsWith(root)) return;
  const above = dirname(folder);
  await makeFolder(above, root);
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    throw error;
  }
  await syncFolder(above);
}
