import { readFileSync } from 'node:fs';

const atStart = /^(?:import|export) (?!type )(?:[^;]*? from )?'#([^']+)';/gm;
const later = /\bimport\('#([^']+)'\)/g;

/**
 * The files that starting with those loads: their imports, without types. `isLater`: also those that are loaded when they are needed, but
 * not those that only threads load.
 */
export function loadedWith(starts: readonly string[], isLater = false): ReadonlySet<string> {
  const loaded = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const text = readFileSync(path, 'utf8');
    for (const imports of isLater ? [atStart, later] : [atStart]) {
      waiting.push(...[...text.matchAll(imports)].map(([, next = '']) => next));
    }
  }
  return loaded;
}
