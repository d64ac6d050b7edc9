import { refusal, timeOf } from '#adapters/services/tracker/details/matching.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** A condition of a JQL query; true or false where it is known without asking. */
type Condition = string | boolean;

/**
 * How a member of a filter is asked for in JQL. `related` finds the ids of the records that a filter of their own
 * matches.
 */
export type Column = Readonly<
  | { kind: 'text'; fields: readonly string[] }
  | { kind: 'time' | 'day' | 'id'; field: string }
  | { kind: 'number'; fields: readonly string[] }
  | {
      kind: 'related';
      field: string;
      find: (filter: Readonly<Record<string, unknown>>, place: string) => Promise<Outcome<readonly string[]>>;
    }
>;

/** The members of a filter, by name. */
export type Columns = Readonly<Record<string, Column>>;

/** Writes a value as a JQL string: whatever it contains, it stays one value. */
export function quoted(value: string): string {
  return `"${value.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Writes text as a phrase that Jira's word search looks for, without operators of its own. */
const phrase = (text: string) => quoted(`"${text.replaceAll(/[\\"]/g, ' ').trim()}"`);

const joined = (conditions: readonly Condition[], word: 'AND' | 'OR'): Condition => {
  const decides = word === 'OR';
  if (conditions.includes(decides)) return decides;
  const open = conditions.filter((one) => typeof one === 'string');
  if (open.length === 0) return !decides;
  return open.length === 1 ? (open[0] ?? '') : `(${open.join(` ${word} `)})`;
};

/** An id of Jira's is a number, which is read as an id and never as a name; people and labels have texts. */
const idIn = (field: string, id: string) =>
  /^\d{1,18}$/.test(id) && !['labels', 'assignee', 'creator'].includes(field) ? id : quoted(id);

const oneOf = (field: string, ids: readonly string[]): Condition =>
  ids.length === 0 ? false : `${field} IN (${ids.map((id) => idIn(field, id)).join(', ')})`;

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

/** The most conditions of one filter. */
const maxConditions = 200;

/** Translates a filter of the kind to a condition of JQL. What JQL cannot say is refused, with its place. */
export async function conditionOf(filter: unknown, columns: Columns): Promise<Outcome<Condition>> {
  let count = 0;
  const all = async (
    parts: readonly (readonly [unknown, string])[],
    word: 'AND' | 'OR',
  ): Promise<Outcome<Condition>> => {
    const conditions: Condition[] = [];
    for (const [part, place] of parts) {
      const one = await whole(part, place);
      if (!one.ok) return one;
      conditions.push(one.data);
    }
    return succeeded(joined(conditions, word));
  };
  async function whole(part: unknown, place: string): Promise<Outcome<Condition>> {
    if (!isObject(part)) return refusal(place);
    const conditions: Condition[] = [];
    for (const [name, value] of Object.entries(part)) {
      count += 1;
      if (count > maxConditions)
        return failed('invalid_input', `\`filter\` has more than ${maxConditions} conditions.`);
      const within = `${place}.${name}`;
      const column = own(columns, name);
      const parts = Array.isArray(value)
        ? value.map((one, index): [unknown, string] => [one, `${within}[${index}]`])
        : null;
      const one =
        (name === 'and' || name === 'or') && parts !== null
          ? await all(parts, name === 'and' ? 'AND' : 'OR')
          : column === undefined || !isObject(value)
            ? refusal(within)
            : await member(column, value, within);
      if (!one.ok) return one;
      conditions.push(one.data);
    }
    return succeeded(joined(conditions, 'AND'));
  }
  return whole(filter, 'filter');
}

/** A column of one field, or of text. */
type Single = Exclude<Column, { kind: 'related' | 'number' }> | Readonly<{ kind: 'one'; field: string }>;

type Comparison = Readonly<Record<string, unknown>>;

async function member(
  column: Column | Readonly<{ kind: 'one'; field: string }>,
  value: Comparison,
  place: string,
): Promise<Outcome<Condition>> {
  if (column.kind === 'number') {
    // An issue has at most one of them, so that none of the others may count against it.
    const isAgainst = value['null'] === true || 'neq' in value || 'nin' in value;
    const each = column.fields.map((field) => member({ kind: 'one', field }, value, place));
    const all = await Promise.all(each);
    const conditions = all.flatMap((one) => (one.ok ? [one.data] : []));
    return all.find((one) => !one.ok) ?? succeeded(joined(conditions, isAgainst ? 'AND' : 'OR'));
  }
  const isEmpty = value['null'];
  if (typeof isEmpty === 'boolean' && Object.keys(value).length === 1 && column.kind !== 'text') {
    return succeeded(`${column.field} IS ${isEmpty ? '' : 'NOT '}EMPTY`);
  }
  if (column.kind === 'related') {
    const id = onlyId(value) ?? onlyId(value['some']);
    if (id !== null) return succeeded(oneOf(column.field, [id]));
    const found = await column.find(value, place);
    return found.ok ? succeeded(oneOf(column.field, found.data)) : found;
  }
  const conditions: Condition[] = [];
  for (const [name, to] of Object.entries(value)) {
    const condition = comparison(column, name, to);
    if (condition === null) return refusal(`${place}.${name}`);
    conditions.push(condition);
  }
  return succeeded(joined(conditions, 'AND'));
}

/** The id that a filter asks for and nothing else, which needs no look-up; null for another filter. */
function onlyId(filter: unknown): string | null {
  const id = isObject(filter) && Object.keys(filter).length === 1 ? filter['id'] : null;
  const eq = isObject(id) && Object.keys(id).length === 1 ? id['eq'] : null;
  return typeof eq === 'string' ? eq : null;
}

/** One comparison; null when JQL has none like it, or the value is of another kind. */
function comparison(column: Single, name: string, to: unknown): Condition | null {
  if (column.kind === 'text') {
    const sign = own(phraseSigns, name);
    if (sign === undefined || typeof to !== 'string') return null;
    if (!/[\p{L}\p{N}]/u.test(to)) return sign === '!~';
    return joined(
      column.fields.map((field) => `${field} ${sign} ${phrase(to)}`),
      sign === '~' ? 'OR' : 'AND',
    );
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
function operand(kind: 'time' | 'day' | 'one' | 'id', value: unknown): string | null {
  if (kind === 'one') return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  if (kind === 'id')
    return typeof value === 'string' && /^(?:\d{1,18}|[A-Za-z]\w{0,30}-\d{1,12})$/.test(value)
      ? idIn('issuekey', value)
      : null;
  const at = timeOf(value);
  if (at === null) return null;
  return kind === 'time' ? String(at) : quoted(new Date(at).toISOString().slice(0, 10));
}
