import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildTestedPrograms } from '#test/tools/build/tested-programs.ts';

/** Below node_modules, where the programs find the packages. */
const place = resolve('node_modules/.cache/built-programs');

/** What the programs are made of. */
const sources = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap', 'test/tools/build'];
const others = ['package.json', 'package-lock.json'];

/** How long a build that nothing uses any more is kept, in ms. */
const keptMs = 3_600_000;
/** How long it keeps what was compiled: its age counts from when it was written. */
const compiledKeptMs = 24 * keptMs;

/**
 * The file that runs a program of the sources, `bootstrap/main.ts`, in half the processor time: it is put together with what it imports,
 * once for each state of the sources, by whichever test comes first. What it prints is what the sources print.
 */
export async function testedProgram(source: string): Promise<string> {
  const folder = join(place, stateOfSources());
  if (!existsSync(folder)) await buildOnce(folder);
  await utimes(folder, new Date(), new Date());
  return join(folder, source.replace(/\.ts$/, '.mjs'));
}

/** The address by which a file that such a program loads imports one of its modules, that it is not loaded from its source besides. */
export async function testedModule(source: string): Promise<string> {
  return pathToFileURL(await testedProgram(source)).href;
}

/** Tells two states of the sources apart: the system notes a new time of change with whatever is written, moved or linked. */
function stateOfSources(): string {
  const files = sources.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  const hash = createHash('sha256');
  for (const path of [...files, ...others].sort()) {
    const { size, ino, ctimeNs } = statSync(path, { bigint: true });
    hash.update(`${path} ${size} ${ino} ${ctimeNs}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

/** Builds the folder unless another process does: then waits for it. */
async function buildOnce(folder: string): Promise<void> {
  await mkdir(place, { recursive: true });
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (await isTaken(lock)) {
      await sleep(50);
      continue;
    }
    const draft = `${folder}.${process.pid}`;
    try {
      await buildTestedPrograms(draft);
      await rename(draft, folder);
      await removeUnused();
    } finally {
      await rm(lock, { force: true });
    }
  }
}

/** Whether another process holds the lock; otherwise this one does from now on. The lock of a process that has ended is removed. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return false;
  } catch {
    if (!isHeld(lock)) await rm(lock, { force: true });
    return true;
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

/** Removes builds that are used no more, and what Node compiled so long ago that it may be of such a build. */
async function removeUnused(): Promise<void> {
  await removeOlder(place, keptMs);
  const compiled = process.env['NODE_COMPILE_CACHE'];
  if (compiled === undefined || !existsSync(compiled)) return;
  for (const version of await readdir(compiled)) await removeOlder(join(compiled, version), compiledKeptMs);
}

async function removeOlder(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changed > ageMs) await rm(path, { recursive: true, force: true });
  }
}
