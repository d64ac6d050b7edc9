import type { SqlEntityManager } from '@mikro-orm/sqlite';
import { ActivityRow } from '#adapters/persistence/schema/activity.ts';
import type { ActivityLog, ActivityQuery, StoredActivity } from '#application/ports/activity-log.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table } from '#infrastructure/database/table.ts';

/** The maximum number of rows per insert, within the bind parameters that each database allows. */
const rowsAStatement = 500;

/** Stores what apps did in the database. */
export class SqlActivityLog implements ActivityLog {
  readonly #database: Database;
  readonly #activity;

  constructor(database: Database) {
    this.#database = database;
    this.#activity = new Table(database, ActivityRow);
  }

  async add(entries: readonly ActivityEntry[]): Promise<void> {
    // A single statement is its own transaction.
    if (entries.length <= rowsAStatement) return this.#insert(entries);
    await this.#database.em.fork().transactional(async (em) => {
      for (let start = 0; start < entries.length; start += rowsAStatement) {
        await this.#insert(entries.slice(start, start + rowsAStatement), em);
      }
    });
  }

  async #insert(entries: readonly ActivityEntry[], em?: SqlEntityManager): Promise<void> {
    if (entries.length > 0)
      await this.#activity
        .qb(em)
        .insert(entries.map((entry) => ({ ...entry, keptId: entry.keptId ?? null })))
        .execute('run');
  }

  async list({ userId, service, app, from, until, before, limit }: ActivityQuery): Promise<readonly StoredActivity[]> {
    const where = given({ userId, service, app, at: given({ $gte: from, $lt: until }), id: given({ $lt: before }) });
    const query = this.#activity.qb().select('*').where(where).orderBy({ id: 'desc' }).limit(Math.trunc(limit));
    const rows = await this.#activity.rows(query);
    return rows.map(({ keptId, ...entry }) => (keptId === null ? entry : { ...entry, keptId }));
  }

  async apps(userId: number | null): Promise<readonly string[]> {
    const query = this.#activity
      .qb()
      .select('app', true)
      .where(given({ app: { $ne: null }, userId: userId ?? undefined }));
    const rows = await this.#activity.some(query.orderBy({ app: 'asc' }).limit(200), ['app']);
    return rows.flatMap(({ app }) => app ?? []);
  }

  prune(before: number): Promise<number> {
    return this.#activity.delete({ at: { $lt: before } });
  }
}
