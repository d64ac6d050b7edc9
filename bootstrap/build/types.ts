import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import type { Entries } from '#bootstrap/build/entries.ts';
import { isPackage, refuseWarnings } from '#bootstrap/build/javascript.ts';

/** Within node_modules, where the compiler finds the types of packages as it does for the sources. */
const draft = resolve('node_modules/.cache/package-types');

/** Writes the types of the modules: the compiler's declaration of each source, put together into few files. */
export async function writeTypes(entries: Entries, folder: string): Promise<void> {
  // Without an input the bundler would end with an error.
  if (Object.keys(entries).length === 0) return;
  await declare(Object.values(entries));
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, declarationOf(path)]));
  const bundle = await rolldown({
    input,
    external: isPackage,
    plugins: [ownDeclarations, dts({ dtsInput: true, emitDtsOnly: true, generator: 'oxc' })],
    onLog: refuseWarnings,
  });
  // What several entries share goes into one file: types are read by compilers only, which read all of them anyway.
  const codeSplitting = { groups: [{ name: 'shared.d', minShareCount: 2 }] };
  const chunkFileNames = ({ name }: Readonly<{ name: string }>) => `chunks/${name.replace(/\.d$/, '')}.d.ts`;
  // Names that readers of the declarations know, in place of letters.
  await bundle.write({ dir: folder, format: 'es', chunkFileNames, codeSplitting, minifyInternalExports: false });
  await bundle.close();
}

/** Lets the compiler write a declaration for each source that the modules reach. */
async function declare(paths: readonly string[]): Promise<void> {
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    // `npm run types` checks them all.
    noCheck: true,
    // Otherwise a declaration that an earlier check found unchanged is not written.
    incremental: false,
    rootDir: resolve('.'),
    outDir: draft,
  };
  const settings = {
    extends: resolve('tsconfig.json'),
    compilerOptions,
    include: [],
    files: paths.map((path) => resolve(path)),
  };
  const file = join(draft, 'tsconfig.json');
  await writeFile(file, JSON.stringify(settings));
  // In several threads it would parse some files more than once: at twice the processor time, and no sooner on two cores.
  await promisify(execFile)(process.execPath, ['node_modules/typescript/lib/tsc.js', '-p', file, '--singleThreaded']);
}

/** Finds the declaration behind an import of ours: '#domain/shared/result.ts'. */
const ownDeclarations: Plugin = {
  name: 'own-declarations',
  resolveId: {
    order: 'pre',
    handler: (specifier) => (specifier.startsWith('#') ? declarationOf(specifier.slice(1)) : null),
  },
};

function declarationOf(path: string): string {
  return join(draft, path.replace(/\.ts$/, '.d.ts'));
}
