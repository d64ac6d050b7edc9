import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const saving = '    await this.#database.em.fork().transactional(async (em) => {\n      await em.upsert';
const upserted = "await em.upsert(OutboundTokenRow, columnsOf(record), { onConflictFields: ['userId', 'service'] });";
const status = "await em.upsert(ConnectionStatusRow, columns, { onConflictFields: ['userId', 'service'] });";
const replacing = 'if ((await em.nativeUpdate(OutboundTokenRow, stored, columnsOf(after))) === 0) return false;';

/** Ways in which a store of connections can be broken on PostgreSQL, which several processes write at once. */
export const connectionsOnPostgres: readonly Mutant[] = [
  ...texts(onPostgres, 'adapters/persistence/mikro-orm-connections.ts', [
    [
      replacing,
      `if ((await em.count(OutboundTokenRow, stored)) === 0) return false;
      ${pause}
      await em.nativeUpdate(OutboundTokenRow, place, columnsOf(after));`,
      'looks first and replaces then',
    ],
    [
      upserted,
      `const there = await em.count(OutboundTokenRow, placeOf(record));
      ${pause}
      if (there === 0) await em.insert(OutboundTokenRow, columnsOf(record));
      else await em.nativeUpdate(OutboundTokenRow, placeOf(record), columnsOf(record));`,
      'looks first and saves then',
    ],
    [
      status,
      `await em.nativeDelete(ConnectionStatusRow, placeOf(record));
      await em.insert(ConnectionStatusRow, columns);`,
      'puts a status in the place of the former in two steps',
      'The row of the credentials is locked by then, and those who save the same connection wait for it.',
    ],
    [
      saving,
      '    await (async (em) => {\n      await em.upsert',
      'saves credentials and their status one after the other',
    ],
    [
      'const removed = await em.nativeDelete(OutboundTokenRow, { userId, service });',
      `const removed = await em.count(OutboundTokenRow, { userId, service });
      ${pause}
      await em.nativeDelete(OutboundTokenRow, { userId, service });`,
      'looks first and removes then',
    ],
    [
      'return (await this.#database.em.fork().nativeUpdate(OutboundTokenRow, stored, { accessToken, refreshToken })) === 1;',
      `if ((await this.#database.em.fork().count(OutboundTokenRow, stored)) === 0) return false;
    ${pause}
    return (await this.#database.em.fork().nativeUpdate(OutboundTokenRow, placeOf(before), { accessToken, refreshToken })) === 1;`,
      'looks first and rewrites then',
    ],
    [
      'on conflict (user_id, service) do update set state = excluded.state, since',
      'on conflict (user_id, service) do update set since',
      'keeps the former state',
    ],
    [
      'OutboundTokenRow, { fields, orderBy }',
      'OutboundTokenRow, { fields }',
      'lists places in the order in which they were written',
    ],
  ]),
  ...texts(onPostgres, 'adapters/persistence/migrations/0001-first-tables.ts', [
    [
      'access_token text not null, refresh_token text, scope text, expires_at bigint, extra text not null,\n        unique (user_id, service)',
      'access_token text not null, refresh_token text, scope text, expires_at bigint, extra text not null',
      'has no index that keeps connections apart',
    ],
  ]),
];
