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
 * The list anew: a clause that is known keeps its release, a new one gets `release`, one that no suite states any more is
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

Each port that stores or carries something has a suite of numbered clauses, published as \`portolan/contracts/<port>\`. A store of your own is
held to it under vitest, node:test or mocha, whose functions are passed in:

\`\`\`ts
import { afterEach, beforeEach, describe, it } from 'node:test';
import { usersContract } from 'portolan/contracts/users';

usersContract(
  { describe, it, beforeEach, afterEach },
  {
    name: 'my users',
    open: async () => ({ port: new MyUsers(await emptyFolder()), close: async () => undefined }),
    reopen: async (opened) => openAgain(opened), // ends the store and opens what it stored
    beside: async (opened) => openTwice(opened), // the same store, as another process opens it
    raw: async (opened) => everythingStored(opened), // all bytes that it has written
    supports: { durable: true, processes: false },
  },
);
\`\`\`

\`open\` is given \`{ clock, max }\`: the clock that the store's times are judged by, and how many entries a bounded store holds. What \`supports\`
says a store cannot do is printed as skipped, and is judged where it can be: a store that is said to forget must forget.

A number never changes its meaning. A clause that is taken out keeps its number, which no other gets; the same list is published as
\`portolan/contracts/clauses.json\`. This page is written by \`npm run clauses\`.
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
