import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const mapped =
  "      if (error instanceof UniqueConstraintViolationException) return err({ reason: 'email_taken' });\n      throw error;";
const adding = `    try {
      await em.persist(row).flush();
    } catch (error) {
${mapped}`;

/** Ways in which a store of users can be broken on PostgreSQL, which several processes write at once. */
export const usersOnPostgres: readonly Mutant[] = [
  ...texts(onPostgres, 'adapters/persistence/mikro-orm-users.ts', [
    [
      adding,
      `    if ((await this.#database.em.fork().count(UserRow, { emailKey: emailKeyOf(email) })) > 0) return err({ reason: 'email_taken' });
    ${pause}
${adding.replace(mapped, '      throw error;')}`,
      'looks first and adds then',
    ],
    [
      '      await em.persist(row).flush();',
      `      const [last] = await this.#database.em.fork().find(UserRow, {}, { orderBy: { id: 'desc' }, limit: 1 });
      ${pause}
      row.id = (last?.id ?? 0) + 1;
      await em.persist(row).flush();`,
      'numbers users by those that are there',
    ],
    [mapped, '      throw error;', 'throws where an e-mail is taken'],
    [
      '    return (await em.nativeUpdate(UserRow, { id }, values)) === 1;',
      `    const former = await em.findOne(UserRow, { id });
    if (former === null) return false;
    ${pause}
    const { passwordHash: hash, permissions: rights, isAdmin: is, signedOutBefore: before = null } = former;
    const whole = { passwordHash: hash, permissions: rights, isAdmin: is, signedOutBefore: before, ...values };
    return (await em.nativeUpdate(UserRow, { id }, whole)) === 1;`,
      'reads a user and writes the whole row',
    ],
    ["{ orderBy: { id: 'asc' } }", '{}', 'lists in the order in which rows were written'],
  ]),
  ...texts(onPostgres, 'adapters/persistence/migrations/0001-first-tables.ts', [
    ['email_key text not null unique', 'email_key text not null', 'has no index that keeps e-mails apart'],
  ]),
];
