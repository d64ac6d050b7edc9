import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { programs } from '#test/tools/build/entries.ts';
import { writeJavaScript } from '#test/tools/build/javascript.ts';

/** What a test's configuration makes its own stores of. */
const ofConfig = [
  'adapters/persistence/entities.ts',
  'adapters/persistence/migrations.ts',
  'adapters/persistence/sql-stores.ts',
  'infrastructure/database/open-database.ts',
];

/** Writes the programs of a clone and the modules of their threads as JavaScript, each by its path in the sources: `bootstrap/main.mjs`. */
export async function buildTestedPrograms(folder: string): Promise<void> {
  const threads = Object.values(programs).filter((path) => path.startsWith('adapters/'));
  const paths = ['bootstrap/main.ts', 'bootstrap/stdio.ts', ...globSync('bootstrap/cli/*.ts'), ...threads, ...ofConfig];
  const entries = Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/').replace(/\.ts$/, ''), path]));
  await writeJavaScript(entries, folder, { extension: 'mjs', sourcemap: false, plugins: [asInClone] });
}

/** The module that knows where the program's files are, which would not know it in this form. */
const programFiles = resolve('infrastructure/program/program-files.ts');

/** Has the programs read files of the clone and speak of its commands, as the sources do; their threads are of the same build. */
const asInClone: Plugin = {
  name: 'as-in-clone',
  load: (path) => (resolve(path) === programFiles ? programFilesOfClone : null),
};

const programFilesOfClone = `
import { join } from 'node:path';
const build = import.meta.url.replace(/(?<=\\/built-programs\\/[^/]+\\/).*/, '');
export const isBuilt = false;
export const packageFile = (path) => join(${JSON.stringify(resolve('.'))}, path);
export const programFile = packageFile;
export const programModule = (path) => build + path + '.mjs';
`;
