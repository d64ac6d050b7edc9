import { lstatSync, type Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';

/**
 * Where `relative` really is, links followed, or null when that is outside of `root` or a link that leads nowhere.
 * `root` is a real path; `relative` uses forward slashes and has no `..`. What does not exist yet is judged by its nearest
 * existing parent.
 */
export async function realPathInside(root: string, relative: string): Promise<string | null> {
  const plain = plainPathInside(root, relative);
  if (plain !== null) return plain;
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
 * The path where no part of it is a link, judged anew each time by a look at each part; null where one is, or where names may mean other
 * files than they say, as on file systems that know two names for one file.
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
    // What is wrong with it is told by the whole way.
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
