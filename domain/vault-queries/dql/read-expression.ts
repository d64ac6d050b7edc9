import { own } from '#domain/shared/own.ts';
import { type DqlCursor, readLink, readString } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Expression, Operator } from '#domain/vault-queries/dql/dql-tree.ts';

type Read = () => Expression | null;
type Binary = Readonly<{ operator: Operator; right: Expression }>;

const or = /OR(?![\p{L}\p{N}_])|\|\|?/iuy;
const and = /AND(?![\p{L}\p{N}_])|&&?/iuy;
const operators: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%'];
const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Matches a name that is no word of a clause. */
const name =
  /(?!(?:FROM|WHERE|SORT|LIMIT|GROUP|FLATTEN|AS|AND|OR|DESCENDING|DESC)(?![A-Za-z0-9_-]))[\p{L}_][\p{L}\p{N}_-]*/iuy;

/** Reads an expression, and the white space behind it. */
export function readExpression(cursor: DqlCursor): Expression | null {
  return cursor.nested(() => alternatives(cursor));
}

/** Reads a name of a property, a function or a column. */
export const readName = (cursor: DqlCursor): string | null => cursor.take(name);

// From the operators that bind loosest to those that bind closest, all from left to right.

function alternatives(cursor: DqlCursor): Expression | null {
  const conjunction: Read = () => chain(cursor, { read: () => comparison(cursor), expected: and, operator: 'and' });
  return chain(cursor, { read: conjunction, expected: or, operator: 'or' });
}

function comparison(cursor: DqlCursor): Expression | null {
  const left = sum(cursor);
  if (left === null) return null;
  const rest = cursor.whole(() => part(cursor, /!=|<=|>=|=|<|>/y, () => sum(cursor)));
  return rest === null ? left : { kind: 'binary', left, ...rest };
}

function sum(cursor: DqlCursor): Expression | null {
  const product: Read = () => chain(cursor, { read: () => unary(cursor), expected: /[*/%]/y });
  return chain(cursor, { read: product, expected: /[+-]/y });
}

type Link = Readonly<{ read: Read; expected: RegExp; operator?: Operator }>;

/** Reads expressions with operators between them; `operator` is what all of these mean. */
function chain(cursor: DqlCursor, { read, expected, operator }: Link): Expression | null {
  const head = read();
  if (head === null) return null;
  const tail = cursor.many(() => part(cursor, expected, read, operator));
  return tail.reduce<Expression>((left, rest) => ({ kind: 'binary', left, ...rest }), head);
}

/** Reads an operator and the expression behind it. */
function part(cursor: DqlCursor, expected: RegExp, read: Read, meant?: Operator): Binary | null {
  const found = cursor.token(expected);
  const operator = meant ?? operators.find((known) => known === found);
  const right = operator === undefined || found === null ? null : read();
  return operator === undefined || right === null ? null : { operator, right };
}

function unary(cursor: DqlCursor): Expression | null {
  const signed = (kind: 'not' | 'negative', expected: RegExp): Expression | null =>
    cursor.whole(() => {
      const value = cursor.token(expected) === null ? null : cursor.nested(() => unary(cursor));
      return value === null ? null : { kind, value };
    });
  return signed('not', /!/y) ?? signed('not', /not(?![A-Za-z0-9_(-])/iy) ?? signed('negative', /-/y) ?? members(cursor);
}

/** Reads a value with the members that are asked of it: `file.name`, `rows["name"]`. */
function members(cursor: DqlCursor): Expression | null {
  const head = primary(cursor);
  if (head === null) return null;
  const tail = cursor.many(() => memberName(cursor) ?? cursor.whole(() => bracketed(cursor)));
  cursor.skip();
  return tail.reduce<Expression>((of, member) => ({ kind: 'member', of, name: member }), head);
}

function memberName(cursor: DqlCursor): Expression | null {
  const value = cursor.whole(() => (cursor.take(/\./y) === null ? null : readName(cursor)));
  return value === null ? null : { kind: 'literal', value };
}

function bracketed(cursor: DqlCursor): Expression | null {
  const inner = cursor.token(/\[/y) === null ? null : readExpression(cursor);
  return inner === null || cursor.take(/\]/y) === null ? null : inner;
}

function primary(cursor: DqlCursor): Expression | null {
  const readers: readonly Read[] = [
    () => group(cursor),
    () => link(cursor),
    () => list(cursor),
    () => timeOf(cursor, 'date'),
    () => timeOf(cursor, 'duration'),
    () => literal(readString(cursor)),
    () => numberOf(cursor.take(/-?[0-9]+(?:\.[0-9]+)?/y)),
    () => wordOf(cursor.token(/(?:true|false|null)(?![\p{L}\p{N}_])/iuy)),
    () => call(cursor),
    () => variable(readName(cursor)),
  ];
  for (const read of readers) {
    const found = cursor.whole(read);
    if (found !== null) return found;
  }
  return null;
}

function group(cursor: DqlCursor): Expression | null {
  const inner = cursor.token(/\(/y) === null ? null : readExpression(cursor);
  return inner === null || cursor.take(/\)/y) === null ? null : inner;
}

function link(cursor: DqlCursor): Expression | null {
  const path = readLink(cursor);
  return path === null ? null : { kind: 'link', path };
}

function list(cursor: DqlCursor): Expression | null {
  if (cursor.token(/\[/y) === null) return null;
  const items = cursor.list(() => readExpression(cursor));
  cursor.skip();
  return cursor.take(/\]/y) === null ? null : { kind: 'list', items };
}

const times = {
  date: { opening: /date\(/iy, text: /[^() \t\r\n]+/y },
  duration: { opening: /dur\(/iy, text: /[^()]+/y },
} as const;

function timeOf(cursor: DqlCursor, kind: keyof typeof times): Expression | null {
  const { opening, text: expected } = times[kind];
  const text = cursor.token(opening) === null ? null : cursor.token(expected);
  return text === null || cursor.take(/\)/y) === null ? null : { kind, text };
}

function call(cursor: DqlCursor): Expression | null {
  const at = cursor.placeOf(cursor.at);
  const called = readName(cursor);
  if (called === null || cursor.token(/\(/y) === null) return null;
  const parameters = cursor.list(() => readExpression(cursor));
  cursor.skip();
  return cursor.take(/\)/y) === null ? null : { kind: 'call', name: called.toLowerCase(), parameters, at };
}

const literal = (value: string | null): Expression | null => (value === null ? null : { kind: 'literal', value });

const numberOf = (digits: string | null): Expression | null =>
  digits === null ? null : { kind: 'literal', value: Number(digits) };

const wordOf = (word: string | null): Expression | null =>
  word === null ? null : { kind: 'literal', value: own(literals, word.toLowerCase()) ?? null };

const variable = (called: string | null): Expression | null =>
  called === null ? null : { kind: 'variable', name: called };
