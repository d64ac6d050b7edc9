import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { Database, DatabaseKind } from '#infrastructure/database/open-database.ts';

type Column = Readonly<{ name: string; kind: 'number' | 'boolean' | 'text'; isKey: boolean }>;

/** What neither a number nor a text of this program is, of what each database takes. */
const badIn: Readonly<Record<DatabaseKind, Readonly<Record<Column['kind'], readonly SQLInputValue[]>>>> = {
  sqlite: {
    number: ['garbage', 1e300, 9_223_372_036_854_775_807n, new Uint8Array([255])],
    boolean: ['garbage', 1e300, 9_223_372_036_854_775_807n, new Uint8Array([255])],
    text: [new Uint8Array([255, 254]), '{"', 'unknown'],
  },
  postgres: { number: ['9223372036854775807', '-9223372036854775808'], boolean: [], text: ['{"', 'unknown', ''] },
};

const names = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
const states: Readonly<Record<string, string>> = {
  connection_standings: 'connected',
  webhook_inbox: 'done',
  subscriptions: 'registered',
  reaction_calls: 'waiting',
  kept_changes: 'kept',
  approvals: 'waiting',
};
/** What fits in the other columns, so that one at a time does not. */
const fitting: Readonly<Record<string, (n: number) => SQLInputValue>> = {
  user_id: (n) => 1 + (n % 7),
  // Never the vault of user 1, in which the jobs find the reactions.
  service: (n) => names[n % (n % 7 === 0 ? names.length - 1 : names.length)] ?? '',
  auth_method: () => 'api_key',
  effect: () => 'read',
  outcome: () => 'ok',
  extra: () => '{}',
  permissions: () => '[]',
  switched_off: () => '[]',
  redirect_uris: () => '[]',
  events: () => '[]',
  services: () => '[]',
};

/** The rows of a table in each of which one column has what does not fit there; their numbers begin after `from`. */
function badRows(
  kind: DatabaseKind,
  table: string,
  columns: readonly Column[],
  from: number,
): readonly SQLInputValue[][] {
  let n = from;
  return columns.flatMap((bad) =>
    badIn[kind][bad.kind].map((value) => {
      n += 1;
      return columns.map((column) => (column === bad && !isRowId(column) ? value : cellOf(kind, table, column, n)));
    }),
  );
}

/** Adds to each table of a SQLite database rows in each of which one column has what does not fit there; the number of rows by table. */
export function plantBadRows(path: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(path);
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'",
    )
    .all()
    .map(({ name }) => String(name));
  let n = 0;
  const planted = tables.map((table) => {
    const columns = database
      .prepare(`pragma table_info("${table}")`)
      .all()
      .map(({ name, type, pk }) => {
        return toColumn(String(name), String(type), pk !== 0);
      });
    const insert = database.prepare(`insert or ignore into "${table}" values (${columns.map(() => '?').join(', ')})`);
    const rows = badRows('sqlite', table, columns, n);
    n += rows.length;
    return [table, rows.reduce((count, row) => count + Number(insert.run(...row).changes), 0)] as const;
  });
  database.close();
  return Object.fromEntries(planted);
}

const columnsOfPostgres = `
  select c.table_name as "table", c.column_name as name, c.data_type as type, k.column_name is not null as key
    from information_schema.columns c
    left join information_schema.table_constraints t
      on t.table_schema = c.table_schema and t.table_name = c.table_name and t.constraint_type = 'PRIMARY KEY'
    left join information_schema.key_column_usage k
      on k.constraint_name = t.constraint_name and k.table_name = c.table_name and k.column_name = c.column_name
   where c.table_schema = 'public' and c.table_name <> 'migrations' order by c.table_name, c.ordinal_position`;
const columnRows = z.array(z.object({ table: z.string(), name: z.string(), type: z.string(), key: z.boolean() }));

/** The same in a PostgreSQL database. What a column does not take is left out. */
export async function plantBadRowsInPostgres({ em }: Database): Promise<Readonly<Record<string, number>>> {
  const all = columnRows.parse(await em.fork().execute(columnsOfPostgres));
  const planted: Record<string, number> = {};
  let n = 0;
  for (const table of new Set(all.map((row) => row.table))) {
    const columns = all.filter((row) => row.table === table).map(({ name, type, key }) => toColumn(name, type, key));
    planted[table] = 0;
    const into = `"${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})`;
    const insert = `insert into ${into} values (${columns.map(() => '?').join(', ')}) on conflict do nothing returning 1`;
    for (const row of badRows('postgres', table, columns, n)) {
      n += 1;
      const added: unknown = await em
        .fork()
        .execute(insert, row)
        .catch(() => []);
      planted[table] += Array.isArray(added) ? added.length : 0;
    }
  }
  return planted;
}

/** SQLite takes nothing but integers there. */
const isRowId = ({ isKey, kind }: Column): boolean => isKey && kind === 'number';

function cellOf(database: DatabaseKind, table: string, { name, kind, isKey }: Column, n: number): SQLInputValue {
  if (name === 'state') return states[table] ?? 'x';
  // Of today, so that nothing counts as expired.
  if (/(^at|_at|since)$/.test(name)) return Date.now();
  if (kind === 'boolean') return database === 'sqlite' ? 1 : 'false';
  return fitting[name]?.(n) ?? (kind === 'number' ? (isKey ? 1_000 + n : 1) : `bad ${n}`);
}

function toColumn(name: string, type: string, isKey: boolean): Column {
  const kind = /int/i.test(type) ? 'number' : /bool/i.test(type) ? 'boolean' : 'text';
  return { name, kind, isKey };
}
