import { z } from 'zod';
import type { Database } from '#infrastructure/database/open-database.ts';
import { type AllowedScan, allowedScans } from '#test/support/persistence/allowed-scans.ts';

/** A statement that reads a table whole, and how its database says so. */
export type Scan = Readonly<{ table: string; plan: string; statement: string }>;

/** Longer ones insert many rows at once. */
const maxLength = 20_000;
const tableRows = z.array(z.object({ name: z.string() }));
const liteRows = z.array(z.object({ detail: z.string() }));
const postgresRows = z.array(z.object({ 'QUERY PLAN': z.string() }));

const isExplained = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(text) &&
  !/sqlite_|pg_|information_schema|\bmigrations\b/i.test(text) &&
  // What a test itself reads.
  !/^\s*select \* from \w+\s*$/i.test(text);

/** The statement with another text in the place of each long or odd one, as values are sent to PostgreSQL. */
export function withoutTexts(statement: string): string {
  if (statement.length > maxLength) return '';
  const literal = /\bE'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'/g;
  return statement.replaceAll(literal, (text) => (/^'[a-z_ %]{0,12}'$/.test(text) ? text : "'x'"));
}

/** The statements that read a table whole on SQLite: without statistics, as this program runs it, or with some. */
export async function sqliteScans({ em }: Database, statements: Iterable<string>): Promise<readonly Scan[]> {
  const ask = (sql: string, values: null[] = []): Promise<unknown> => em.fork().execute(sql, values);
  const tables = tableRows
    .parse(await ask("select name from sqlite_master where type = 'table'"))
    .map(({ name }) => name);
  const scans: Scan[] = [];
  for (const statement of statements) {
    if (!isExplained(statement)) continue;
    // What the plan depends on is the text, and not the values.
    const text = statement.replaceAll(/\$\d+/g, '?');
    const values = Array.from({ length: text.replaceAll(/'[^']*'/g, '').split('?').length - 1 }, () => null);
    const plan = liteRows.parse(await ask(`explain query plan ${text}`, values));
    const names = aliasesIn(statement, tables);
    for (const { detail } of plan) {
      const [, name = ''] = /^SCAN (\w+)/.exec(detail) ?? [];
      const table = names.get(name);
      if (table !== undefined) scans.push({ table, plan: detail, statement });
    }
    const sorted = plan.some(({ detail }) => detail.startsWith('USE TEMP B-TREE FOR ORDER BY'));
    const large = [...names.values()].find((table) => growing.has(table));
    if (sorted && large !== undefined) scans.push({ table: large, plan: 'USE TEMP B-TREE FOR ORDER BY', statement });
  }
  return scans;
}

/**
 * The same on PostgreSQL. One without statistics reads a table whole only if there is no other way; one that plans as a grown one
 * chooses as that would, and only its `large` tables count.
 */
export async function postgresScans(
  { em }: Database,
  statements: Iterable<string>,
  large: ReadonlySet<string> | null = null,
): Promise<readonly Scan[]> {
  const scans: Scan[] = [];
  await em.fork().transactional(async (transaction) => {
    const ask = (sql: string): Promise<unknown> => transaction.execute(sql);
    // Empty tables are read whole whatever their statistics say: of no pages there are none to skip. Those that plan as grown ones
    // have a page each: what the others would cost is charged to their rows.
    await ask(large === null ? 'set local enable_seqscan = off' : 'set local cpu_tuple_cost = 0.03');
    for (const statement of statements) {
      if (!isExplained(statement)) continue;
      const plan = postgresRows.parse(await ask(`explain (generic_plan, costs off) ${statement}`));
      const lines = plan.map((row) => row['QUERY PLAN']);
      for (const line of lines) {
        const [, table] = /Seq Scan on (\w+)/.exec(line) ?? [];
        if (table !== undefined && large?.has(table) !== false) scans.push({ table, plan: line.trim(), statement });
      }
    }
  });
  return scans;
}

/** The tables of which there are ever more rows. */
const growing: ReadonlySet<string> = new Set([
  'webhook_inbox',
  'activity',
  'usage_counts',
  'audit',
  'reaction_results',
  'reaction_calls',
]);

/** The names by which the statement calls tables. */
function aliasesIn(statement: string, tables: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map(tables.map((table) => [table, table]));
  const placed = /\b(?:from|join|update|into)\s+[`"]?(\w+)[`"]?\s+(?:as\s+)?[`"]?(\w+)[`"]?/gi;
  for (const [, table = '', alias = ''] of statement.matchAll(placed)) {
    if (tables.includes(table) && !tables.includes(alias)) names.set(alias, table);
  }
  return new Map([...names].filter(([, table]) => statement.includes(table)));
}

/** The scans that no line of the list allows, each once. */
export function unlisted(scans: readonly Scan[]): readonly string[] {
  const isAllowed = ({ table, plan, statement }: Scan): boolean =>
    allowedScans.some(
      (one: AllowedScan) =>
        one.table === table && one.statement?.test(statement) !== false && one.plan?.test(plan) !== false,
    );
  const lines = scans
    .filter((scan) => !isAllowed(scan))
    .map(({ table, plan, statement }) => `${table}: ${plan}: ${statement}`);
  return [...new Set(lines)].sort();
}
