import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command of a package that is fetched when a test needs it: the file that Node runs, or why it cannot be had here. */
export type FetchedCommand = Readonly<{ file: string; reason: null }> | Readonly<{ file: null; reason: string }>;

const maxFetchMs = 120_000;

/**
 * Fetches a package by its exact version into the cache that npx keeps, unless it is there. It is done with the caller's own home
 * and npm settings; the command itself can then be run in another.
 */
export async function fetchedCommand(spec: string, name: string): Promise<FetchedCommand> {
  const kept = await run(spec, name, ['--offline']);
  const { file, said } = kept.file === null ? await run(spec, name, ['--fetch-retries=1']) : kept;
  return file === null ? { file, reason: `${spec} cannot be fetched: ${faultIn(said)}` } : { file, reason: null };
}

/** Says once on standard error why tests are skipped. */
export function reportSkipped({ reason }: FetchedCommand): void {
  if (reason !== null) process.stderr.write(`Skipped: ${reason}\n`);
}

type Run = Readonly<{ file: string | null; said: string }>;

/** Has npx make the package ready, and looks for the command in the folders that it puts in front. */
function run(spec: string, name: string, options: readonly string[]): Promise<Run> {
  const args = [...options, '--yes', '--package', spec, '--', 'node', '-p', 'process.env.PATH'];
  return new Promise((resolve) => {
    execFile('npx', args, { timeout: maxFetchMs }, (error, stdout, stderr) => {
      const folders = error === null ? stdout.trim().split(delimiter) : [];
      const file = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
      const said = `${stderr}\n${error?.message ?? ''}`;
      resolve({ file: file === undefined ? null : realpathSync(file), said });
    });
  });
}

/** The first words that npm says of a fault. */
function faultIn(said: string): string {
  const lines = [...said.matchAll(/^npm error (?!A complete log)(.+)$/gm)].map(([, line = '']) => line);
  return (lines.length > 0 ? lines.slice(0, 3).join('; ') : said.trim()).slice(0, 300);
}
