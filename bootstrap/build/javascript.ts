import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import type { Entries } from '#bootstrap/build/entries.ts';
import { isHttp, lazyHttp } from '#bootstrap/build/lazy-http.ts';
import { licensesOf, packageFolders } from '#bootstrap/build/licenses.ts';

/**
 * Packages whose modules go into our files, with whatever they import. Finding and loading two thousand modules one by one takes longer than
 * running them, and a process that did keeps 25 MB for it. A schema of another copy of zod is as good as one of this: it keeps what it shares
 * in `globalThis`.
 */
const bundled = ['@fastify/busboy', '@inversifyjs', '@koa/router', '@mikro-orm', '@opentelemetry/api', 'eta', 'got'];
bundled.push('helmet', 'inversify', 'jose', 'koa', 'kysely', 'lru-cache', 'p-queue', 'prom-client');
bundled.push('rate-limiter-flexible', 'raw-body', 'reflect-metadata', 'yaml', 'zod');

/** What they import and stays an import: the one has a program for each platform, the next is for PostgreSQL only, the last has no license file. */
const apart = ['better-sqlite3', 'pg', 'koa-compose'];
/** The ORM asks whether these are there, and does without them. */
apart.push('dataloader', 'tinyglobby');

/** Packages that almost every file of ours imports. */
const small = /\/node_modules\/(?:lru-cache|zod)\//;

/** What calls of operations go through, which the server, the suites and some commands share. */
const calls = /\/adapters\/services\/[^/]+\.ts$|\/infrastructure\/http\/|\/infrastructure\/config\/setting-types\.ts$/;

/** What the server and all commands open and wrap stores with. */
const stores = /\/adapters\/stores\/|\/bootstrap\/(?:start|stores)\//;

/** Packages for some commands, or some servers, only. */
const rare = ['@clack/prompts', 'pg', 'yauzl', 'yazl'];

/** What every server with SQLite loads of the ORM, as one file, and what both databases need. */
const orm =
  /\/node_modules\/(?:kysely|@mikro-orm\/(?:core|migrations|sql|sqlite))\/|\/infrastructure\/database\/(?!postgres-|listening-)/;

/** What only a server with PostgreSQL loads, as one file. */
const postgres =
  /\/node_modules\/(?:@mikro-orm\/postgresql|pg-cursor|postgres-\w+)\/|\/infrastructure\/database\/postgres-/;

/** How the modules are written: with this extension, with source maps that have the sources' text or do not, and through further plugins. */
type JavaScriptForm = Readonly<{
  extension: 'js' | 'mjs';
  mapsHaveText: boolean;
  plugins?: readonly Plugin[];
}>;

/**
 * Writes the modules as JavaScript. The sources go into few files, which load sooner than many, and so do some packages, whose licenses
 * `licenses.txt` has; the other packages stay imports. Returns the folders of the packages whose modules went into them.
 */
export async function writeJavaScript(
  entries: Entries,
  folder: string,
  { extension, mapsHaveText, plugins = [] }: JavaScriptForm,
): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: { ...entries },
    platform: 'node',
    external: (specifier, importer) => isPackage(specifier) && !isHttp(specifier) && !isWithin(specifier, importer),
    plugins: [lazyHttp, ...plugins],
    onLog: refuseWarnings,
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'es',
    sourcemap: true,
    sourcemapExcludeSources: !mapsHaveText,
    // The text of every module that was loaded stays in memory, and takes two bytes for each of its characters when one of them needs two.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name]-[hash].${extension}`,
    codeSplitting: {
      groups: [
        { name: 'common', minShareCount: 2, test: (path) => isOfInside(path) || isSmallLeaf(path) || small.test(path) },
        { name: 'calls', minShareCount: 2, test: calls },
        { name: 'stores', minShareCount: 2, test: stores },
        { name: 'orm', test: orm },
        { name: 'postgres', test: postgres },
      ],
    },
  });
  await bundle.close();
  for (const file of output)
    if (file.type === 'chunk' && file.code.length < 400) await dropMap(join(folder, file.fileName));
  const packages = packageFolders(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  await writeFile(join(folder, 'licenses.txt'), await licensesOf(packages));
  return packages;
}

/** Removes the source map of a file of a line or two: most of them do no more than import another. */
async function dropMap(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  await rm(`${path}.map`, { force: true });
}

/** Whether a module is of the domain, the application or a contract, which import nothing but these. */
const isOfInside = (path: string): boolean =>
  ['domain', 'application', 'adapters/contracts'].some((folder) => path.startsWith(resolve(folder)));

/** Whether a module is small and brings nothing with it that is not there anyway: those that several share go into one file. */
function isSmallLeaf(path: string): boolean {
  if (!path.endsWith('.ts') || isPackage(path)) return false;
  const source = readFileSync(path, 'utf8');
  const imports = [...source.matchAll(/^(?:import|export) (?!type\b)(?:[^;]*from )?'([^']+)'/gm)];
  return source.length < 4_000 && imports.every(([, specifier = '']) => isThereAnyway(specifier));
}

/** Whether an import is of a package or of Node: the project's own begin with # or are paths. */
export function isPackage(specifier: string): boolean {
  return !/^[#./]/.test(specifier);
}

/** Whether every server loads a package, so that the file which small modules share brings nothing by importing it. */
function isThereAnyway(specifier: string): boolean {
  if (isBundled(specifier)) return small.test(`/node_modules/${specifier}/`);
  return isPackage(specifier) && !isOf(rare, specifier);
}

/** Whether a package goes into our files: one of those named, or one that they import. */
function isWithin(specifier: string, importer: string | undefined): boolean {
  if (importer?.includes('/node_modules/') !== true) return isBundled(specifier);
  return !isBuiltin(specifier) && !isOf(apart, specifier);
}

/** Whether the modules of a package, or of this import of one, go into our files. */
export function isBundled(specifier: string): boolean {
  return isOf(bundled, specifier);
}

function isOf(names: readonly string[], specifier: string): boolean {
  return names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/**
 * Lets no warning pass: what could not be found, say, would fail where it runs. How long a plugin took is none: that is the machine's; nor is
 * the `eval` of a package that makes functions with it.
 */
export function refuseWarnings(level: string, { message }: Readonly<{ message: string }>): void {
  if (level === 'warn' && !/\[(?:PLUGIN_TIMINGS|BUNDLER_TIMINGS|EVAL)\]/.test(message)) throw new Error(message);
}
