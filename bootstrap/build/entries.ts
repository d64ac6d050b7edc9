import { existsSync, globSync } from 'node:fs';
import { basename } from 'node:path';

/** The modules of the package by their paths in `dist`, without the extension; everything they share goes into further files. */
export type Entries = Readonly<Record<string, string>>;

/** What is started: by `dist/bin.mjs` and `dist/contract-bin.mjs`, and in threads. */
export const programs: Entries = {
  'cli/portolan': 'bootstrap/cli/portolan.ts',
  'kit/main': 'test/kit/main.ts',
  'adapters/vault-folder/text/text-jobs': 'adapters/vault-folder/text/text-jobs.ts',
  'adapters/reactions/reaction-jobs': 'adapters/reactions/reaction-jobs.ts',
  'infrastructure/database/read-jobs': 'infrastructure/database/read-jobs.ts',
  'adapters/programs/program-jobs': 'adapters/programs/program-jobs.ts',
};

/** What is imported: `exports` of package.json names them, and they have types. */
export const publicEntries: Entries = Object.fromEntries(
  [
    ...['index', 'ports', 'service', 'testing'].map((name) => [name, `bootstrap/package/${name}.ts`] as const),
    ...globSync('test/contracts/*.ts', { exclude: ['**/*.test.ts'] }).map(
      (path) => [`contracts/${basename(path, '.ts')}`, path] as const,
    ),
  ].filter(([, path]) => existsSync(path)),
);

/** The list of what the suites of the ports check. */
export const clauses = 'test/contracts/clauses.json';

/** Files that the program reads where it runs; in `dist` they have the path that they have in the sources. */
export const assets: readonly string[] = ['adapters/http/static'];

/** The folder of the pages' templates, which become one file. */
export const templates = 'adapters/http/answers/templates';

/** Modules that run under an older Node too, so that they say what to do: as they are, at the top of `dist`. */
export const starters: readonly string[] = ['bootstrap/bin.mjs', 'bootstrap/contract-bin.mjs', 'bootstrap/node24.mjs'];
