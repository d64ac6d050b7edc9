import { z } from 'zod';
import type { ActivityLog, ActivityQuery, StoredActivity } from '#application/ports/activity-log.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import { failureReasons } from '#domain/operations/outcome.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();

/** A row as drivers return it: PostgreSQL returns integers as strings. */
const rowSchema = z.object({
  id: whole,
  at: whole,
  user_id: whole,
  grant_id: z.string().nullable(),
  app: z.string().nullable(),
  service: z.string(),
  operation: z.string(),
  effect: z.enum(['read', 'write', 'destroy']),
  record_id: z.string().nullable(),
  record_url: z.string().nullable(),
  outcome: z.enum(['ok', ...failureReasons]),
  ms: whole,
});
const appRow = z.object({ app: z.string() });
const place = { table: 'activity', keys: ['id'] } as const;

/** The maximum number of rows per insert, within the bind parameters that each database allows. */
const rowsAStatement = 500;
const columns = 'at, user_id, grant_id, app, service, operation, effect, record_id, record_url, outcome, ms';

/** Stores what apps did in the database. */
export class SqlActivityLog implements ActivityLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(entries: readonly ActivityEntry[]): Promise<void> {
    const em = this.#database.em.fork();
    // A single statement is its own transaction.
    if (entries.length <= rowsAStatement) return insert(em, entries);
    await em.transactional(async (inOne) => {
      for (let start = 0; start < entries.length; start += rowsAStatement) {
        await insert(inOne, entries.slice(start, start + rowsAStatement));
      }
    });
  }

  async list({ userId, service, app, from, until, before, limit }: ActivityQuery): Promise<readonly StoredActivity[]> {
    const conditions = [
      ['user_id = ?', userId],
      ['service = ?', service],
      ['app = ?', app],
      ['at >= ?', from],
      ['at < ?', until],
      ['id < ?', before],
    ].filter((pair): pair is [string, string | number] => pair[1] !== undefined);
    const where = conditions.length === 0 ? '' : `where ${conditions.map(([sql]) => sql).join(' and ')}`;
    const rows: unknown[] = await this.#database.em.fork().execute(
      `select * from activity ${where} order by id desc limit ${Math.trunc(limit)}`,
      conditions.map(([, value]) => value),
    );
    return this.#database.rows.read(place, rows, toEntry);
  }

  async apps(userId: number | null): Promise<readonly string[]> {
    const [where, values] = userId === null ? ['', []] : ['and user_id = ?', [userId]];
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute(`select distinct app from activity where app is not null ${where} order by app limit 200`, values);
    return rows.flatMap((row) => appRow.safeParse(row).data?.app ?? []);
  }

  async prune(before: number): Promise<number> {
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute('delete from activity where at < ? returning id', [before]);
    return rows.length;
  }
}

async function insert(em: ReturnType<Database['em']['fork']>, entries: readonly ActivityEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const places = entries.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  await em.execute(`insert into activity (${columns}) values ${places}`, entries.flatMap(valuesOf));
}

/** The values in column order. */
function valuesOf(entry: ActivityEntry): readonly (string | number | null)[] {
  const { at, userId, grantId, app, service, operation, effect, recordId, recordUrl, outcome, ms } = entry;
  return [at, userId, grantId, app, service, operation, effect, recordId, recordUrl, outcome, ms];
}

function toEntry(raw: unknown): StoredActivity {
  const row = rowSchema.parse(raw);
  const { user_id: userId, grant_id: grantId, record_id: recordId, record_url: recordUrl, ...rest } = row;
  return { ...rest, userId, grantId, recordId, recordUrl };
}
