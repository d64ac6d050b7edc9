import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folders that the programs are built from, besides the packages; those under test are for the demo and for
 * processes that tests start.
 */
const folders = [
  'domain',
  'application',
  'adapters',
  'infrastructure',
  'bootstrap',
  'test/tools/build',
  'test/demo',
  'test/doubles',
  'test/emulators',
  'test/kit',
  'test/support',
];
const files = ['package.json', 'package-lock.json'];

/**
 * Written by npm with every change of the packages. Only its modification time and size count, so that hard-linked
 * copies are equal.
 */
const packages = 'node_modules/.package-lock.json';

/**
 * Returns a fingerprint of a clone's sources, its packages, and the Node version that runs them, from sizes, inodes and
 * change times: the system updates a file's change time with whatever is written, moved or linked. Throws when a folder
 * or file is missing, such as the builder.
 */
export function stateOfSources(root: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch} ${root}\n`);
  for (const folder of folders) addFolder(hash, root, folder);
  for (const path of files) addFile(hash, root, path);
  const { size, mtimeMs } = statSync(join(root, packages));
  return hash.update(`${size} ${mtimeMs}`).digest('hex').slice(0, 32);
}

type Hash = ReturnType<typeof createHash>;

function addFolder(hash: Hash, root: string, folder: string): void {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addFolder(hash, root, path);
    else addFile(hash, root, path);
  }
}

function addFile(hash: Hash, root: string, path: string): void {
  const { size, ino, ctimeMs } = statSync(join(root, path));
  hash.update(`${path} ${size} ${ino} ${ctimeMs}\n`);
}
