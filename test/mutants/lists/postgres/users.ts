import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const adding = ".onConflict(['emailKey']).ignore()";
const changing = 'return (await this.#users.update({ id }, values)) === 1;';

/** Ways in which a store of users can be broken on PostgreSQL, which several processes write at once. */
export const usersOnPostgres: readonly Mutant[] = [
  ...texts(onPostgres, 'adapters/persistence/mikro-orm-users.ts', [
    [
      `    const query = this.#users.into(row, em)${adding}`,
      `    if ((await this.#users.find({ emailKey: row.emailKey })) !== null) return err({ reason: 'email_taken' });
    ${pause}
    const query = this.#users.into(row, em)`,
      'looks first and adds then',
    ],
    [
      '{ ...user, name, email:',
      `{ ...user, name, id: await (async () => {
      const last = (await this.#users.list({}, { id: 'desc' }))[0];
      ${pause}
      return (last?.id ?? 0) + 1;
    })(), email:`,
      'numbers users by those that are there',
    ],
    [adding, '', 'throws where an e-mail is taken'],
    [
      changing,
      `const former = await this.#users.find({ id });
    if (former === null) return false;
    ${pause}
    return (await this.#users.update({ id }, { ...former, ...values })) === 1;`,
      'reads a user and writes the whole row',
    ],
    ["list({}, { id: 'asc' })", 'list({})', 'lists in the order in which rows were written'],
  ]),
  ...texts(onPostgres, 'adapters/persistence/first-migrations.ts', [
    ['email_key text not null unique', 'email_key text not null', 'has no index that keeps e-mails apart'],
  ]),
];
