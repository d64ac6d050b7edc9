import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { lockedPackages } from '#bootstrap/build/package-lock.ts';

const run = promisify(execFile);

/** The image's folder as the Dockerfile makes it: the package, and the packages of its lock file. */
export type ImageFolder = Readonly<{ folder: string; remove(): Promise<void> }>;

/**
 * Builds from the `sources` that the image is given, in a folder that has nothing else, and has the result alone in another one. No registry is
 * asked: the packages are links to those of this project.
 */
export async function imageFolder(sources: readonly string[]): Promise<ImageFolder> {
  const place = await mkdtemp(join(tmpdir(), 'portolan-image-'));
  const stage = join(place, 'stage');
  const folder = join(place, 'app');
  for (const path of sources) await cp(path, join(stage, path), { recursive: true });
  await linkPackages(stage, await installedPackages());
  await run(process.execPath, ['bootstrap/node24.mjs', 'bootstrap/build/main.ts'], { cwd: stage });
  await rename(join(stage, 'package'), folder);
  await linkPackages(folder, await packagesOf(folder));
  await rm(stage, { recursive: true });
  return { folder, remove: () => rm(place, { recursive: true, force: true }) };
}

/** All packages by their folders below node_modules: `koa`, `@koa/router`. */
async function installedPackages(): Promise<readonly string[]> {
  const names = (await readdir('node_modules')).filter((name) => !name.startsWith('.'));
  const scoped = names.filter((name) => name.startsWith('@'));
  const inScopes = await Promise.all(
    scoped.map(async (scope) => (await readdir(join('node_modules', scope))).map((name) => `${scope}/${name}`)),
  );
  return [...names.filter((name) => !name.startsWith('@')), ...inScopes.flat()];
}

/** The packages that are installed for a package, by its lock file; those within others come with these. */
async function packagesOf(folder: string): Promise<readonly string[]> {
  const locked = lockedPackages(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  return [...locked.keys()].flatMap((path) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || !existsSync(path) ? [] : [name];
  });
}

async function linkPackages(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link, 'junction');
  }
}
