import { existsSync, readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stateOfSources } from '#bootstrap/clone/state-of-sources.ts';
import { configFileNames } from '#bootstrap/config/config-files.ts';

/** What runs a program of a clone: a file of the build in `folder`, or of the sources where that is null. Then there may be one to make. */
export type ProgramToRun = Readonly<{ file: string; folder: string | null; isToBuild: boolean }>;

const asIs = (file: string): ProgramToRun => ({ file, folder: null, isToBuild: false });

/** The programs that are built. */
const programs = /^bootstrap\/(?:main|stdio|cli\/[\w-]+)\.ts$/;

/** Below node_modules, where the programs find the packages. */
export function placeOfBuilds(root: string): string {
  return join(root, 'node_modules/.cache/built-programs');
}

/**
 * Chooses the file that runs a program of the clone in `root`, `bootstrap/main.ts`: the build for exactly these sources where there is one, and
 * else the program itself. `PORTOLAN_RUN_SOURCES=1` has it be the program, and so does a configuration, which imports modules of the sources:
 * it would have others than the build.
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
    // A start never fails for what only makes it faster.
    return asIs(file);
  }
}

/** Notes that this process runs a build, which it may load more of as long as it lives. Where nothing can be written, nothing is removed either. */
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
