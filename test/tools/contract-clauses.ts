import { z } from 'zod';
import type { Suite } from '#test/support/contracts/suites.ts';

/** A clause of a suite: `port` is the suite's name, `since` the release that has it first, `until` the first without it. */
const clauseSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]+-\d{3}$/),
  port: z.string(),
  text: z.string(),
  since: z.string(),
  until: z.string().optional(),
});

/** The file test/contracts/clauses.json. */
export const clausesSchema = z.strictObject({ clauses: z.array(clauseSchema) });

/** A clause as that file has it. */
export type ContractClause = z.output<typeof clauseSchema>;

/** A clause as its test's title states it. */
export type StatedClause = Pick<ContractClause, 'id' | 'port' | 'text'>;

/** The titles of a suite's tests that state no clause, and the clauses that the others state, in the order of the suite. */
export function statedBy({ file: port, register }: Suite): Readonly<{ clauses: StatedClause[]; untitled: string[] }> {
  const titles: string[] = [];
  const note = (title: string) => void titles.push(title);
  const ignored = () => undefined;
  register({
    describe: (_, body) => body(),
    it: Object.assign(note, { skip: note }),
    beforeEach: ignored,
    afterEach: ignored,
  });
  const stated = titles.map((title) => ({ title, found: /^([A-Z]+-\d{3}) (.+?)(?: \[skipped: .*\])?$/.exec(title) }));
  return {
    clauses: stated.flatMap(({ found }) =>
      found === null ? [] : [{ id: found[1] ?? '', port, text: found[2] ?? '' }],
    ),
    untitled: stated.filter(({ found }) => found === null).map(({ title }) => title),
  };
}

/**
 * Rebuilds the list: a known clause keeps its release, a new one gets `release`, one that no suite states any more is
 * marked as gone and its id is not used again.
 */
export function listed(
  known: readonly ContractClause[],
  stated: readonly StatedClause[],
  release: string,
): readonly ContractClause[] {
  const before = new Map(known.map((clause) => [clause.id, clause]));
  const reused = stated.find(({ id }) => before.get(id)?.until !== undefined);
  if (reused !== undefined) throw new Error(`${reused.id} was taken out once: give the new clause a number of its own`);
  const there = stated.map((clause) => ({ ...clause, since: before.get(clause.id)?.since ?? release }));
  const ids = new Set(there.map(({ id }) => id));
  const gone = known.filter(({ id }) => !ids.has(id)).map((clause) => ({ until: release, ...clause }));
  return [...there, ...gone];
}

const introduction = `# Contracts of the ports

For authors of stores and transports. Each such port has a suite of numbered clauses, published as \`portolan/contracts/<port>\`. To test your own
implementation, pass it the functions of vitest, node:test or mocha:

\`\`\`ts
import { afterEach, beforeEach, describe, it } from 'node:test';
import { usersContract } from 'portolan/contracts/users';

usersContract(
  { describe, it, beforeEach, afterEach },
  {
    name: 'my users',
    open: async () => ({ port: new MyUsers(await emptyFolder()), close: async () => undefined }),
    reopen: async (opened) => openAgain(opened), // closes the store and opens the same data again
    beside: async (opened) => openTwice(opened), // opens the same data a second time, as another process would
    raw: async (opened) => everythingStored(opened), // returns all bytes that the store has written
    supports: { durable: true, processes: false },
  },
);
\`\`\`

- \`open\` receives \`{ clock, max }\`: the clock that the store must use for its times, and how many entries a bounded store must hold.
- \`supports\` says what your store can do. A clause that does not apply is reported as skipped. What you declare is tested too: a store that is not
  durable must be empty when it is opened again. Whether what is stored survives a power failure (fsync) no suite can see.

A number never changes its meaning, and the number of a removed clause is not used again. \`portolan/contracts/clauses.json\` is the same list for programs.
\`npm run clauses\` writes this page.
`;

/** The document docs/contracts.md. */
export function documentOf(clauses: readonly ContractClause[]): string {
  const ports = Map.groupBy(clauses, ({ port }) => port);
  const parts = [...ports].map(([port, own]) => {
    const there = own.filter(({ until }) => until === undefined);
    const gone = own.filter(({ until }) => until !== undefined);
    const lines = there.map(({ id, text, since }) => `- **${id}** ${text} (since ${since})`);
    const ends = gone.map(({ id, since, until }) => `- **${id}** was a clause from ${since} to ${until}`);
    return `\n## ${port}\n\n${[...lines, ...ends].join('\n')}\n`;
  });
  return introduction + parts.join('');
}
