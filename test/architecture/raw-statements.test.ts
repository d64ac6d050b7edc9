import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A text that begins with a verb of SQL and what follows it there, of which no other text has the like. */
const statement =
  /['"`]\s*(?:select [\w*('"$]|insert into [\w$]|update [\w${}()]+ set |delete from [\w$]|with \w+ (?:as )?\(|\$\{due\.sql)/g;

/** How many statements the file has as text. */
function statementsIn(path: string): number {
  return [...readFileSync(path, 'utf8').matchAll(statement)].length;
}

it('few statements are written as SQL: others are typed by the entities', () => {
  const files = globSync(['{adapters,infrastructure,bootstrap}/**/*.ts'], {
    // A migration is SQL, and runs once.
    exclude: ['adapters/services/**', 'adapters/persistence/*migrations.ts'],
  });
  const counted = files.map((path) => [path, statementsIn(path)] as const).filter(([, count]) => count > 0);
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  expect(statementsIn('adapters/persistence/inbox-changes.ts')).toBeGreaterThan(2);
  expect(total, JSON.stringify(Object.fromEntries(counted), null, 1)).toBeLessThanOrEqual(40);
});
