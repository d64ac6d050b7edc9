import { raw } from '@mikro-orm/core';
import { ActivityRow } from '#adapters/persistence/schema/activity.ts';
import { ActivityAppRow } from '#adapters/persistence/schema/activity-apps.ts';
import { UsageCountRow } from '#adapters/persistence/schema/usage-counts.ts';
import { idsBetween } from '#adapters/persistence/time-bounds.ts';
import type { ActivityLog, ActivityQuery, StoredActivity, UsageQuery } from '#application/ports/activity-log.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { UsageCount } from '#domain/activity/usage-count.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';
import { given, Table } from '#infrastructure/database/table.ts';

/** The maximum number of rows per insert, within the bind parameters that each database allows. */
const rowsAStatement = 500;
/** Stands for all users together, which no user's id does. */
const allUsers = -1;
/** Two servers may store what happened at the same time in either order. */
const lastOfBoth = `on conflict (user_id, app) do update set last_at = case
  when excluded.last_at > activity_apps.last_at then excluded.last_at else activity_apps.last_at end`;
const added = ['count', 'failed', 'tokens'].map((name) => `${name} = usage_counts.${name} + excluded.${name}`);
const summed = `on conflict (user_id, hour, kind, service) do update set ${added.join(', ')}`;

/** Stores what apps did in the database. */
export class SqlActivityLog implements ActivityLog {
  readonly #database: Database;
  readonly #activity;
  readonly #apps;
  readonly #usage;

  constructor(database: Database) {
    this.#database = database;
    this.#activity = new Table(database, ActivityRow);
    this.#apps = new Table(database, ActivityAppRow);
    this.#usage = new Table(database, UsageCountRow);
  }

  async add(entries: readonly ActivityEntry[], usage: readonly UsageCount[] = []): Promise<void> {
    const apps = appsIn(entries);
    // A single statement is its own transaction.
    if (entries.length <= rowsAStatement && usage.length === 0 && apps.length === 0) return this.#insert(entries);
    await this.#database.direct.transactional(async (statements) => {
      for (const some of parts(entries)) await this.#insert(some, statements);
      for (const some of parts(usage)) await this.#count(some, statements);
      for (const some of parts(apps)) await this.#apps.addAll(some, statements, lastOfBoth);
    });
  }

  #insert(entries: readonly ActivityEntry[], statements?: Statements): Promise<void> {
    const rows = entries.map((entry) => ({ ...entry, keptId: entry.keptId ?? null, partOf: entry.partOf ?? null }));
    return this.#activity.addAll(rows, statements);
  }

  /** Adds counts to those that are stored. */
  #count(usage: readonly UsageCount[], statements: Statements): Promise<void> {
    const rows = usage.map((one) => ({ ...one, userId: one.userId ?? allUsers }));
    return this.#usage.addAll(rows, statements, summed);
  }

  async list({ userId, service, app, from, until, before, limit }: ActivityQuery): Promise<readonly StoredActivity[]> {
    const { chosen, others } = filtersOf(given({ userId, app, service }));
    const where = given({ ...chosen, id: given({ $lt: before }) });
    const query = this.#activity.qb().select('*').where(where).orderBy({ id: 'desc' }).limit(Math.trunc(limit));
    for (const other of others) query.andWhere(other);
    if (from !== undefined || until !== undefined) query.andWhere(idsBetween('activity', from, until));
    // An index finds what one filter asks for; the others may then match few of many rows.
    const rows = await (others.length === 0 ? this.#activity.rows(query) : this.#activity.readAside(query));
    return rows.map(({ keptId, partOf, ...entry }) => ({
      ...entry,
      ...(keptId === null ? {} : { keptId }),
      ...(partOf === null ? {} : { partOf }),
    }));
  }

  async apps(userId: number | null): Promise<readonly string[]> {
    const query = this.#apps
      .qb()
      .select(['app'])
      .where({ userId: userId ?? allUsers });
    const rows = await this.#apps.some(query.orderBy({ app: 'asc' }).limit(200), ['app']);
    return rows.map(({ app }) => app);
  }

  async usage({ userId, since, parts }: UsageQuery): Promise<readonly UsageCount[]> {
    const where = { userId: userId ?? allUsers, hour: { $gte: since } };
    if (parts !== undefined) return (await this.#sums(where, parts)).map((row) => ({ ...row, userId }));
    const rows = await this.#usage.list(where, { hour: 'asc', kind: 'asc', service: 'asc' });
    return rows.map((row) => ({ ...row, userId }));
  }

  /** Sums counts up for parts of the time: months of hours are far more rows than are shown. */
  #sums(where: Readonly<{ userId: number; hour: { $gte: number } }>, parts: readonly number[]) {
    const part = firstHourSql(parts);
    const sums = ['count', 'failed', 'tokens'].map((name) => raw(`sum(${name}) as ${name}`));
    const query = this.#usage.qb().select([raw(`${part} as hour`), 'kind', 'service', ...sums]);
    const grouped = query.where(where).groupBy([raw(part), 'kind', 'service']);
    return this.#usage.some(grouped.orderBy({ [raw(part)]: 'asc' }), [
      'hour',
      'kind',
      'service',
      'count',
      'failed',
      'tokens',
    ]);
  }

  async prune(before: number): Promise<number> {
    await this.#usage.deleteBefore('hour', before);
    await this.#apps.deleteBefore('lastAt', before);
    return this.#activity.deleteBefore('at', before);
  }
}

/** The rows by statements. */
function parts<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / rowsAStatement);
  return Array.from({ length: count }, (_, part) => rows.slice(part * rowsAStatement, (part + 1) * rowsAStatement));
}

/**
 * The filters that an index is to be used for, and the others in a form for which there is no index: SQLite would choose
 * one by chance, and few rows are a user's of one app, more an app's, and most a service's.
 */
function filtersOf({ userId, app, service }: Partial<Pick<ActivityQuery, 'userId' | 'app' | 'service'>>) {
  if (app === undefined) return { chosen: given({ userId, service }), others: [] };
  return { chosen: given({ userId, app }), others: service === undefined ? [] : [raw("service || '' = ?", [service])] };
}

/** SQL for the first hour of the part in which a row's hour is: halved again and again, since each row asks it. */
function firstHourSql(parts: readonly number[]): string {
  const middle = Math.floor(parts.length / 2);
  if (middle === 0) return String(Math.trunc(parts[0] ?? 0));
  const [before, after] = [firstHourSql(parts.slice(0, middle)), firstHourSql(parts.slice(middle))];
  return `case when hour < ${Math.trunc(parts[middle] ?? 0)} then ${before} else ${after} end`;
}

type NamedApp = Readonly<{ userId: number; app: string; lastAt: number }>;

/** The apps that the entries name, each once for its user and once for all users, with the time of the last entry. */
function appsIn(entries: readonly ActivityEntry[]): readonly NamedApp[] {
  const apps = new Map<string, NamedApp>();
  for (const { userId: own, app, at } of entries) {
    if (app === null) continue;
    for (const userId of [own, allUsers]) {
      const key = `${userId} ${app}`;
      apps.set(key, { userId, app, lastAt: Math.max(at, apps.get(key)?.lastAt ?? at) });
    }
  }
  // In one order, so that two transactions do not wait for each other.
  return [...apps].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}
