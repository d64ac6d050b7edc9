import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('SECURITY.md names existing tests by their titles', () => {
  const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, title = '', file = ''] of named)
    expect([file, readFileSync(file, 'utf8').includes(title)]).toEqual([file, true]);
});
