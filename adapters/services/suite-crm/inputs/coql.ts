import type { Comparison, Condition, Scalar } from '#adapters/services/suite-crm/inputs/condition.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

const signs = {
  equals: '=',
  not_equal: '!=',
  less_than: '<',
  less_equal: '<=',
  greater_than: '>',
  greater_equal: '>=',
  like: 'like',
  not_like: 'not like',
  in: 'in',
  not_in: 'not in',
  between: 'between',
  not_between: 'not between',
  is_null: 'is null',
  is_not_null: 'is not null',
} as const;

/** The operators of a COQL condition. */
export type CoqlOperator = keyof typeof signs;

/** All COQL operators. */
export const coqlOperators = [
  'equals',
  'not_equal',
  'less_than',
  'less_equal',
  'greater_than',
  'greater_equal',
  'like',
  'not_like',
  'in',
  'not_in',
  'between',
  'not_between',
  'is_null',
  'is_not_null',
] as const satisfies readonly CoqlOperator[];

/** The maximum number of records of one query. */
export const maxCoqlRecords = 2_000;

/** A query in parts; without `where` it returns all records. */
export type CoqlQuery = Readonly<{
  select: readonly string[];
  from: string;
  where?: Condition<CoqlOperator> | undefined;
  group_by?: readonly string[] | undefined;
  order_by?: readonly Readonly<{ field: string; direction: 'asc' | 'desc' }>[] | undefined;
}>;

/** The range of the result: `limit` 1 to 2000 records after `offset`. */
export type CoqlBounds = Readonly<{ limit: number; offset: number }>;

/**
 * Serialises a query as COQL, without its range. A `where` is always included, since the language requires one; values
 * are escaped.
 */
export function coqlText({ select, from, where, group_by: groups, order_by: order }: CoqlQuery): string {
  const condition = where === undefined ? 'id is not null' : conditionText(where);
  const grouped = groups === undefined || groups.length === 0 ? '' : ` group by ${groups.join(', ')}`;
  const ordered =
    order === undefined || order.length === 0
      ? ''
      : ` order by ${order.map(({ field, direction }) => `${field} ${direction}`).join(', ')}`;
  return `select ${select.join(', ')} from ${from} where ${condition}${grouped}${ordered}`;
}

/** Adds the range to a query. */
export function boundedCoql(text: string, { limit, offset }: CoqlBounds): string {
  const bounds = offset === 0 ? `limit ${limit}` : `limit ${limit} offset ${offset}`;
  return `${withoutEnd(text.trim(), ';')} ${bounds}`;
}

/** Serialises a value as a COQL literal, doubling quotes so that no value can end its string. */
export function coqlLiteral(value: Scalar): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Serialises a condition. The language joins only two at a time: three are `((a and b) and c)`. */
function conditionText(condition: Condition<CoqlOperator>): string {
  if ('field' in condition) return comparisonText(condition);
  const word = 'all' in condition ? 'and' : 'or';
  const members = ('all' in condition ? condition.all : condition.any).map(conditionText);
  return members.reduce((left, right) => `(${left} ${word} ${right})`);
}

function comparisonText({ field, operator, value }: Comparison<CoqlOperator>): string {
  const sign = signs[operator];
  if (operator === 'is_null' || operator === 'is_not_null') return `${field} ${sign}`;
  if (value === null || value === undefined) return `${field} ${operator === 'not_equal' ? 'is not null' : 'is null'}`;
  const list = typeof value === 'object' ? value.map(coqlLiteral) : [coqlLiteral(value)];
  if (operator === 'in' || operator === 'not_in') return `${field} ${sign} (${list.join(', ')})`;
  if (operator === 'between' || operator === 'not_between') return `${field} ${sign} ${list.join(' and ')}`;
  return `${field} ${sign} ${list[0] ?? "''"}`;
}

/**
 * Validates a hand-written query: returns the error for unbalanced quotes or parentheses, or a missing `select`; else
 * null.
 */
export function coqlError(text: string): string | null {
  if (!/^\s*select\s+\S/i.test(text)) return 'must be like "select Deal_Name from Deals where Stage is not null"';
  const bare = outsideQuotes(text);
  if (bare === null) return 'leaves a quote open';
  let depth = 0;
  for (const character of bare) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth < 0) return 'closes a parenthesis that was never opened';
  }
  return depth === 0 ? null : `leaves ${depth} ${depth === 1 ? 'parenthesis' : 'parentheses'} open`;
}

/** Whether a query contains its own limit or offset. */
export function hasBounds(text: string): boolean {
  return /\b(?:limit|offset)\b/i.test(outsideQuotes(text) ?? text);
}

/** The query without its quoted strings; null when a quote is unclosed. A doubled quote closes and reopens at once. */
function outsideQuotes(text: string): string | null {
  const bare = text.replaceAll(/'[^']*'|"[^"]*"/g, ' ');
  return /['"]/.test(bare) ? null : bare;
}
