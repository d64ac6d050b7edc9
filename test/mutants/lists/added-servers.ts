import { calls, type Mutant, type PortMutants, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const file = 'adapters/stores/sealed-remote.ts';
const fact = 'adapters/stores/sealed-fact.ts';
const storing = 'await this.#facts.replace(fact, this';
const reading = 'return (await this.#fact.read()) ?? [];\n  }\n\n  replace';
const putting = 'return this.#fact.replace(servers);';

/** Ways in which the list of added servers can be broken, whatever holds the facts. */
const everywhere: readonly Mutant[] = [
  ...texts('memory', file, [
    ['title: z.string()', 'title: z.string().trim()', 'trims titles'],
    ['url: z.string()', 'url: z.string().transform((one) => new URL(one).origin)', 'keeps the origin of an address'],
    [
      "connection: z.enum(['oauth', 'key', 'none'])",
      "connection: z.literal('oauth').catch('oauth')",
      'has OAuth for all',
    ],
    ['userId: z.number()', 'userId: z.number().transform(() => 1)', 'forgets who added a server'],
    ['at: z.number()', 'at: z.number().transform((one) => Math.trunc(one / 1000) * 1000)', 'keeps seconds'],
    [reading, reading.replace(' ?? []', '?.slice(0, 1) ?? []'), 'returns the first'],
    [reading, reading.replace(' ?? []', '?.toReversed() ?? []'), 'returns them in the opposite order'],
    [
      reading,
      reading.replace(' ?? []', '?.toSorted((left, right) => (left.key < right.key ? -1 : 1)) ?? []'),
      'returns them by key',
    ],
    [putting, 'return this.read().then((all) => this.#fact.replace([...all, ...servers]));', 'adds to what is there'],
    [putting, 'return servers.length === 0 ? Promise.resolve() : this.#fact.replace(servers);', 'cannot be emptied'],
    [
      putting,
      'return this.#fact.replace(servers.filter((one) => one.connection !== "none"));',
      'keeps those with a connection',
    ],
  ]),
  ...texts('memory', fact, [['sealed === null ? null', 'sealed !== null ? null', 'reads what is not there']]),
];

/** What only shows in what is written. */
const beside = (on: string): readonly Mutant[] =>
  texts(on, fact, [
    [
      storing,
      `await this.#facts.replace('copy', JSON.stringify(value));\n    ${storing}`,
      'stores what can be read as well',
    ],
  ]);

/** Ways in which a store of added MCP servers can be broken. */
export const addedServers: PortMutants = {
  port: 'added-servers',
  mutants: [
    ...everywhere,
    ...beside('SQLite'),
    ...beside(onPostgres),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'replace' }, 'loses every list'],
      [{ op: 'once', method: 'replace' }, 'loses every list but the first'],
      [{ op: 'late', method: 'replace' }, 'stores after it has answered'],
      [{ op: 'stale', method: 'read' }, 'remembers what it read first'],
      [{ op: 'shared', method: 'read' }, 'hands out one object again and again'],
      [{ op: 'reversed', method: 'read' }, 'turns the order'],
      [{ op: 'short', method: 'read' }, 'leaves the last one out'],
    ]),
  ],
};
