import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildTestedPrograms } from '#test/support/server/tested-programs.ts';

/**
 * The file that runs a program of the sources, `bootstrap/main.ts`, in half the processor time: it is put together with what it imports,
 * once in a run, by whichever test comes first. What it prints is what the sources print.
 */
export async function testedProgram(source: string): Promise<string> {
  made ??= make();
  return join(await made, source.replace(/\.ts$/, '.mjs'));
}

/** The address by which a file that such a program loads imports one of its modules, that it is not loaded from its source besides. */
export async function testedModule(source: string): Promise<string> {
  return pathToFileURL(await testedProgram(source)).href;
}

const setting = 'TESTED_PROGRAMS';
let made: Promise<string> | null = null;

/** Makes the folder for the programs of a run of tests, before it; returns how to remove it. vitest calls both. */
export default async function shareTestedPrograms(): Promise<() => Promise<void>> {
  const folder = await emptyFolder();
  process.env[setting] = folder;
  return () => rm(folder, { recursive: true });
}

/** The folder of the programs, when they are there: the folder of the run, or else one that this process removes at its end. */
async function make(): Promise<string> {
  const shared = process.env[setting];
  const folder = shared ?? (await emptyFolder());
  if (shared === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  while (!existsSync(join(folder, 'built'))) await build(folder);
  return folder;
}

/** Builds the programs, unless another process does; then it waits a moment. */
async function build(folder: string): Promise<void> {
  const lock = join(folder, 'building');
  const isOurs = await mkdir(lock).then(
    () => true,
    () => false,
  );
  if (!isOurs) return delay(50);
  try {
    await buildTestedPrograms(folder);
    await mkdir(join(folder, 'built'));
  } finally {
    await rm(lock, { recursive: true });
  }
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-programs-'));
  // The programs find the packages as the sources do.
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}
