import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from '#bootstrap/build/build-package.ts';
import { packageManifest } from '#bootstrap/build/manifest.ts';
import { closureOf, lockedPackages, lockText } from '#bootstrap/build/package-lock.ts';
import { sbomText } from '#bootstrap/build/sbom.ts';

/** The name of the software bill of materials in the package. */
export const sbomFile = 'sbom.cdx.json';

/**
 * Writes the package into the folder, which is emptied before: `npm pack` makes a tarball of it. Its package.json has
 * what is installed beside our files, its package-lock.json their versions and hashes for an image, and its bill of
 * materials both these and the packages in our files.
 */
export async function writePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { packages: bundled } = await buildPackage(join(folder, 'dist'));
  const manifest = packageManifest(await readFile('package.json', 'utf8'));
  const locked = lockedPackages(await readFile('package-lock.json', 'utf8'));
  const installed = closureOf(Object.keys(manifest.dependencies), locked);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'package-lock.json'), lockText(manifest, installed));
  await writeFile(join(folder, sbomFile), await sbomText(manifest, { bundled, installed }));
  for (const name of ['README.md', 'LICENSE']) await copyFile(name, join(folder, name));
}
