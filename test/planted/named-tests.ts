import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { titledIn } from '#test/architecture/specification.ts';

/** How long tests of a folder take to start, the shortest first: the first that fails ends the judging of a fault. */
const folders = ['unit', 'architecture', 'property', 'contract', 'http', 'cli', 'attacks', 'faults', 'e2e', 'clients'];

/** The test files with tests that are named after a clause, by its id, those that start soonest first. */
export function namedTests(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('test', name).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('test/architecture/specification') && !path.startsWith('test/planted/'));
  const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]));
  // What is put in a module's place needs a loader of vitest, which would load the sources by itself.
  for (const [path, text] of texts) if (text.includes('vi.mock(')) texts.delete(path);
  const importers = importersOf(texts);
  const found = new Map<string, Set<string>>();
  for (const [path, text] of texts) {
    const runBy = testsThat(path, importers);
    for (const id of titledIn(text)) found.set(id, new Set([...(found.get(id) ?? []), ...runBy]));
  }
  return new Map([...found].map(([id, paths]) => [id, [...paths].toSorted((a, b) => rankOf(a) - rankOf(b))]));
}

/** The same files, those first among equals whose path shares most words with that of the file that a fault is in. */
export function nearestFirst(files: readonly string[], faulty: string): readonly string[] {
  const words = new Set(wordsOf(faulty));
  const shared = (path: string): number => wordsOf(path).filter((word) => words.has(word)).length;
  return files.toSorted((a, b) => rankOf(a) - rankOf(b) || shared(b) - shared(a));
}

/** The titles that end with a clause's id, alone or among others; those of tests in a table end so as well. */
export function titlesOf(clauses: readonly string[]): RegExp {
  return new RegExp(`\\((?:[A-Z]+-\\d{3}, )*(?:${clauses.join('|')})(?:, [A-Z]+-\\d{3})*\\)`);
}

function importersOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of texts) {
    for (const [, name = ''] of text.matchAll(/'#(test\/[^']+\.ts)'/g)) {
      importers.set(name, [...(importers.get(name) ?? []), path]);
    }
  }
  return importers;
}

/** The tests that run what a file has: itself, or those that import it. */
function testsThat(path: string, importers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (path.endsWith('.test.ts')) return [path];
  const seen = new Set([path]);
  for (const one of seen) {
    if (!one.endsWith('.test.ts')) for (const importer of importers.get(one) ?? []) seen.add(importer);
  }
  return [...seen].filter((one) => one.endsWith('.test.ts'));
}

function wordsOf(path: string): readonly string[] {
  return path.split(/[^a-z]+/).filter((word) => word.length > 3);
}

function rankOf(path: string): number {
  const at = folders.indexOf(path.split('/')[1] ?? '');
  // A database server takes longer to start than any other test of its folder.
  return (at === -1 ? folders.length : at) + (path.includes('postgres') ? 0.5 : 0);
}
