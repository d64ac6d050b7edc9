import { calls, type Mutant, type PortMutants, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const file = 'adapters/stores/sealed-remote.ts';
const others = 'one.service !== client.service || rankOf(one) !== rankOf(client)';
const forgetting = 'all.filter((one) => one.service !== service));';
const leased = 'const changed = await underLease(this.#dependencies, lease, async () =>';
const storing = 'await this.#facts.replace(fact, this';
const rank = 'redirectUri === null ? 0 : 1';

/** Ways in which clients can be broken, whatever holds the facts. */
const everywhere: readonly Mutant[] = texts('memory', file, [
  ['issuer: z.string().nullable()', 'issuer: z.null().catch(null)', 'forgets whose client it is'],
  ['clientId: z.string()', 'clientId: z.string().trim()', 'trims ids'],
  [
    'clientSecret: z.string().nullable()',
    "clientSecret: z.string().nullable().transform((one) => one ?? '')",
    'has a secret for a public client',
  ],
  ['clientSecret: z.string().nullable()', 'clientSecret: z.null().catch(null)', 'loses secrets'],
  [
    'redirectUri: z.string().nullable()',
    'redirectUri: z.string().nullable().transform((one) => one?.toUpperCase() ?? null)',
    'changes redirect addresses',
  ],
  ['expiresAt: z.number().nullable()', 'expiresAt: z.null().catch(null)', 'forgets when a secret expires'],
  [
    'all.filter((one) => one.service === service).sort',
    'all.filter((one) => one.service.startsWith(service)).sort',
    'finds services that begin alike',
  ],
  [
    'all.filter((one) => one.service === service).sort',
    'all.filter((one) => one.service.trim() === service.trim()).sort',
    'does not heed blanks of a service',
  ],
  [
    'all.filter((one) => one.service === service).sort',
    'all.filter((one) => one.service.toLowerCase() === service.toLowerCase()).sort',
    'does not heed the case of a service',
  ],
  ['.sort((left, right) => rankOf(left) - rankOf(right))', '', 'returns them as they were stored'],
  ['rankOf(left) - rankOf(right)', 'rankOf(right) - rankOf(left)', 'returns the registered one first'],
  [rank, '0', 'has one client a service'],
  [
    others,
    'one.service !== client.service || one.redirectUri !== client.redirectUri',
    'has a registered client for each redirect address',
  ],
  [others, 'one.service !== client.service', 'removes the client of the other kind'],
  [others, 'rankOf(one) !== rankOf(client)', 'removes the clients of other services'],
  [others, 'one.clientId !== client.clientId', 'replaces only a client of the same id'],
  [
    forgetting,
    'all.filter((one) => one.service !== service || one.redirectUri === null));',
    'keeps the entered client of a forgotten service',
  ],
  [
    forgetting,
    'all.filter((one) => one.service !== service || one.redirectUri !== null));',
    'keeps the registered client of a forgotten service',
  ],
  [forgetting, 'all.filter((one) => !one.service.startsWith(service)));', 'forgets services that begin alike'],
  [forgetting, '[]);', 'forgets all'],
  [forgetting, 'all);', 'forgets nothing'],
]);

/** What several processes do at once. */
const together = (on: string): readonly Mutant[] =>
  texts(on, file, [
    [
      leased,
      'const changed = await (async (_: unknown, __: unknown, work: () => Promise<void>) => ({ ok: true, value: await work() }))(this.#dependencies, lease, async () =>',
      'changes the clients without the lease',
    ],
    ['wait: { maxMs: waitMs, pollMs, pause } };', '};', 'does not wait for another change'],
  ]);

/** What only shows in what is written. */
const beside = (on: string): readonly Mutant[] =>
  texts(on, 'adapters/stores/sealed-fact.ts', [
    [
      storing,
      `await this.#facts.replace('copy', JSON.stringify(value));\n    ${storing}`,
      'stores what can be read as well',
    ],
  ]);

/** Ways in which a store of clients at authorization servers of remote MCP servers can be broken. */
export const remoteClients: PortMutants = {
  port: 'remote-clients',
  mutants: [
    ...everywhere,
    ...beside('SQLite'),
    ...beside(onPostgres),
    ...together('SQLite'),
    ...together(onPostgres),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'loses every client'],
      [{ op: 'once', method: 'keep' }, 'loses every client but the first'],
      [{ op: 'lost', method: 'forget' }, 'forgets none'],
      [{ op: 'late', method: 'keep' }, 'stores after it has answered'],
      [{ op: 'stale', method: 'of' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'of' }, 'hands out one object again and again'],
      [{ op: 'reversed', method: 'of' }, 'turns the order'],
      [{ op: 'short', method: 'of' }, 'leaves the last one out'],
    ]),
  ],
};
