import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The files that starting with that one loads: its imports, without types and without those that wait for their use. */
function loadedWith(start: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const imports = /^(?:import|export) (?!type )(?:[^;]*? from )?'#([^']+)';/gm;
    for (const [, next = ''] of readFileSync(path, 'utf8').matchAll(imports)) load(next);
  };
  load(start);
  return loaded;
}

it('a start loads none of the languages of reactions, and the threads load all (WRITE-016)', () => {
  const atStart = loadedWith('bootstrap/run-server.ts');
  expect(atStart.size).toBeGreaterThan(200);
  const own = [...atStart].filter((path) => path.startsWith('adapters/reactions/'));
  expect(own).toEqual(['adapters/reactions/reaction-threads.ts']);
  const packages = /from '(?:croner|liquidjs|@marcbachmann\/cel-js)'/;
  const loading = (path: string) => [...loadedWith(path)].filter((file) => packages.test(readFileSync(file, 'utf8')));
  expect(loading('bootstrap/run-server.ts')).toEqual([]);
  expect(loading('adapters/reactions/reaction-jobs.ts')).toHaveLength(3);
});
