import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const manifest = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const lock = z.object({ packages: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })) });

it('every platform whose Node 24 comes as a package is known to the starter, locked, and optional (RUN-004)', () => {
  const names = Object.keys(manifest.parse(JSON.parse(text('bootstrap/node24/package.json'))).optionalDependencies);
  const started = [...text('bootstrap/node24.mjs').matchAll(/'(node-[\w-]+)\/bin\/node(?:\.exe)?'/g)].map(
    ([, name]) => name,
  );
  expect(new Set(started)).toEqual(new Set(names));
  const { packages } = lock.parse(JSON.parse(text('package-lock.json')));
  for (const name of names) expect(packages[`node_modules/${name}`]).toMatchObject({ optional: true });
});
