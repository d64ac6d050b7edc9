import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const sql = 'adapters/persistence/sql-webhook-inbox.ts';
const locking = 'select pg_advisory_xact_lock(hashtextextended(order_key, 0))';
const records = `(select distinct order_key collate "C" as order_key from given order by 1)`;
const endingOf = `  const rows: unknown = await em.execute(
    \`with given (\${ended}) as (\${sql})
     update webhook_inbox set
       state = case when given.ending in ('retry', 'waits') then 'pending' else given.ending end,
       outcome = coalesce(given.outcome, webhook_inbox.outcome),
       is_faulty = coalesce(cast(given.is_faulty as bigint), webhook_inbox.is_faulty),
       error = given.error,
       calls = case when given.ending in ('retry', 'waits') then given.calls else webhook_inbox.calls end,
       available_at = coalesce(\${now} + cast(given.delay_ms as bigint), available_at),
       failing_since = case given.ending when 'retry' then coalesce(failing_since, \${now})
         when 'dead' then failing_since end,
       attempts = webhook_inbox.attempts - case given.ending when 'waits' then 1 else 0 end,
       finished_at = case when given.ending in ('retry', 'waits') then finished_at else \${now} end,
       lease_owner = null, lease_until = null
     from given
     where webhook_inbox.seq = cast(given.seq as bigint) and lease_owner = given.owner
       and webhook_inbox.attempts = cast(given.attempts as bigint)
`;
const isGiven = "from given where ${kind === 'postgres' ? locked : 'true'}";
const inserting = `  const values = entries.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
  const rows: unknown = await em.execute(
    \`with given (\${given}) as (values \${values})
     insert into webhook_inbox (\${given}, state, received_at, available_at, attempts, is_faulty)
     select \${given}, 'pending', \${now}, \${now}, 0, 0 from given where \${kind === 'postgres' ? locked : 'true'}
     on conflict (service, delivery_id) do nothing returning service, delivery_id\`,`;
const rewriting = 'changed += await em.nativeUpdate(InboxRow, { seq, body: before }, { body: after });';
const skipping = "return (await this.#entries.update({ seq, state: { $in: ['pending', 'dead'] } }, values)) === 1;";
const replaying = 'return (await this.#entries.update({ seq, state, body: { $ne: null } }, this.#again())) === 1;';

/** Ways in which a webhook inbox can be broken on PostgreSQL, which several processes write at once. */
export const inboxOnPostgres: readonly Mutant[] = [
  ...texts(onPostgres, sql, [
    [
      rewriting,
      `if ((await em.count(InboxRow, { seq, body: before })) === 0) continue;
        ${pause}
        changed += await em.nativeUpdate(InboxRow, { seq }, { body: after });`,
      'looks at a body first, and rewrites it then',
    ],
    [
      skipping,
      `if ((await this.#entries.find({ seq, state: { $in: ['pending', 'dead'] } })) === null) return false;
    ${pause}
    return (await this.#entries.update({ seq }, values)) === 1;`,
      'looks at a state first, and skips then',
    ],
    [
      replaying,
      `const there = await this.#entries.find({ seq, state, body: { $ne: null } });
    ${pause}
    return there !== null && (await this.#entries.update({ seq }, { state: 'pending' })) === 1;`,
      'looks at a state first, and replays then',
    ],
  ]),
  ...texts(onPostgres, 'adapters/persistence/inbox-due.ts', [
    ["'for update of entry skip locked'", "''", 'locks no entry that it claims'],
    [
      "'for update of entry skip locked'",
      "'for share of entry skip locked'",
      'shares the lock of an entry that it claims',
    ],
    [
      'for update of entry skip locked',
      'for update of entry',
      'waits for what another claims',
      'Who waited finds the entries leased, and takes the next ones.',
    ],
  ]),
  ...texts(onPostgres, 'adapters/persistence/inbox-changes.ts', [
    [
      endingOf,
      `  for (const { entry } of endings) {
    const held = z.array(z.unknown()).parse(await em.execute(
      "select seq from webhook_inbox where seq = ? and state = 'leased' and lease_owner = ? and attempts = ?",
      [entry.seq, entry.leaseOwner, entry.attempts],
    ));
    if (held.length === 0) return endings.map(() => false);
  }
  ${pause}
${endingOf.replace(/ and lease_owner[^`]*$/, '\n')}`,
      'looks at a lease first, and ends then',
    ],
    [isGiven, 'from given where true', 'locks no record'],
    [locking, locking.replace('pg_', 'pg_try_'), 'does not wait for the lock of a record'],
    [locking, locking.replace('order_key,', 'order_key || random()::text,'), 'locks something else'],
    [locking, locking.replace('xact_lock', 'xact_lock_shared'), 'shares the lock of a record'],
    [records, records.replace('order by 1', 'order by 1 limit 1'), 'locks the first record of a call only'],
    [records, records.replace('order by 1', 'order by 1 desc limit 1'), 'locks the last record of a call only'],
    [records, '(select order_key from given)', 'locks records in the order in which they come'],
    ['on conflict (service, delivery_id) do nothing returning', 'returning', 'fails where a delivery comes again'],
    [
      inserting,
      `  const known = new Set<string>();
  for (const { service, deliveryId } of entries) {
    const there: readonly unknown[] = await em.execute('select seq from webhook_inbox where service = ? and delivery_id = ?', [service, deliveryId]);
    if (there.length > 0) known.add(keyOf(service, deliveryId));
  }
  ${pause}
  if (known.size > 0) {
    return insertEntries(em, calls.map((call) => call.filter((one) => !known.has(keyOf(one.service, one.deliveryId)))), { kind, now });
  }
${inserting.replace('on conflict (service, delivery_id) do nothing ', '')}`,
      'looks for a delivery first, and keeps it then',
    ],
  ]),
];
