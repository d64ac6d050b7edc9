import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the programs are made of, beside the packages; of the tests' folders, what the demo and the processes of tests have besides. */
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

/** What npm writes with every change of the packages. Only its own time and size count: linked elsewhere, it is the same. */
const packages = 'node_modules/.package-lock.json';

/**
 * Tells two states of a clone's sources and packages apart, and of the Node that runs them: the system notes a new time of change with whatever
 * is written, moved or linked. Throws where one of them is missing, such as the builder.
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
