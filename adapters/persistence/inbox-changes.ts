import { z } from 'zod';
import { rowsOfValues } from '#adapters/persistence/rows-of-values.ts';
import type { Ending, InboxEntry, NewInboxEntry } from '#application/ports/webhook-inbox.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

const seqsSchema = z.array(z.object({ seq: z.coerce.number() }));
const keptSchema = z.array(z.object({ service: z.string(), delivery_id: z.string() }));

/** A claimed entry, and how its attempt ended. */
export type Ended = Readonly<{ entry: InboxEntry; ending: Ending }>;

const given = 'service, delivery_id, order_key, event, calls, traceparent, body';

/**
 * Locks the records of the given entries until the statement has committed, in one order for all servers, so that
 * `seq` is the order of the commits within a record. It is evaluated before the first entry is inserted.
 */
const locked = `(select count(*) from (
    select pg_advisory_xact_lock(hashtextextended(order_key, 0))
    from (select distinct order_key collate "C" as order_key from given order by 1) records
  ) locks) is not null`;

/**
 * Inserts the entries of several calls with one statement; returns for each call the number of new entries. Duplicates
 * are ignored. `now` is SQL for the current time.
 */
export async function insertEntries(
  em: Statements,
  calls: readonly (readonly NewInboxEntry[])[],
  { kind, now }: Readonly<{ kind: DatabaseKind; now: string }>,
): Promise<readonly number[]> {
  const entries = calls.flat();
  if (entries.length === 0) return calls.map(() => 0);
  const values = entries.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
  const rows: unknown = await em.execute(
    `with given (${given}) as (values ${values})
     insert into webhook_inbox (${given}, state, received_at, available_at, attempts, is_faulty)
     select ${given}, 'pending', ${now}, ${now}, 0, 0 from given where ${kind === 'postgres' ? locked : 'true'}
     on conflict (service, delivery_id) do nothing returning service, delivery_id`,
    entries.flatMap(({ service, deliveryId, orderKey, event, calls = null, traceparent = null, body }) => [
      service,
      deliveryId,
      orderKey,
      event,
      calls,
      traceparent,
      body,
    ]),
  );
  const isNew = new Set(keptSchema.parse(rows).map(({ service, delivery_id }) => keyOf(service, delivery_id)));
  // Two calls may contain the same id at once: only the first counts it as new.
  return calls.map((call) => call.filter((one) => isNew.delete(keyOf(one.service, one.deliveryId))).length);
}

function keyOf(service: string, deliveryId: string): string {
  return `${service}/${deliveryId}`;
}

const ended = 'seq, owner, attempts, ending, outcome, is_faulty, error, calls, delay_ms';
const endedTypes = ['bigint', 'text', 'bigint', 'text', 'text', 'bigint', 'text', 'text', 'bigint'] as const;

/**
 * Ends the attempts of entries with one statement; false for each whose lease is no longer held by its claimant. `now`
 * is SQL for the current time.
 */
export async function endEntries(
  em: Statements,
  endings: readonly Ended[],
  { kind, now }: Readonly<{ kind: DatabaseKind; now: string }>,
): Promise<readonly boolean[]> {
  const { sql, values } = rowsOfValues(kind, endedTypes, endings.map(valuesOf));
  // Only what is leased has an owner; PostgreSQL would read all that is open for the few that it expects in that state.
  const rows: unknown = await em.execute(
    `with given (${ended}) as (${sql})
     update webhook_inbox set
       state = case when given.ending in ('retry', 'waits') then 'pending' else given.ending end,
       outcome = coalesce(given.outcome, webhook_inbox.outcome),
       is_faulty = coalesce(cast(given.is_faulty as bigint), webhook_inbox.is_faulty),
       error = given.error,
       calls = case when given.ending in ('retry', 'waits') then given.calls else webhook_inbox.calls end,
       available_at = coalesce(${now} + cast(given.delay_ms as bigint), available_at),
       failing_since = case given.ending when 'retry' then coalesce(failing_since, ${now})
         when 'dead' then failing_since end,
       attempts = webhook_inbox.attempts - case given.ending when 'waits' then 1 else 0 end,
       finished_at = case when given.ending in ('retry', 'waits') then finished_at else ${now} end,
       lease_owner = null, lease_until = null
     from given
     where webhook_inbox.seq = cast(given.seq as bigint) and lease_owner = given.owner
       and webhook_inbox.attempts = cast(given.attempts as bigint)
     returning webhook_inbox.seq as seq`,
    values,
  );
  const changed = new Set(seqsSchema.parse(rows).map(({ seq }) => seq));
  // The same process may have claimed an entry again before it ended a lost claim of it: the later claim holds it.
  const latest = new Map<number, Ended>();
  for (const one of endings) {
    if (one.entry.attempts >= (latest.get(one.entry.seq)?.entry.attempts ?? 0)) latest.set(one.entry.seq, one);
  }
  return endings.map((one) => changed.has(one.entry.seq) && latest.get(one.entry.seq) === one);
}

/** The values of an ending: null for what it does not change. */
function valuesOf({ entry, ending }: Ended): readonly unknown[] {
  const { seq, leaseOwner, attempts } = entry;
  const place = [seq, leaseOwner, attempts, ending.kind];
  switch (ending.kind) {
    case 'done':
      return [...place, ending.outcome, ending.isFaulty === true ? 1 : 0, null, null, null];
    case 'ignored':
      return [...place, ending.outcome, 0, null, null, null];
    case 'retry':
    case 'waits':
      return [...place, null, null, ending.error, ending.calls, Math.trunc(ending.delayMs)];
    case 'dead':
      return [...place, null, null, ending.error, null, null];
  }
}

/** Skips those of the claimed rows that are not among the entries, so that they hold up no later delivery. */
export async function skipUnreadable(
  em: Statements,
  rows: readonly unknown[],
  entries: readonly InboxEntry[],
  now: string,
): Promise<void> {
  const read = new Set(entries.map(({ seq }) => seq));
  for (const { seq } of seqsSchema.parse(rows)) {
    if (read.has(seq)) continue;
    await em.execute(
      `update webhook_inbox set state = 'skipped', error = 'its row cannot be read', finished_at = ${now},
         lease_owner = null, lease_until = null
       where seq = ?`,
      [seq],
      'run',
    );
  }
}
