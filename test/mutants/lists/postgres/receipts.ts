import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const using = `    await this.#database.em.fork().execute(
      \`insert into webhook_secret_uses (service, secret_id, used_at) values (?, ?, ?)
       on conflict (service, secret_id) do update set used_at = excluded.used_at
       where excluded.used_at > webhook_secret_uses.used_at\`,`;
const counting = `        \`insert into webhook_stale (service, delivery_id, received_at, age_ms, times) values (?, ?, ?, ?, 1)
         on conflict (service, delivery_id) do update set received_at = excluded.received_at, age_ms = excluded.age_ms,
           times = webhook_stale.times + 1\`,`;
const noting = `      await em.execute(\n${counting}`;

/** Ways in which a log of receipts can be broken on PostgreSQL, which several processes write at once. */
export const receiptsOnPostgres: readonly Mutant[] = texts(onPostgres, 'adapters/persistence/sql-receipt-log.ts', [
  [
    using,
    `    const later: readonly unknown[] = await this.#database.em.fork().execute(
      'select service from webhook_secret_uses where service = ? and secret_id = ? and used_at >= ?',
      [use.service, use.secretId, use.usedAt],
    );
    if (later.length > 0) return;
    ${pause}
${using.replace(/\n {7}where [^`]*/, '')}`,
    'looks for a later use first, and writes then',
  ],
  [using, using.replace(/\n {7}where [^`]*/, ''), 'goes back in time'],
  [using, using.replace(/\n {7}on conflict [^`]*/, ''), 'fails where a secret was used before'],
  [
    noting,
    `      const known: readonly Readonly<{ times: string }>[] = await em.execute(
        'select times from webhook_stale where service = ? and delivery_id = ?',
        [of, deliveryId],
      );
      ${pause}
      const times = Number(known[0]?.times ?? 0) + 1;
      await em.execute(
${counting.replace('webhook_stale.times + 1', '${times}').replace(', 1)', ', ${times})')}`,
    'reads a count first, and writes the next',
  ],
  [
    noting,
    `      const known: readonly unknown[] = await em.execute(
        'update webhook_stale set times = times + 1, received_at = ?, age_ms = ? where service = ? and delivery_id = ? returning times',
        [receivedAt, ageMs, of, deliveryId],
      );
      if (known.length > 0) return;
      ${pause}
      await em.execute(
${counting.replace(/\n {9}on conflict [^`]*/, '')}`,
    'looks for a stale delivery first, and adds it then',
  ],
  [noting, noting.replace(/\n {9}on conflict [^`]*/, ''), 'fails where a stale delivery comes again'],
  ['order by service, secret_id', '', 'lists uses in the order in which they were written'],
  [
    'from webhook_stale\n       order by received_at desc, delivery_id',
    'from webhook_stale\n       order by received_at desc',
    'lists those of one time in any order',
  ],
  ['const whole = z.coerce.number().int();', 'const whole = z.number().int();', 'takes no numbers that come as text'],
]);
