import { lstatSync, type Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';

/**
 * Resolves `relative` to its real path, following links; null when that is outside `root` or a broken link. `root` is a
 * real path; `relative` uses forward slashes and has no `..`. A path that does not exist yet is resolved from its
 * nearest existing parent.
 */
export function realPathInside(root: string, relative: string): string | Promise<string | null> {
  return plainPathInside(root, relative) ?? linkedPathInside(root, relative);
}

async function linkedPathInside(root: string, relative: string): Promise<string | null> {
  const missing: string[] = [];
  let existing = join(root, ...relative.split('/'));
  let real = await realPathOrNull(existing);
  while (real === null) {
    if (existing === root) return join(root, ...missing);
    if (await isLink(existing)) return null;
    missing.unshift(basename(existing));
    existing = dirname(existing);
    real = await realPathOrNull(existing);
  }
  const full = join(real, ...missing);
  return full === root || full.startsWith(root + sep) ? full : null;
}

/**
 * Resolves the path synchronously by checking each segment; null when a segment is a link, or off Linux, where file
 * systems may have several names for one file.
 */
function plainPathInside(root: string, relative: string): string | null {
  if (process.platform !== 'linux') return null;
  let place = root;
  for (const name of relative.split('/')) {
    place = place === sep ? sep + name : place + sep + name;
    const found = lookOrNull(place);
    if (found === 'absent') return join(root, relative);
    if (found === null || found.isSymbolicLink()) return null;
  }
  return join(root, relative);
}

function lookOrNull(place: string): Stats | 'absent' | null {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) ?? 'absent';
  } catch {
    // The full resolution reports the error.
    return null;
  }
}

async function realPathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isFileAbsent(error) || errorCode(error) === 'ELOOP') return null;
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isFileAbsent(error)) return false;
    throw error;
  }
}
