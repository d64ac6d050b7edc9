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

/** A value that can be bound to a SQLite statement. */
type Bound = string | number | bigint | null;

/**
 * The ORM's SQLite driver with bound parameters. The ORM's own driver interpolates values into the SQL text, which
 * prevents SQLite from reusing prepared statements.
 */
export class BindingSqliteDriver extends AbstractSqlDriver<BindingConnection> {
  constructor(config: Configuration) {
    super(config, new SqlitePlatform(), BindingConnection, ['kysely', 'better-sqlite3']);
  }
}

/** The ORM's result types: rows, or the result of a change. */
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

/**
 * Converts values for binding; null when the ORM has to interpolate one of them, or when its placeholder syntax
 * differs.
 */
export function boundValues(query: string, params: readonly unknown[]): readonly Bound[] | null {
  if (params.length === 0 || query.includes('??') || query.includes('\\')) return null;
  if (query.split('?').length - 1 !== params.length) return null;
  const values = params.map(boundValue);
  return values.includes(undefined) ? null : values.map((value) => value ?? null);
}

/** Converts a value for binding; undefined when its type cannot be bound. */
export function boundValue(value: unknown): Bound | undefined {
  if (value === null || typeof value === 'bigint') return value;
  if (typeof value === 'string') return withoutNul(value);
  // The driver binds numbers as floats, and BigInt as integers.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return undefined;
}
