import { parse } from '#adapters/embedded-vault/dql/dql-parser.ts';
import type { Query } from '#adapters/embedded-vault/dql/dql-tree.ts';
import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The maximum length of a query, in characters. */
export const maxDql = 4_000;

/** The supported part of the language, for error messages. */
export const dqlKnown =
  'The embedded vault knows TABLE, LIST and TASK with FROM (tags, "folders", [[links]], outgoing([[link]]); and, or, -), WHERE, SORT and LIMIT.';

/** Parses a query; the failure says where the error is and what is supported. */
export function readDql(text: string): Result<Query, string> {
  if (text.length > maxDql) return err(`A query may have ${maxDql} characters.`);
  try {
    const query: Query = parse(text, {});
    return isTooDeep(query) ? err(`A query may be nested ${maxDepth} deep.`) : ok(query);
  } catch (error) {
    if (error instanceof RangeError) return err('The query is nested too deeply.');
    return err(`${whereOf(error, text)} ${dqlKnown}`);
  }
}

function whereOf(error: unknown, text: string): string {
  const place = typeof error === 'object' && error !== null && 'location' in error ? error.location : null;
  const start = typeof place === 'object' && place !== null && 'start' in place ? place.start : null;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof start !== 'object' || start === null || !('offset' in start)) return message;
  const word = /^\S{1,40}/.exec(text.slice(Number(start.offset)))?.[0] ?? 'its end';
  const [line, column] = ['line' in start ? start.line : 1, 'column' in start ? start.column : 1];
  return `The query cannot be read at "${word}" (line ${String(line)}, column ${String(column)}).`;
}
