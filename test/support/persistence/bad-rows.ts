import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Column = Readonly<{ name: string; isNumber: boolean; isKey: boolean }>;

/** What neither a number nor a text of this program is. */
const badNumbers: readonly SQLInputValue[] = ['garbage', 1e300, 9_223_372_036_854_775_807n, new Uint8Array([255])];
const badTexts: readonly SQLInputValue[] = [new Uint8Array([255, 254]), '{"', 'unknown'];

const names = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
const states: Readonly<Record<string, string>> = {
  connection_standings: 'connected',
  webhook_inbox: 'done',
  subscriptions: 'registered',
  reaction_calls: 'waiting',
};
/** What fits in the other columns, so that one at a time does not. */
const fitting: Readonly<Record<string, (n: number) => SQLInputValue>> = {
  user_id: (n) => 1 + (n % 7),
  service: (n) => names[n % names.length] ?? '',
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

/**
 * Adds to each table of a SQLite database rows in each of which one column has what does not fit there; the number of rows by
 * table.
 */
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
    const columns = database.prepare(`pragma table_info("${table}")`).all().map(toColumn);
    const insert = database.prepare(`insert or ignore into "${table}" values (${columns.map(() => '?').join(', ')})`);
    let count = 0;
    for (const bad of columns) {
      for (const value of bad.isNumber ? badNumbers : badTexts) {
        n += 1;
        const row = columns.map((column) => (column === bad && !isRowId(column) ? value : cellOf(table, column, n)));
        count += Number(insert.run(...row).changes);
      }
    }
    return [table, count] as const;
  });
  database.close();
  return Object.fromEntries(planted);
}

/** SQLite takes nothing but integers there. */
const isRowId = ({ isKey, isNumber }: Column): boolean => isKey && isNumber;

function cellOf(table: string, { name, isNumber, isKey }: Column, n: number): SQLInputValue {
  if (name === 'state') return states[table] ?? 'x';
  // Of today, so that nothing counts as expired.
  if (/(_at|since)$/.test(name)) return Date.now();
  return fitting[name]?.(n) ?? (isNumber ? (isKey ? 1_000 + n : 1) : `bad ${n}`);
}

function toColumn({ name, type, pk }: Readonly<Record<string, unknown>>): Column {
  return { name: String(name), isNumber: /int|bool/i.test(String(type)), isKey: pk !== 0 };
}
