import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { programs } from '#bootstrap/build/entries.ts';
import { writeJavaScript } from '#bootstrap/build/javascript.ts';

/** What a test's configuration makes its own stores of. */
const ofConfig = [
  'adapters/persistence/entities.ts',
  'adapters/persistence/migrations.ts',
  'adapters/persistence/sql-stores.ts',
  'infrastructure/database/open-database.ts',
];

/** What tests run as processes, to kill them and to have several of them. */
const ofTests = [
  'test/support/connections/renewal-process.ts',
  ...['reaction-call-process', 'webhook-process', 'webhook-worker'].map((name) => `test/support/webhooks/${name}.ts`),
];

/** Writes the programs that tests start, and the modules of their threads, as JavaScript, each by its path in the sources: `bootstrap/main.mjs`. */
export async function buildTestedPrograms(folder: string): Promise<void> {
  const threads = Object.values(programs).filter((path) => path.endsWith('-jobs.ts'));
  const commands = [...globSync('bootstrap/cli/*.ts'), 'test/demo/main.ts'];
  const paths = ['bootstrap/main.ts', 'bootstrap/stdio.ts', ...commands, ...ofTests, ...threads, ...ofConfig];
  const entries = Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/').replace(/\.ts$/, ''), path]));
  await writeJavaScript(entries, folder, { extension: 'mjs', mapsHaveText: false, plugins: [asInClone, asRead] });
  // Nobody looks into the packages' sources, and reading this map takes 40 MB.
  for (const map of globSync(join(folder, 'chunks/orm-*.map'))) await rm(map);
}

/** The module that knows where the program's files are, which would not know it in this form. */
const programFiles = resolve('infrastructure/program/program-files.ts');

/** Has the programs read files of the clone and speak of its commands, as the sources do; their threads are of the same build. */
const asInClone: Plugin = {
  name: 'as-in-clone',
  load: (path) => (resolve(path) === programFiles ? programFilesOfClone : null),
};

/** Has the programs made of what this process reads, in which a fault may be planted (test/planted). */
const asRead: Plugin = {
  name: 'as-read',
  load: (path) =>
    process.env['PLANTED'] && path.endsWith('.ts') && !path.includes('node_modules')
      ? { code: readFileSync(path, 'utf8'), moduleType: 'ts' }
      : null,
};

const programFilesOfClone = `
import { join } from 'node:path';
const build = import.meta.url.replace(/(?<=\\/portolan-programs-[^/]+\\/).*/, '');
export const isBuilt = false;
export const packageFile = (path) => join(${JSON.stringify(resolve('.'))}, path);
export const programFile = packageFile;
export const programModule = (path) => build + path + '.mjs';
`;
