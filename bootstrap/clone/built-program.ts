import { existsSync, readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stateOfSources } from '#bootstrap/clone/state-of-sources.ts';
import { configFileNames } from '#bootstrap/config/config-files.ts';

/**
 * The file that runs a program of a clone: in the build in `folder`, or in the sources when that is null. `isToBuild`
 * when a build should be made.
 */
export type ProgramToRun = Readonly<{ file: string; folder: string | null; isToBuild: boolean }>;

const asIs = (file: string): ProgramToRun => ({ file, folder: null, isToBuild: false });

/** Matches the programs that are built. */
const programs = /^bootstrap\/(?:main|stdio|cli\/[\w-]+)\.ts$/;

/** Returns the folder of the builds, which is inside node_modules so that the programs find the packages. */
export function placeOfBuilds(root: string): string {
  return join(root, 'node_modules/.cache/built-programs');
}

/**
 * Chooses the file that runs a program (such as `bootstrap/main.ts`) of the clone in `root`: the build of exactly these
 * sources if there is one, else the program itself. The sources also run with `PORTOLAN_RUN_SOURCES=1`, and with a
 * configuration, since that imports modules of the sources, which the build would duplicate.
 */
export async function programToRun(
  root: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramToRun> {
  const source = relative(root, file).replaceAll('\\', '/');
  if (!programs.test(source) || env['PORTOLAN_RUN_SOURCES'] === '1' || hasConfig(env)) return asIs(file);
  try {
    const folder = join(placeOfBuilds(root), stateOfSources(root));
    if (!existsSync(folder)) return { file, folder: null, isToBuild: true };
    await noteUse(folder);
    return { file: join(folder, source.replace(/\.ts$/, '.mjs')), folder, isToBuild: false };
  } catch {
    // A build is an optimization only and must not make a start fail.
    return asIs(file);
  }
}

/**
 * Records that this process runs a build, so that it is not removed while it may be loading more of it. No-op when the
 * folder cannot be written, since nothing is removed then either.
 */
export async function noteUse(folder: string): Promise<void> {
  try {
    await utimes(folder, new Date(), new Date());
    await mkdir(join(folder, 'users'), { recursive: true });
    await writeFile(join(folder, 'users', String(process.pid)), '');
  } catch {
    return;
  }
}

function hasConfig({ PORTOLAN_CONFIG: given }: Readonly<Record<string, string | undefined>>): boolean {
  if (given !== undefined && given !== '') return true;
  if (configFileNames.some((name) => existsSync(resolve(name)))) return true;
  return (
    existsSync('.env') && /^\s*(?:export\s+)?PORTOLAN_(?:CONFIG|RUN_SOURCES)\s*=/m.test(readFileSync('.env', 'utf8'))
  );
}
