import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import type { Entries } from '#test/tools/build/entries.ts';
import { licensesOf } from '#test/tools/build/licenses.ts';

/**
 * Packages of many small modules that no type of ours names: their modules go into our files. Finding and loading a thousand modules one by
 * one takes longer than running them, and a process that did keeps 25 MB for it.
 */
const bundled = ['@inversifyjs', '@mikro-orm', 'inversify', 'jose', 'kysely', 'yaml'];
/** What only they import. */
bundled.push('pg-cursor', 'postgres-array', 'postgres-date', 'postgres-interval');

/** What every server with SQLite loads of the ORM, as one file. */
const orm = /\/node_modules\/(?:kysely|@mikro-orm\/(?:core|migrations|sql|sqlite))\//;

/** What only a server with PostgreSQL loads, as one file. */
const postgres =
  /\/node_modules\/(?:@mikro-orm\/postgresql|pg-cursor|postgres-\w+)\/|\/infrastructure\/database\/postgres-/;

/** How the modules are written: with this extension, with source maps or without, and through further plugins. */
export type JavaScriptForm = Readonly<{ extension: 'js' | 'mjs'; sourcemap: boolean; plugins?: readonly Plugin[] }>;

/**
 * Writes the modules as JavaScript. The sources go into few files, which load sooner than many, and so do some packages, whose licenses
 * `licenses.txt` has; the other packages stay imports.
 */
export async function writeJavaScript(
  entries: Entries,
  folder: string,
  { extension, sourcemap, plugins = [] }: JavaScriptForm,
): Promise<void> {
  const bundle = await rolldown({
    input: { ...entries },
    platform: 'node',
    external: (specifier) => isPackage(specifier) && !isBundled(specifier),
    plugins: [...plugins],
    onLog: refuse,
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'es',
    sourcemap,
    comments: { jsdoc: false },
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name]-[hash].${extension}`,
    codeSplitting: {
      groups: [
        { name: 'orm', test: orm },
        { name: 'postgres', test: postgres },
        { name: 'common', minShareCount: 2, test: (path) => isOfDomain(path) || isSmallLeaf(path) },
      ],
    },
  });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  await writeFile(join(folder, 'licenses.txt'), await licensesOf(modules));
}

/** Whether a module is of the domain, which imports nothing but itself. */
const isOfDomain = (path: string): boolean => path.startsWith(resolve('domain'));

/** Whether a module is small and brings no other with it: those that several share go into one file, rather than a file each. */
function isSmallLeaf(path: string): boolean {
  if (!path.endsWith('.ts') || isPackage(path)) return false;
  const source = readFileSync(path, 'utf8');
  const imports = [...source.matchAll(/^(?:import|export) (?!type\b)(?:[^;]*from )?'([^']+)'/gm)];
  return source.length < 4_000 && imports.every(([, specifier = '']) => isPackage(specifier) && !isBundled(specifier));
}

/** Whether an import is of a package or of Node: the project's own begin with # or are paths. */
export function isPackage(specifier: string): boolean {
  return !/^[#./]/.test(specifier);
}

function isBundled(specifier: string): boolean {
  return bundled.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** Lets no warning pass: what could not be found, say, would fail where it runs. How long a plugin took is none: that is the machine's. */
export function refuse(level: string, { message }: Readonly<{ message: string }>): void {
  if (level === 'warn' && !/\[(?:PLUGIN|BUNDLER)_TIMINGS\]/.test(message)) throw new Error(message);
}
