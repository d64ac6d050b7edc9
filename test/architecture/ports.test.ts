import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const users = globSync('application/**/*.ts').filter((path) => !path.startsWith('application/ports/'));
const texts = users.map((path) => readFileSync(path, 'utf8'));

it('a port is imported by a use case; what only adapters ask of each other is in adapters/contracts', () => {
  const ports = globSync('application/ports/*.ts');
  expect(ports).not.toEqual([]);
  expect(ports.filter((path) => !texts.some((text) => text.includes(`'#${path}'`)))).toEqual([]);
});
