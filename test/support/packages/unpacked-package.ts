import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { writePackage } from '#bootstrap/build/write-package.ts';

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

/** The package, built, packed, and installed in an otherwise empty folder. */
export type UnpackedPackage = Readonly<{
  /** The SHA-256 of the tarball. */
  sha256: string;
  /** The paths of the tarball's files. */
  files: readonly string[];
  /** The folder with `node_modules/portolan`. */
  consumer: string;
  /** The folder of the package in it. */
  folder: string;
  remove(): Promise<void>;
}>;

/** Builds, packs and unpacks the package. Uses no registry: its dependencies are those of this project. */
export async function unpackedPackage(): Promise<UnpackedPackage> {
  const place = await mkdtemp(join(tmpdir(), 'portolan-package-'));
  const project = join(place, 'project');
  const consumer = join(place, 'consumer');
  const folder = join(consumer, 'node_modules', 'portolan');
  await mkdir(folder, { recursive: true });
  await writePackage(project);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: project });
  const [{ filename, files }] = packed.parse(JSON.parse(stdout));
  await run('tar', ['-xzf', join(project, filename), '-C', folder, '--strip-components=1']);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  await symlink(resolve('node_modules/@types'), join(consumer, 'node_modules', '@types'), 'junction');
  return {
    sha256: createHash('sha256')
      .update(await readFile(join(project, filename)))
      .digest('hex'),
    files: files.map(({ path }) => path),
    consumer,
    folder,
    remove: () => rm(place, { recursive: true, force: true }),
  };
}
