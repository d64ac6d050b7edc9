import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Column } from '#infrastructure/database/columns.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, openTestSqlite } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
afterAll(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

/** A column as a line: its type, what it may be, and its place in the primary key; ids are numbered by the database. */
type Columns = Readonly<Record<string, string>>;
type Schema = Readonly<Record<string, Readonly<{ columns: Columns; uniques: readonly string[] }>>>;

const kindOf = (type: string): string =>
  /int|serial/i.test(type) ? 'number' : /bool/i.test(type) ? 'boolean' : 'text';
const line = (type: string, isNullable: boolean, isKey: boolean): string =>
  `${kindOf(type)}${isNullable ? ' or null' : ''}${isKey ? ', key' : ''}`;

const tableRows = z.array(z.object({ name: z.string() }));
const columnRows = z.array(
  z.object({ name: z.string(), type: z.string(), nullable: z.coerce.boolean(), key: z.coerce.boolean() }),
);
const uniqueRows = z.array(z.object({ columns: z.string() }));

const queries = {
  sqlite: {
    tables: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'",
    // A key of texts may be null in SQLite, unless the table says otherwise.
    columns: `select name, type, "notnull" = 0 and pk = 0 as nullable, pk > 0 as key from pragma_table_info(?)`,
    uniques: `select (select group_concat(name) from (select name from pragma_index_info(i.name) order by name)) as columns
      from pragma_index_list(?) i where i."unique" = 1 and i.origin = 'u'`,
  },
  postgres: {
    tables:
      "select table_name as name from information_schema.tables where table_schema = current_schema() and table_name <> 'migrations'",
    columns: `select c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as nullable,
        exists (select 1 from information_schema.key_column_usage k join information_schema.table_constraints t
          on t.constraint_name = k.constraint_name and t.table_schema = k.table_schema
          where t.constraint_type = 'PRIMARY KEY' and k.table_schema = c.table_schema and k.table_name = c.table_name
            and k.column_name = c.column_name) as key
      from information_schema.columns c where c.table_schema = current_schema() and c.table_name = ?`,
    uniques: `select string_agg(k.column_name, ',' order by k.column_name) as columns
      from information_schema.table_constraints t join information_schema.key_column_usage k
        on k.constraint_name = t.constraint_name and k.table_schema = t.table_schema
      where t.constraint_type = 'UNIQUE' and t.table_schema = current_schema() and t.table_name = ? group by t.constraint_name`,
  },
} as const;

/** The schema as the migrations left it. */
async function migrated({ em, kind }: Database): Promise<Schema> {
  const ask = (sql: string, values: string[] = []): Promise<unknown> => em.fork().execute(sql, values);
  const found: Record<string, Schema[string]> = {};
  for (const { name } of tableRows.parse(await ask(queries[kind].tables))) {
    const columns = columnRows.parse(await ask(queries[kind].columns, [name]));
    const uniques = uniqueRows.parse(await ask(queries[kind].uniques, [name]));
    found[name] = {
      columns: Object.fromEntries(columns.map((one) => [one.name, line(one.type, one.nullable, one.key)])),
      uniques: uniques.map((one) => one.columns).toSorted(),
    };
  }
  return found;
}

/** The schema as the entities describe it. */
function described({ em }: Database): Schema {
  return Object.fromEntries(
    [...em.getMetadata().getAll().values()].map(({ tableName, props, uniques }) => {
      const fieldOf = new Map<string, string>(props.map((prop) => [prop.name, prop.fieldNames[0] ?? '']));
      const columns = props.map(({ fieldNames: [field = ''], customType, nullable, primary }) => {
        const type = customType instanceof Column ? customType.columnType : 'unknown';
        return [field, line(type, nullable === true, primary === true)] as const;
      });
      const together = uniques.map(({ properties }) =>
        [properties ?? []].flat().map((name) => fieldOf.get(name) ?? ''),
      );
      const alone = props.filter(({ unique }) => unique === true).map(({ fieldNames }) => fieldNames);
      const unique = new Set(
        [...together, ...alone].map((names) => names.toSorted((one, other) => one.localeCompare(other)).join(',')),
      );
      return [tableName, { columns: Object.fromEntries(columns), uniques: [...unique].toSorted() }];
    }),
  );
}

describe('the entities describe each table as the migrations leave it', () => {
  it('on SQLite', async () => {
    const { database, close } = await openTestSqlite();
    expect(described(database)).toEqual(await migrated(database));
    expect(Object.keys(described(database)).length).toBeGreaterThan(20);
    await close();
  });

  it.skipIf(typeof postgres === 'string')('on PostgreSQL', async () => {
    if (typeof postgres === 'string') return;
    const { database, close } = await openTestPostgres(postgres.url);
    expect(described(database)).toEqual(await migrated(database));
    await close();
  });
});
