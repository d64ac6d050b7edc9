import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const keeping = '      await this.#links.put(row);';

/** Ways in which the mapping between the CRMs can be broken on PostgreSQL, which several processes write at once. */
export const partyLinksOnPostgres: readonly Mutant[] = texts(onPostgres, 'adapters/persistence/sql-party-links.ts', [
  [
    keeping,
    `      if ((await this.#links.update(keysOf(record), link)) > 0) return true;
      ${pause}
      await this.#links.insert(row);`,
    'changes what is there, else adds',
  ],
  [
    keeping,
    `      await this.#links.delete(keysOf(record));\n      ${pause}\n      await this.#links.insert(row);`,
    'deletes first and adds then',
  ],
  [
    keeping,
    `      await this.#links.delete(keysOf(record));\n      ${pause}\n      await this.#links.add(row);`,
    'deletes first, and adds what nobody else has added',
  ],
  [keeping, '      await this.#links.insert(row);', 'fails where a record has a link'],
  [keeping, '      await this.#links.add(row);', 'keeps the first link'],
  [keeping, keeping.replace('await this', 'void this'), 'does not wait for the commit'],
]);
