import { timeOf } from '#adapters/services/tracker/details/matching.ts';
import {
  type Condition,
  joinedBy,
  type Members,
  type QueryLanguage,
} from '#adapters/services/tracker/details/query-condition.ts';
import { own } from '#domain/shared/own.ts';

/** A column of JQL; a text or number may be in several fields. */
export type Column = Readonly<
  | { kind: 'text'; fields: readonly string[] }
  | { kind: 'number'; fields: readonly string[] }
  | { kind: 'time' | 'day' | 'id'; field: string }
>;

/** The members of a filter, by name. */
export type Columns = Members<Column>;

/** Writes a value as a JQL string: whatever it contains, it stays one value. */
export function quoted(value: string): string {
  return `"${value.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Writes text as a phrase that Jira's word search looks for, without operators of its own. */
const phrase = (text: string) => quoted(`"${text.replaceAll(/[\\"]/g, ' ').trim()}"`);

/** An id of Jira's is a number, which is read as an id and never as a name; people and labels have texts. */
const idIn = (field: string, id: string) =>
  /^\d{1,18}$/.test(id) && !['labels', 'assignee', 'creator'].includes(field) ? id : quoted(id);

const signs: Readonly<Record<string, string>> = { eq: '=', neq: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' };
const phraseSigns: Readonly<Record<string, string>> = {
  contains: '~',
  containsIgnoreCase: '~',
  eq: '~',
  eqIgnoreCase: '~',
  startsWith: '~',
  notContains: '!~',
  notContainsIgnoreCase: '!~',
};

/** JQL, the query language of Jira. */
export const jql: QueryLanguage<Column> = {
  oneOf: (field, ids) => `${field} IN (${ids.map((id) => idIn(field, id)).join(', ')})`,
  empty,
  compared: (column, comparisons) => {
    if (column.kind !== 'number') return all(column, comparisons);
    // An issue has at most one of the fields, so that none of the others may count against it.
    const isAgainst = comparisons['null'] === true || 'neq' in comparisons || 'nin' in comparisons;
    const each = column.fields.map((field) => all({ kind: 'one', field }, comparisons));
    const conditions = each.filter((one) => typeof one !== 'object');
    return each.find((one) => typeof one === 'object') ?? joinedBy(isAgainst ? 'AND' : 'OR', conditions);
  },
};

function empty(field: string, isEmpty: boolean): string {
  return `${field} IS ${isEmpty ? '' : 'NOT '}EMPTY`;
}

/** A column of text, or of one field. */
type Single = Readonly<
  { kind: 'text'; fields: readonly string[] } | { kind: 'time' | 'day' | 'id' | 'one'; field: string }
>;

/** All comparisons of a column, or the name of one that JQL has none like. */
function all(column: Single, comparisons: Readonly<Record<string, unknown>>): ReturnType<typeof jql.compared> {
  const isEmpty = comparisons['null'];
  const isAlone = typeof isEmpty === 'boolean' && Object.keys(comparisons).length === 1;
  if (isAlone && column.kind !== 'text') return empty(column.field, isEmpty);
  const conditions: Condition[] = [];
  for (const [name, to] of Object.entries(comparisons)) {
    const condition = comparison(column, name, to);
    if (condition === null) return { refused: name };
    conditions.push(condition);
  }
  return joinedBy('AND', conditions);
}

/** One comparison; null when JQL has none like it, or the value is of another kind. */
function comparison(column: Single, name: string, to: unknown): Condition | null {
  if (column.kind === 'text') {
    const sign = own(phraseSigns, name);
    if (sign === undefined || typeof to !== 'string') return null;
    if (!/[\p{L}\p{N}]/u.test(to)) return sign === '!~';
    const each = column.fields.map((field) => `${field} ${sign} ${phrase(to)}`);
    return joinedBy(sign === '~' ? 'OR' : 'AND', each);
  }
  const { kind, field } = column;
  const values = (Array.isArray(to) ? to : [to]).map((one) => operand(kind, one));
  const known = values.filter((one) => one !== null);
  if (known.length !== values.length || known.length > 200) return null;
  if (name === 'in' || name === 'nin') {
    if (!Array.isArray(to)) return null;
    return known.length === 0 ? name === 'nin' : `${field} ${name === 'in' ? 'IN' : 'NOT IN'} (${known.join(', ')})`;
  }
  const sign = own(signs, name);
  const isOrdered = kind !== 'id' || name === 'eq' || name === 'neq';
  return sign === undefined || Array.isArray(to) || !isOrdered ? null : `${field} ${sign} ${known[0]}`;
}

/** A value in JQL. Times are Unix ms, since Jira reads others in the time zone of the user. */
function operand(kind: Exclude<Single['kind'], 'text'>, value: unknown): string | null {
  if (kind === 'one') return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  if (kind === 'id')
    return typeof value === 'string' && /^(?:\d{1,18}|[A-Za-z]\w{0,30}-\d{1,12})$/.test(value)
      ? idIn('issuekey', value)
      : null;
  const at = timeOf(value);
  if (at === null) return null;
  return kind === 'time' ? String(at) : quoted(new Date(at).toISOString().slice(0, 10));
}
