import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOfBuilds } from '#bootstrap/clone/built-program.ts';
import { stateOfSources } from '#bootstrap/clone/state-of-sources.ts';
import { buildClonePrograms } from '#test/tools/build/clone-programs.ts';
import { removeUnused } from '#test/tools/build/remove-unused.ts';

/** Writes the programs of a clone into a folder. */
export type Builder = (folder: string) => Promise<void>;

/** Whether a build that another process is making is waited for, and what makes one. */
export type BuildOptions = Readonly<{ waits: boolean; build?: Builder }>;

/**
 * Builds the programs of the clone in `root` for the state that its sources have, unless another process does or has; the folder of the build.
 * It is there as a whole or not at all: it gets its name when all is on the disk, and only when no source was changed meanwhile.
 */
export async function buildClone(
  root: string,
  { waits, build = buildClonePrograms }: BuildOptions,
): Promise<string | null> {
  const place = placeOfBuilds(root);
  await mkdir(place, { recursive: true });
  for (;;) {
    const state = stateOfSources(root);
    const folder = join(place, state);
    if (existsSync(folder)) return folder;
    if (await isTaken(`${folder}.lock`)) {
      if (!waits) return null;
      await sleep(50);
      continue;
    }
    const draft = `${folder}.${process.pid}`;
    try {
      await build(draft);
      await sync(draft);
      if (stateOfSources(root) === state) await keep(draft, folder);
      await removeUnused(root);
    } finally {
      await rm(draft, { recursive: true, force: true });
      await rm(`${folder}.lock`, { force: true });
    }
    if (!waits) return existsSync(folder) ? folder : null;
  }
}

/** Gives the draft its name, unless another process was sooner. */
async function keep(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/** Whether another process holds the lock; otherwise this one does from now on. The lock of a process that has ended is removed. */
async function isTaken(lock: string): Promise<boolean> {
  for (;;) {
    try {
      const file = await open(lock, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return false;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (isHeld(lock)) return true;
      await rm(lock, { force: true });
    }
  }
}

function isHeld(lock: string): boolean {
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    // The owner's number is yet to be written.
    if (owner === 0) return true;
    process.kill(owner, 0);
    return true;
  } catch {
    return false;
  }
}

/** Has the system write all files below the folder to the disk. */
async function sync(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name), 'r+');
    await file.sync();
    await file.close();
  }
}
