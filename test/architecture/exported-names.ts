import type { SourceFile } from '#test/architecture/layer-rules.ts';

const exported = /^export (?:async )?(?:function\*?|class|const|type|interface) (\w+)/gm;

/** The names that several files export, each with its files; a name that a file only passes on is not one. */
export function namesWithSeveralHomes(sources: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const homes = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const names = new Set([...text.matchAll(exported)].map(([, name = '']) => name));
    for (const name of names) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return new Map([...homes].filter(([, paths]) => paths.length > 1));
}
