import { z } from 'zod';
import type { Ending, InboxEntry, NewInboxEntry } from '#application/ports/webhook-inbox.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

const affectedSchema = z.object({ affectedRows: z.number() });
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

/**
 * Ends an entry's attempt; false when its lease is no longer held by the claimant. `now` is SQL for the current time.
 */
export async function endEntry(em: Statements, { entry, ending }: Ended, now: string): Promise<boolean> {
  const { change, values } = changeOf(ending, now);
  const result: unknown = await em.execute(
    `update webhook_inbox set ${change}, lease_owner = null, lease_until = null
     where seq = ? and state = 'leased' and lease_owner = ? and attempts = ?`,
    [...values, entry.seq, entry.leaseOwner, entry.attempts],
    'run',
  );
  return affectedSchema.parse(result).affectedRows === 1;
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

/** The columns that an ending sets. */
function changeOf(ending: Ending, now: string): Readonly<{ change: string; values: readonly unknown[] }> {
  switch (ending.kind) {
    case 'done':
    case 'ignored': {
      const isFaulty = ending.kind === 'done' && ending.isFaulty === true;
      const change = `state = ?, outcome = ?, is_faulty = ?, error = null, failing_since = null, finished_at = ${now}`;
      return { change, values: [ending.kind, ending.outcome, isFaulty ? 1 : 0] };
    }
    case 'retry': {
      const at = `${now} + ${Math.trunc(ending.delayMs)}`;
      const change = `state = 'pending', error = ?, calls = ?, available_at = ${at}, failing_since = coalesce(failing_since, ${now})`;
      return { change, values: [ending.error, ending.calls] };
    }
    case 'waits': {
      const at = `${now} + ${Math.trunc(ending.delayMs)}`;
      const change = `state = 'pending', error = ?, calls = ?, available_at = ${at}, failing_since = null, attempts = attempts - 1`;
      return { change, values: [ending.error, ending.calls] };
    }
    case 'dead':
      return { change: `state = 'dead', error = ?, finished_at = ${now}`, values: [ending.error] };
  }
}
