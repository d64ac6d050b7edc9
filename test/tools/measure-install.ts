// Installs the built package from the registry into an empty folder, as its users do, and says what that takes: `npm run measure-install`,
// after `npm run build`. It ends with 1 when it takes more than it may, or what is installed does not run.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** In bytes on the disk. */
const most = 150 * 1024 * 1024;

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.unknown()) })]);

const folder = await mkdtemp(join(tmpdir(), 'portolan-install-'));
try {
  const { stdout } = await run('npm', ['pack', './package', '--json', '--pack-destination', folder]);
  const [{ filename, files }] = packed.parse(JSON.parse(stdout));
  await run('npm', ['install', '--omit=dev', '--ignore-scripts', join(folder, filename)], { cwd: folder });
  const { bytes, packages } = await sizeOf(join(folder, 'node_modules'));
  const bin = resolve(folder, 'node_modules/portolan/dist/bin.mjs');
  const version = (await run(process.execPath, [bin, '--version'], { cwd: folder })).stdout.trim();
  await run(process.execPath, [bin, 'doctor'], { cwd: folder });
  const size = `${Math.round(bytes / 1024 / 1024)} MB in ${packages} packages`;
  process.stdout.write(`portolan ${version}: ${files.length} files; installed ${size} (may take 150 MB)\n`);
  if (bytes > most) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** What the files below take on the disk, and in how many packages they are. */
async function sizeOf(root: string): Promise<Readonly<{ bytes: number; packages: number }>> {
  let bytes = 0;
  let packages = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const { blocks } = await stat(join(entry.parentPath, entry.name));
    bytes += blocks * 512;
    if (entry.name === 'package.json' && /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(entry.parentPath)) packages += 1;
  }
  return { bytes, packages };
}
