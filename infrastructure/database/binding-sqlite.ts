import type {
  AnyEntity,
  Configuration,
  Dictionary,
  EntityData,
  LoggingOptions,
  QueryResult,
  RawQueryFragment,
} from '@mikro-orm/core';
import { AbstractSqlDriver, type NativeQueryBuilder, SqliteConnection, SqlitePlatform } from '@mikro-orm/sqlite';
import { CompiledQuery, type Kysely } from 'kysely';
import { withoutNul } from '#infrastructure/database/sql-text.ts';

/** A value that SQLite takes beside a statement. */
type Bound = string | number | bigint | null;

/**
 * The ORM's driver for SQLite with values bound to statements. The ORM's own writes them into the statement's text, so that each is a new
 * one to SQLite, to be compiled anew.
 */
export class BindingSqliteDriver extends AbstractSqlDriver<BindingConnection> {
  constructor(config: Configuration) {
    super(config, new SqlitePlatform(), BindingConnection, ['kysely', 'better-sqlite3']);
  }
}

/** What the ORM takes for rows and for what a statement changed. */
type Answered = QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[];

class BindingConnection extends SqliteConnection {
  override async execute<Answer extends Answered = EntityData<AnyEntity>[]>(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params?: readonly unknown[] | Dictionary,
    method?: 'all' | 'get' | 'run',
    context?: Pick<Kysely<unknown>, 'executeQuery'>,
    logging?: LoggingOptions,
  ): Promise<Answer> {
    const values = typeof query === 'string' && isList(params) ? boundValues(query, params) : null;
    if (typeof query !== 'string' || values === null)
      return super.execute<Answer>(query, params, method, context, logging);
    await this.ensureConnection();
    const client: Pick<Kysely<unknown>, 'executeQuery'> = context ?? this.getClient();
    return this.executeQuery(query, async () => {
      const result = await client.executeQuery(CompiledQuery.raw(query, [...values]));
      return this.transformRawResult<Answer>(result, method ?? 'all');
    });
  }
}

const isList = (params: readonly unknown[] | Dictionary | undefined): params is readonly unknown[] =>
  Array.isArray(params);

/** The values as they are bound; null where the ORM's own way has to write one of them, or reads the text in a way of its own. */
export function boundValues(query: string, params: readonly unknown[]): readonly Bound[] | null {
  if (params.length === 0 || query.includes('??') || query.includes('\\')) return null;
  if (query.split('?').length - 1 !== params.length) return null;
  const values = params.map(bound);
  return values.includes(undefined) ? null : values.map((value) => value ?? null);
}

function bound(value: unknown): Bound | undefined {
  if (value === null || typeof value === 'bigint') return value;
  if (typeof value === 'string') return withoutNul(value);
  // The driver binds numbers as floating ones.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return undefined;
}
