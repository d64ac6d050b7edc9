import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { DqlCursor, readString, refusal } from '#domain/vault-queries/dql/dql-cursor.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Clause, NamedExpression, Query } from '#domain/vault-queries/dql/dql-tree.ts';
import { readExpression, readName } from '#domain/vault-queries/dql/read-expression.ts';
import { readSource } from '#domain/vault-queries/dql/read-source.ts';

/** The maximum length of a query, in characters. */
export const maxDql = 4_000;

const dqlKnown =
  'Known are TABLE, LIST, TASK and CALENDAR; then FROM; then WHERE, SORT, GROUP BY, FLATTEN and LIMIT, in any order.';

type Form = Pick<Query, 'form' | 'fields'>;
type SortKey = Extract<Clause, { kind: 'sort' }>['keys'][number];

/** Parses a query of the Dataview query language; the failure says what is wrong or not supported, and where. */
export function readDql(text: string): Result<Query, string> {
  if (text.length > maxDql) return err(`A query may have ${maxDql} characters.`);
  try {
    const cursor = new DqlCursor(text);
    const query = readQuery(cursor);
    if (cursor.isTooDeep || isTooDeep(query)) return tooDeep;
    return query === null || !cursor.isAtEnd ? err(`${errorOf(cursor, text)} ${dqlKnown}`) : ok(query);
  } catch (error) {
    if (error instanceof DqlError) return err(error.message);
    throw error;
  }
}

const tooDeep = err(`The query is nested too deeply: it may be nested ${maxDepth} deep.`);

function errorOf(cursor: DqlCursor, text: string): string {
  if (/^\s*(?:`{3}\s*dataviewjs|\$=|dv\.|(?:const|let|var|await|for)\b)/.test(text)) {
    return 'This is DataviewJS (line 1, column 1), which is a program and is not run here.';
  }
  const word = /^\S{1,40}/.exec(text.slice(cursor.furthest))?.[0] ?? 'its end';
  const { line, column } = cursor.placeOf(cursor.furthest);
  return `The query cannot be read at "${word}" (line ${line}, column ${column}).`;
}

const words = {
  table: /TABLE(?![\p{L}\p{N}_])/iuy,
  list: /LIST(?![\p{L}\p{N}_])/iuy,
  task: /TASK(?![\p{L}\p{N}_])/iuy,
  calendar: /CALENDAR(?![\p{L}\p{N}_])/iuy,
  withoutId: /WITHOUT[ \t\r\n]+ID(?![\p{L}\p{N}_])/iuy,
  as: /AS(?![\p{L}\p{N}_])/iuy,
  from: /FROM(?![\p{L}\p{N}_])/iuy,
  where: /WHERE(?![\p{L}\p{N}_])/iuy,
  sort: /SORT(?![\p{L}\p{N}_])/iuy,
  limit: /LIMIT(?![\p{L}\p{N}_])/iuy,
  group: /GROUP[ \t\r\n]+BY(?![\p{L}\p{N}_])/iuy,
  flatten: /FLATTEN(?![\p{L}\p{N}_])/iuy,
  order: /(?:DESCENDING|DESC|ASCENDING|ASC)(?![\p{L}\p{N}_])/iuy,
} as const;

function readQuery(cursor: DqlCursor): Query | null {
  cursor.skip();
  const form = readForm(cursor);
  cursor.skip();
  const source = cursor.whole(() => (cursor.token(words.from) === null ? null : readSource(cursor)));
  const clauses = form === null ? [] : cursor.many(() => readClause(cursor));
  cursor.skip();
  return form === null ? null : { ...form, source, clauses };
}

function readForm(cursor: DqlCursor): Form | null {
  if (cursor.token(words.table) !== null) {
    cursor.token(words.withoutId);
    return { form: 'TABLE', fields: cursor.list(() => readNamed(cursor)) };
  }
  if (cursor.token(words.list) !== null) {
    cursor.token(words.withoutId);
    const value = readExpression(cursor);
    return { form: 'LIST', fields: value === null ? [] : [{ name: '', value }] };
  }
  if (cursor.token(words.calendar) !== null) {
    const day = readNamed(cursor);
    return day === null ? null : { form: 'CALENDAR', fields: [day] };
  }
  return cursor.token(words.task) === null ? null : { form: 'TASK', fields: [] };
}

/** Reads an expression, and the name after `AS`, which is else its text. */
function readNamed(cursor: DqlCursor): NamedExpression | null {
  const from = cursor.at;
  const value = readExpression(cursor);
  if (value === null) return null;
  const text = cursor.since(from).trim();
  const name = cursor.whole(() => (cursor.token(words.as) === null ? null : (readString(cursor) ?? readName(cursor))));
  cursor.skip();
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return { value, name: name ?? lines.join('') };
}

function readClause(cursor: DqlCursor): Clause | null {
  cursor.skip();
  const { place } = cursor;
  if (cursor.token(words.from) !== null) throw refusal('FROM', place, 'comes once, before all other clauses');
  if (cursor.token(words.where) !== null) {
    const value = readExpression(cursor);
    return value === null ? null : { kind: 'where', value };
  }
  if (cursor.token(words.sort) !== null) {
    const keys = cursor.list(() => readSortKey(cursor));
    return keys.length === 0 ? null : { kind: 'sort', keys };
  }
  for (const kind of ['group', 'flatten'] as const) {
    if (cursor.token(words[kind]) === null) continue;
    const by = readNamed(cursor);
    return by === null ? null : { kind, by };
  }
  const count = cursor.token(words.limit) === null ? null : readExpression(cursor);
  return count === null ? null : { kind: 'limit', count };
}

function readSortKey(cursor: DqlCursor): SortKey | null {
  const value = readExpression(cursor);
  if (value === null) return null;
  return { value, isDescending: /^desc/i.test(cursor.token(words.order) ?? '') };
}
