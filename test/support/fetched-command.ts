import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command of a package that is fetched when a test needs it: the file that Node runs, or why it cannot be had here. */
export type FetchedCommand = Readonly<{ file: string; reason: null }> | Readonly<{ file: null; reason: string }>;

const longestFetchMs = 120_000;

/**
 * Fetches a package by its exact version into the cache that npx keeps. It is done with the caller's own home and npm settings;
 * the command itself can then be run in another.
 */
export async function fetchedCommand(spec: string, name: string): Promise<FetchedCommand> {
  const args = ['--yes', '--package', spec, '--', 'node', '-p', 'process.env.PATH'];
  const { path, said } = await run(args);
  const folder = path.split(delimiter).find((candidate) => existsSync(join(candidate, name)));
  if (folder === undefined) return { file: null, reason: `${spec} cannot be fetched: ${said.trim().slice(-300)}` };
  return { file: realpathSync(join(folder, name)), reason: null };
}

/** Says once on standard error why tests are skipped. */
export function tellSkipped({ reason }: FetchedCommand): void {
  if (reason !== null) process.stderr.write(`Skipped: ${reason}\n`);
}

function run(args: readonly string[]): Promise<Readonly<{ path: string; said: string }>> {
  return new Promise((resolve) => {
    execFile('npx', args, { timeout: longestFetchMs }, (error, stdout, stderr) => {
      resolve({ path: error === null ? stdout.trim() : '', said: `${stderr}${error?.message ?? ''}` });
    });
  });
}
