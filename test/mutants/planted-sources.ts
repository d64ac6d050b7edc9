import { registerHooks } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What is loaded again for each mutant: adapters, and what a subject is made of. State that all share stays outside. */
const reloaded =
  /^(?:adapters\/(?:persistence|memory|connections|stores|mcp|http|services\/(?:vault|suite-crm)\/ports)|test\/(?:doubles|examples|support\/(?:contracts|persistence))|infrastructure\/(?:memory|limits|streams)|bootstrap|domain\/(?:users|connections))\/|^infrastructure\/database\/table\.ts$/;

/** A text of a source file, and what stands in its place. */
export type Planted = Readonly<{ file: string; find: string; replace: string }>;

const planted = new Map<string, Planted>();

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const mutant = context.parentURL === undefined ? null : mutantOf(context.parentURL);
    if (mutant === null || !resolved.url.startsWith('file:') || mutantOf(resolved.url) !== null) return resolved;
    return reloaded.test(pathOf(resolved.url)) ? { ...resolved, url: `${resolved.url}?mutant=${mutant}` } : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const change = planted.get(mutantOf(url) ?? '');
    if (change === undefined || change.file !== pathOf(url)) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: source.replace(change.find, () => change.replace) };
  },
});

/** Plants a text under a mutant's name: each module that is loaded under that name, and all that it imports, has it. */
export function plant(mutant: string, change: Planted): void {
  planted.set(mutant, change);
}

/** The address of a module as that mutant loads it. */
export function urlOf(path: string, mutant: string): string {
  return `${pathToFileURL(join(root, path)).href}?mutant=${mutant}`;
}

function mutantOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get('mutant') : null;
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  return relative(root, decodeURIComponent(pathname));
}
