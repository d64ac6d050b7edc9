import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const changing = '(await this.#registrations.update({ userId, service, name, version }, kept)) === 1';
const adding = 'await this.#registrations.add(kept)';
const place = '{ userId, service, name }';

/** Ways in which a store of webhook registrations can be broken on PostgreSQL, which several processes write at once. */
export const registrationsOnPostgres: readonly Mutant[] = texts(
  onPostgres,
  'adapters/persistence/sql-webhook-registrations.ts',
  [
    [
      changing,
      `await (async () => {
          if ((await this.#registrations.find({ userId, service, name, version })) === null) return false;
          ${pause}
          return (await this.#registrations.update(${place}, kept)) === 1;
        })()`,
      'looks at the version first, and changes then',
    ],
    [
      adding,
      `await (async () => {
          if ((await this.#registrations.find(${place})) !== null) return false;
          ${pause}
          await this.#registrations.insert(kept);
          return true;
        })()`,
      'looks first and adds then',
    ],
    [
      adding,
      'await this.#registrations.put(kept).then(() => true)',
      'puts a second first one in the place of the first',
    ],
    [adding, 'await this.#registrations.insert(kept).then(() => true)', 'fails where the place is taken'],
    [
      'return (await this.#registrations.delete({ userId, service, name, version })) === 1;',
      `if ((await this.#registrations.find({ userId, service, name, version })) === null) return false;
    ${pause}
    await this.#registrations.delete(${place});
    return true;`,
      'looks first and removes then',
    ],
    [
      "list({}, { userId: 'asc', service: 'asc', name: 'asc' })",
      'list({})',
      'lists in the order in which rows were written',
    ],
  ],
);
