import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadedWith } from '#test/architecture/loaded-files.ts';

it('the main thread loads no language of reactions at start, and the worker threads load all of them (WRITE-016)', () => {
  const atStart = loadedWith(['bootstrap/run-server.ts']);
  expect(atStart.size).toBeGreaterThan(200);
  const own = [...atStart].filter((path) => path.startsWith('adapters/reactions/'));
  expect(own).toEqual(['adapters/reactions/reaction-threads.ts']);
  const packages = /from '(?:croner|liquidjs|@marcbachmann\/cel-js)'/;
  const loading = (path: string) => [...loadedWith([path])].filter((file) => packages.test(readFileSync(file, 'utf8')));
  expect(loading('bootstrap/run-server.ts')).toEqual([]);
  expect(loading('adapters/reactions/reaction-jobs.ts')).toHaveLength(3);
});
