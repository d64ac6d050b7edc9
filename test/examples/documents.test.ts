import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync('docs/extending.md', 'utf8');
const blocks = [...text.matchAll(/```ts\n\/\/ (test\/(?:examples|contract)\/\S+)\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => [file, code] as const,
);

it.each(blocks)('docs/extending.md shows %s exactly as its test runs it', (file, code) => {
  for (const part of code.split(/^\s*\/\/ …\n/m)) expect(readFileSync(file, 'utf8')).toContain(part);
});

it('docs/extending.md shows a reaction, an operation, a service and a dialect, and no untested code', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  expect(text.match(/```ts/g)).toHaveLength(blocks.length);
});
