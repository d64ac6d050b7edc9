import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { DqlCursor, readString } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Clause, Query } from '#domain/vault-queries/dql/dql-tree.ts';
import { readExpression, readName } from '#domain/vault-queries/dql/read-expression.ts';
import { readSource } from '#domain/vault-queries/dql/read-source.ts';

/** The maximum length of a query, in characters. */
export const maxDql = 4_000;

/** The supported part of the language, for error messages. */
export const dqlKnown =
  'The embedded vault knows TABLE, LIST and TASK with FROM (tags, "folders", [[links]], outgoing([[link]]); and, or, -), WHERE, SORT and LIMIT.';

type Form = Omit<Query, 'clauses'>;
type Field = Query['fields'][number];
type SortKey = Extract<Clause, { kind: 'sort' }>['keys'][number];

/**
 * Parses a query in the subset of the Dataview query language that the vault supports; the failure says where the error
 * is and what is supported.
 */
export function readDql(text: string): Result<Query, string> {
  if (text.length > maxDql) return err(`A query may have ${maxDql} characters.`);
  const cursor = new DqlCursor(text);
  cursor.skip();
  const form = readForm(cursor);
  const clauses = form === null ? [] : cursor.many(() => readClause(cursor));
  cursor.skip();
  if (cursor.isTooDeep) return tooDeep;
  if (form === null || !cursor.isAtEnd) return err(`${errorOf(cursor, text)} ${dqlKnown}`);
  const query: Query = { ...form, clauses };
  return isTooDeep(query) ? tooDeep : ok(query);
}

const tooDeep = err(`The query is nested too deeply: it may be nested ${maxDepth} deep.`);

function errorOf(cursor: DqlCursor, text: string): string {
  const word = /^\S{1,40}/.exec(text.slice(cursor.furthest))?.[0] ?? 'its end';
  const { line, column } = cursor.placeOf(cursor.furthest);
  return `The query cannot be read at "${word}" (line ${line}, column ${column}).`;
}

const words = {
  table: /TABLE(?![\p{L}\p{N}_])/iuy,
  list: /LIST(?![\p{L}\p{N}_])/iuy,
  task: /TASK(?![\p{L}\p{N}_])/iuy,
  withoutId: /WITHOUT[ \t\r\n]+ID(?![\p{L}\p{N}_])/iuy,
  as: /AS(?![\p{L}\p{N}_])/iuy,
  from: /FROM(?![\p{L}\p{N}_])/iuy,
  where: /WHERE(?![\p{L}\p{N}_])/iuy,
  sort: /SORT(?![\p{L}\p{N}_])/iuy,
  limit: /LIMIT(?![\p{L}\p{N}_])/iuy,
  order: /(?:DESCENDING|DESC|ASCENDING|ASC)(?![\p{L}\p{N}_])/iuy,
} as const;

function readForm(cursor: DqlCursor): Form | null {
  if (cursor.token(words.table) !== null) {
    const withoutId = cursor.token(words.withoutId) !== null;
    return { form: 'TABLE', withoutId, fields: cursor.list(() => readField(cursor)) };
  }
  if (cursor.token(words.list) !== null) {
    const withoutId = cursor.token(words.withoutId) !== null;
    const value = readExpression(cursor);
    return { form: 'LIST', withoutId, fields: value === null ? [] : [{ name: '', value }] };
  }
  return cursor.token(words.task) === null ? null : { form: 'TASK', withoutId: false, fields: [] };
}

/** Reads a column: an expression, and the name after `AS`, which is else its text. */
function readField(cursor: DqlCursor): Field | null {
  const from = cursor.at;
  const value = readExpression(cursor);
  if (value === null) return null;
  const text = cursor.since(from).trim();
  const name = cursor.whole(() => (cursor.token(words.as) === null ? null : (readString(cursor) ?? readName(cursor))));
  cursor.skip();
  return { value, name: name ?? text };
}

function readClause(cursor: DqlCursor): Clause | null {
  cursor.skip();
  if (cursor.token(words.from) !== null) {
    const source = readSource(cursor);
    return source === null ? null : { kind: 'from', source };
  }
  if (cursor.token(words.where) !== null) {
    const value = readExpression(cursor);
    return value === null ? null : { kind: 'where', value };
  }
  if (cursor.token(words.sort) !== null) {
    const keys = cursor.list(() => readSortKey(cursor));
    return keys.length === 0 ? null : { kind: 'sort', keys };
  }
  const count = cursor.token(words.limit) === null ? null : cursor.token(/[0-9]+/y);
  return count === null ? null : { kind: 'limit', count: Number(count) };
}

function readSortKey(cursor: DqlCursor): SortKey | null {
  const value = readExpression(cursor);
  if (value === null) return null;
  return { value, isDescending: /^desc/i.test(cursor.token(words.order) ?? '') };
}
