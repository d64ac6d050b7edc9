import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const using = `const query = this.#uses.into(use).onConflict(['service', 'secretId']).merge(['usedAt']);
    await query.where({ usedAt: { $lt: use.usedAt } }).execute('run');`;
const counting = `const query = this.#stale.into({ ...stale, times: 1 }, em).onConflict(['service', 'deliveryId']);
      await query.merge({ receivedAt, ageMs, times: raw('webhook_stale.times + 1') }).execute('run');`;
const place = '{ service: stale.service, deliveryId: stale.deliveryId }';

/** Ways in which a log of receipts can be broken on PostgreSQL, which several processes write at once. */
export const receiptsOnPostgres: readonly Mutant[] = texts(onPostgres, 'adapters/persistence/sql-receipt-log.ts', [
  [
    using,
    `const { service, secretId, usedAt } = use;
    if ((await this.#uses.find({ service, secretId, usedAt: { $gte: usedAt } })) !== null) return;
    ${pause}
    await this.#uses.put(use);`,
    'looks for a later use first, and writes then',
  ],
  [using, 'await this.#uses.put(use);', 'goes back in time'],
  [using, 'await this.#uses.insert(use);', 'fails where a secret was used before'],
  [
    counting,
    `const known = await this.#stale.find(${place});
      ${pause}
      await this.#stale.put({ ...stale, times: (known?.times ?? 0) + 1 }, em);`,
    'reads a count first, and writes the next',
  ],
  [
    counting,
    `const known = await this.#stale.find(${place});
      ${pause}
      if (known === null) await this.#stale.insert({ ...stale, times: 1 }, em);
      else ${counting.replace('const query', 'await (async () => { const query')} })();`,
    'looks for a stale delivery first, and adds it then',
  ],
  [counting, 'await this.#stale.insert({ ...stale, times: 1 }, em);', 'fails where a stale delivery comes again'],
  ["list({}, { service: 'asc', secretId: 'asc' })", 'list({})', 'lists uses in the order in which they were written'],
  ["deliveryId: 'asc' }", '}', 'lists those of one time in any order'],
]);
