import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesWithSeveralHomes } from '#test/architecture/exported-names.ts';
import type { SourceFile } from '#test/architecture/layer-rules.ts';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'];
const sources: SourceFile[] = rooms.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
);

/** A folder that no other part of the program imports names from, but by its own entry: its words are its own. */
function ownWords(path: string): string | null {
  return /^adapters\/(?:services\/[^/]+\/|vault-(?:folder|rest)\/)/.exec(path)?.[0] ?? null;
}

describe('an exported name is declared in one place', () => {
  it('among the modules that all parts share', () => {
    const shared = sources.filter(({ path }) => ownWords(path) === null);
    expect([...namesWithSeveralHomes(shared).keys()]).toEqual([]);
  });

  it('within each folder that has its own vocabulary', () => {
    const folders = Map.groupBy(sources, ({ path }) => ownWords(path));
    folders.delete(null);
    expect(folders.size).toBeGreaterThan(5);
    const several = [...folders.values()].flatMap((files) => [...namesWithSeveralHomes(files)]);
    expect(several).toEqual([]);
  });

  it('and a second declaration is found, whichever way it is exported', () => {
    const text =
      'export const one = 1;\nexport async function two() {}\nexport type Three = 3;\nexport class Four {}\n';
    const twice = ['a.ts', 'b.ts'].map((path) => ({ path, text }));
    expect([...namesWithSeveralHomes(twice).keys()]).toEqual(['one', 'two', 'Three', 'Four']);
    expect(
      namesWithSeveralHomes([
        { path: 'a.ts', text },
        { path: 'b.ts', text: "export { one } from '#a.ts';" },
      ]).size,
    ).toBe(0);
  });
});
