import { z } from 'zod';
import type { PackageManifest } from '#bootstrap/build/manifest.ts';

const names = z.record(z.string(), z.string()).default({});
const entrySchema = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().default(false),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
const lockSchema = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entrySchema) });

/** A package of a lock file. */
export type LockedPackage = z.infer<typeof entrySchema>;

/** The packages of a lock file, by their folders: `node_modules/koa`. */
export type LockedPackages = ReadonlyMap<string, LockedPackage>;

/** Reads the packages of a package-lock.json. */
export function lockedPackages(text: string): LockedPackages {
  return new Map(Object.entries(lockSchema.parse(JSON.parse(text)).packages));
}

/** Returns the packages that installing these dependencies brings, in the versions of the lock file. */
export function closureOf(dependencies: readonly string[], locked: LockedPackages): LockedPackages {
  const found = new Map<string, LockedPackage>();
  const visit = (name: string, from: string): void => {
    const path = placeOf(name, from, locked);
    const entry = path === null ? undefined : locked.get(path);
    if (path === null || entry === undefined || found.has(path)) return;
    found.set(path, entry);
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const other of Object.keys(needed)) visit(other, path);
  };
  for (const name of dependencies) visit(name, '');
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the folder where Node finds a package from a folder; null when it is not there. */
function placeOf(name: string, from: string, locked: LockedPackages): string | null {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (locked.has(path)) return path;
    if (folder === '') return null;
  }
}

/** Formats the package-lock.json of the package, with which `npm ci` installs exactly these. */
export function lockText({ name, version, ...manifest }: PackageManifest, packages: LockedPackages): string {
  const { license, bin, engines, dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const root = { name, version, license, bin, engines, dependencies, peerDependencies, peerDependenciesMeta };
  const entries = [...packages].map(([path, entry]) => {
    const { dev: _, devOptional: __, ...kept } = entry;
    const filled = Object.entries(kept).filter(([, value]) => value !== false && !isEmpty(value));
    return [path, Object.fromEntries(filled)] as const;
  });
  const lock = {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
