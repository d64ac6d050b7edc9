import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const saved = 'await this.#connections.put(record, em);';
const status = 'await this.#statuses.put({ userId, service, ...statusColumns(status) }, em);';
const replacing =
  'if ((await em.nativeUpdate(ConnectionRow, { userId, service, accessToken }, after)) === 0) return false;';

/** Ways in which a store of connections can be broken on PostgreSQL, which several processes write at once. */
export const connectionsOnPostgres: readonly Mutant[] = [
  ...texts(onPostgres, 'adapters/persistence/mikro-orm-connections.ts', [
    [
      replacing,
      `if ((await em.count(ConnectionRow, { userId, service, accessToken })) === 0) return false;
      ${pause}
      await em.nativeUpdate(ConnectionRow, { userId, service }, after);`,
      'looks first and replaces then',
    ],
    [
      saved,
      `const there = await em.count(ConnectionRow, { userId, service });
      ${pause}
      if (there === 0) await this.#connections.insert(record, em);
      else await em.nativeUpdate(ConnectionRow, { userId, service }, record);`,
      'looks first and saves then',
    ],
    [
      status,
      `await em.nativeDelete(ConnectionStatusRow, { userId, service });
      await this.#statuses.insert({ userId, service, ...statusColumns(status) }, em);`,
      'puts a status in the place of the former in two steps',
      'The row of the credentials is locked by then, and those who save the same connection wait for it.',
    ],
    [
      `${saved}\n      ${status}`,
      `${saved.replace(', em', '')}\n      ${status.replace(', em', '')}`,
      'saves credentials and their status one after the other',
    ],
    [
      'const removed = await em.nativeDelete(ConnectionRow, { userId, service });',
      `const removed = await em.count(ConnectionRow, { userId, service });
      ${pause}
      await em.nativeDelete(ConnectionRow, { userId, service });`,
      'looks first and removes then',
    ],
    [
      'return (await this.#connections.update({ userId, service, accessToken }, values)) === 1;',
      `if ((await this.#connections.find({ userId, service, accessToken })) === null) return false;
    ${pause}
    return (await this.#connections.update({ userId, service }, values)) === 1;`,
      'looks first and rewrites then',
    ],
    [
      'on conflict (user_id, service) do update set state = excluded.state, since',
      'on conflict (user_id, service) do update set since',
      'keeps the former state',
    ],
    [
      "this.#places().orderBy({ userId: 'asc', service: 'asc' })",
      'this.#places()',
      'lists places in the order in which they were written',
    ],
  ]),
  ...texts(onPostgres, 'adapters/persistence/first-migrations.ts', [
    [
      'access_token text not null, refresh_token text, scope text, expires_at bigint, extra text not null,\n        unique (user_id, service)',
      'access_token text not null, refresh_token text, scope text, expires_at bigint, extra text not null',
      'has no index that keeps connections apart',
    ],
  ]),
];
