import { readdirSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placeOfBuilds } from '#bootstrap/clone/built-program.ts';

/** How long a build that nothing uses any more is kept, in ms. */
const keptMs = 3_600_000;
/** How long it keeps what was compiled: its age counts from when it was written. */
const compiledKeptMs = 24 * keptMs;

/** Removes builds of the clone in `root` that are used no more, and what Node compiled so long ago that it may be of such a build. */
export async function removeUnused(root: string): Promise<void> {
  await removeOlder(placeOfBuilds(root), keptMs);
  for (const folder of [process.env['NODE_COMPILE_CACHE'], join(root, 'node_modules/.cache/compiled')]) {
    if (folder === undefined) continue;
    for (const version of await readdir(folder).catch(() => []))
      await removeOlder(join(folder, version), compiledKeptMs);
  }
}

async function removeOlder(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changed > ageMs && !isUsed(path)) await rm(path, { recursive: true, force: true });
  }
}

/** Whether a process that noted its use of the build still runs. */
function isUsed(folder: string): boolean {
  try {
    return readdirSync(join(folder, 'users')).some((name) => isRunning(Number(name)));
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
