import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import { InboxRow } from '#adapters/persistence/schema/webhook-inbox.ts';
import { type InboxState, inboxStates, maxCounted } from '#application/ports/webhook-inbox.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const countSchema = z.tuple([z.object({ entries: z.coerce.number() })]);

/** Counts the entries by state. */
export async function stateCounts(database: Database): Promise<Readonly<Record<InboxState, number>>> {
  const none = { pending: 0, leased: 0, done: 0, ignored: 0, skipped: 0, dead: 0 };
  const counted = inboxStates.map(async (state) => [state, await count(database, `state = '${state}'`)] as const);
  return { ...none, ...Object.fromEntries(await Promise.all(counted)) };
}

/** Counts the faulty entries. */
export function faultyCount(database: Database): Promise<number> {
  return count(database, 'is_faulty = 1');
}

/** Counts through an index, and no further than `maxCounted`: the number of finished entries grows for good. */
async function count({ em }: Database, where: string): Promise<number> {
  const fork = em.fork();
  const some = fork.qb(InboxRow, 'entry').select('seq').where(where).limit(maxCounted);
  const query = fork.qb(InboxRow).select(raw('count(*) as entries')).from(some, 'counted');
  const [{ entries }] = countSchema.parse(await query.execute('all', false));
  return entries;
}
