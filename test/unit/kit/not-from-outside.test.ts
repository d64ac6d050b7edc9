import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allClauses } from '#test/kit/clauses.ts';
import { notFromOutside } from '#test/kit/not-from-outside.ts';

it('each clause of every server has a check, or is listed with the reason why none can see it (KIT-012)', () => {
  const document = readFileSync('docs/specification.md', 'utf8');
  const demanded = [...document.matchAll(/^- \*\*([A-Z]+-\d{3})\*\* .*(?<!†)$/gmu)].map(([, id = '']) => id);
  const checked = new Set(allClauses.filter(({ level }) => level === 'contract').map(({ id }) => id));
  const listed = new Set(notFromOutside.map(({ id }) => id));
  expect(demanded.length).toBeGreaterThan(100);
  expect(demanded.filter((id) => checked.has(id) === listed.has(id))).toEqual([]);
  expect([...listed].filter((id) => !demanded.includes(id))).toEqual([]);
});
