import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sbomFile, writePackage } from '#bootstrap/build/write-package.ts';
import { changelogSection } from '#test/release/changelog.ts';
import { otherLicences } from '#test/release/licences.ts';
import { versionErrors } from '#test/release/versions.ts';

const run = promisify(execFile);
const packed = z.tuple([z.object({ filename: z.string() })]);

/** What a release consists of: its version, its files with their SHA-256, and what forbids it. */
export type Release = Readonly<{
  version: string;
  files: ReadonlyMap<string, string>;
  errors: readonly string[];
}>;

/**
 * Makes the files of a release in a folder, which is emptied before: the package, its bill of materials, the licences of
 * what it contains, notes and checksums. `draft` is where the package is built, below the folder of the clone.
 */
export async function makeRelease(folder: string, draft = 'package'): Promise<Release> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writePackage(draft);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(draft, 'package.json'), 'utf8')));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)], {
    cwd: draft,
  });
  const [{ filename }] = packed.parse(JSON.parse(stdout));
  const sbom = `portolan-${version}.cdx.json`;
  await copyFile(join(draft, sbomFile), join(folder, sbom));
  await copyFile(join(draft, 'dist', 'licenses.txt'), join(folder, `portolan-${version}.licenses.txt`));
  const section = changelogSection(await readFile('CHANGELOG.md', 'utf8'), version);
  await writeFile(join(folder, 'notes.md'), `# Portolan ${version}\n\n${section?.text ?? ''}\n`);
  const files = await hashesOf(folder);
  const sums = [...files].map(([name, hash]) => `${hash}  ${name}\n`).join('');
  await writeFile(join(folder, 'SHA256SUMS'), sums);
  const errors = [
    ...(filename === `portolan-${version}.tgz` ? [] : [`the package is called ${filename}`]),
    ...(section === null ? [`CHANGELOG.md has no section ${version}`] : []),
    ...(section?.date === null ? [`CHANGELOG.md calls ${version} unreleased: give its heading the date`] : []),
    ...(await versionErrors(version)),
    ...otherLicences(await readFile(join(folder, sbom), 'utf8')).map((one) => `the licence of ${one}`),
  ];
  return { version, files, errors };
}

async function hashesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).sort();
  const hashes = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return new Map(await Promise.all(hashes));
}
