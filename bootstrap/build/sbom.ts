import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PackageManifest } from '#bootstrap/build/manifest.ts';
import type { LockedPackages } from '#bootstrap/build/package-lock.ts';

const bundledSchema = z.looseObject({ name: z.string(), version: z.string(), license: z.string().optional() });

/** A component of the package: its folder when it is installed, or `dist` when its code is in our files. */
type Component = Readonly<{
  name: string;
  version: string;
  license: string | undefined;
  integrity: string | undefined;
  place: string;
  /** Whether it is installed on some platforms only. */
  isOptional: boolean;
}>;

/**
 * Formats the software bill of materials in CycloneDX 1.6: the packages whose modules are in our files, by their
 * folders, and those that are installed. It has no time and no random number, so that two builds give the same.
 */
export async function sbomText(
  { name, version, license, description }: PackageManifest,
  { bundled, installed }: Readonly<{ bundled: readonly string[]; installed: LockedPackages }>,
): Promise<string> {
  const within = await Promise.all(bundled.map(bundledPackage));
  const beside = [...installed].map(([path, entry]): Component => {
    const { version: at = '', license: under, integrity, optional: isOptional } = entry;
    return { name: entry.name ?? nameOf(path), version: at, license: under, integrity, place: path, isOptional };
  });
  const components = [...within, ...beside].map(componentOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const root = { type: 'application', 'bom-ref': purlOf(name, version), name, version, purl: purlOf(name, version) };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...root, description, licenses: licensesOf(license) } },
    components,
    dependencies: [
      { ref: purlOf(name, version), dependsOn: components.map((component) => component['bom-ref']) },
      ...components.map((component) => ({ ref: component['bom-ref'] })),
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

async function bundledPackage(folder: string): Promise<Component> {
  const { name, version, license } = bundledSchema.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  return { name, version, license, integrity: undefined, place: 'dist', isOptional: false };
}

function componentOf({ name, version, license, integrity, place, isOptional }: Component) {
  const purl = purlOf(name, version);
  return {
    type: 'library',
    'bom-ref': `${purl}#${place}`,
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    purl,
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    properties: [{ name: 'portolan:place', value: place }],
  };
}

const keyOf = (component: ReturnType<typeof componentOf>): string => component['bom-ref'];

/** Returns the package address of a package of npm: `pkg:npm/%40koa/router@15.7.0`. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

function licensesOf(license: string): readonly unknown[] {
  return /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** Converts `sha512-…` of a lock file, in base64, to the hash in hexadecimal digits. */
function hashesOf(integrity: string): readonly unknown[] {
  return integrity.split(' ').map((hash) => {
    const [algorithm = '', digest = ''] = hash.split(/-(.*)/);
    return {
      alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
      content: Buffer.from(digest, 'base64').toString('hex'),
    };
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
