import { own } from '#domain/shared/own.ts';
import { type DqlCursor, type DqlPlace, readLink, readString, refusal } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Expression, NamedExpression, Operator } from '#domain/vault-queries/dql/dql-tree.ts';
import { fileFields } from '#domain/vault-queries/dql/file-fields.ts';
import { dqlFunctions } from '#domain/vault-queries/dql/functions/dql-functions.ts';
import { readTime } from '#domain/vault-queries/dql/read-time.ts';

type Read = () => Expression | null;
type Binary = Readonly<{ operator: Operator; right: Expression; at: DqlPlace }>;

/** The operators, from those that bind loosest to those that bind closest; all join from left to right. */
const levels: readonly (readonly (readonly [RegExp, Operator])[])[] = [
  [
    [/OR(?![\p{L}\p{N}_])|\|\|?/iuy, '|'],
    [/AND(?![\p{L}\p{N}_])|&&?/iuy, '&'],
  ],
  [
    [/!=/y, '!='],
    [/<=/y, '<='],
    [/>=/y, '>='],
    [/=(?!>)/y, '='],
    [/</y, '<'],
    [/>/y, '>'],
  ],
  [
    [/\+/y, '+'],
    [/-/y, '-'],
  ],
  [
    [/\*/y, '*'],
    [/\//y, '/'],
    [/%/y, '%'],
  ],
];

const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Matches a name: letters, digits, emoji, `_` and `-`. */
const name = /[\p{L}\p{Extended_Pictographic}_][\p{L}\p{N}\p{M}\p{Cf}\p{Extended_Pictographic}_-]*/uy;

/** Matches a name that is no word of a clause. */
const freeName =
  /(?!(?:FROM|WHERE|SORT|LIMIT|GROUP|FLATTEN|AS|AND|OR|DESCENDING|DESC)(?![A-Za-z0-9_-]))[\p{L}\p{Extended_Pictographic}_][\p{L}\p{N}\p{M}\p{Cf}\p{Extended_Pictographic}_-]*/iuy;

/** Reads an expression, and the white space behind it. */
export function readExpression(cursor: DqlCursor): Expression | null {
  return cursor.nested(() => readLevel(cursor, 0));
}

/** Reads a name of a property, a function or a column. */
export const readName = (cursor: DqlCursor): string | null => cursor.take(freeName);

function readLevel(cursor: DqlCursor, level: number): Expression | null {
  const operators = levels[level];
  if (operators === undefined) return unary(cursor);
  const head = readLevel(cursor, level + 1);
  if (head === null) return null;
  const tail = cursor.many<Binary>(() => {
    const { place: at } = cursor;
    const operator = operators.find(([sign]) => cursor.token(sign) !== null)?.[1];
    const right = operator === undefined ? null : readLevel(cursor, level + 1);
    return operator === undefined || right === null ? null : { operator, right, at };
  });
  return tail.reduce<Expression>((left, rest) => ({ kind: 'binary', left, ...rest }), head);
}

function unary(cursor: DqlCursor): Expression | null {
  const signed = (kind: 'not' | 'negative', expected: RegExp): Expression | null =>
    cursor.whole(() => {
      const value = cursor.token(expected) === null ? null : cursor.nested(() => unary(cursor));
      return value === null ? null : { kind, value };
    });
  return (
    signed('not', /!(?!\[\[)/y) ??
    signed('not', /not(?![A-Za-z0-9_(-])/iy) ??
    signed('negative', /-(?!\d)/y) ??
    members(cursor)
  );
}

/** Reads a value with the members that are asked of it: `file.name`, `rows["name"]`. */
function members(cursor: DqlCursor): Expression | null {
  let value = primary(cursor);
  for (let next = value; next !== null; ) {
    value = next;
    const of = next;
    next = cursor.whole(() => memberOf(cursor, of));
  }
  cursor.skip();
  return value;
}

function memberOf(cursor: DqlCursor, of: Expression): Expression | null {
  const { place: at } = cursor;
  if (cursor.take(/\./y) !== null) {
    const called = cursor.take(name);
    if (called === null) return null;
    if (isFile(of) && !fileFields.includes(called)) {
      throw refusal(`file.${called}`, at, `is not known here. Known are ${fileFields.join(', ')}`);
    }
    return { kind: 'member', of, name: { kind: 'literal', value: called }, at };
  }
  const inner = cursor.token(/\[(?!\[)/y) === null ? null : readExpression(cursor);
  return inner === null || cursor.take(/\]/y) === null ? null : { kind: 'member', of, name: inner, at };
}

const isFile = (value: Expression): boolean =>
  (value.kind === 'variable' && value.name === 'file') ||
  (value.kind === 'member' && value.name.kind === 'literal' && value.name.value === 'file');

function primary(cursor: DqlCursor): Expression | null {
  const readers: readonly Read[] = [
    () => lambda(cursor),
    () => group(cursor),
    () => link(cursor),
    () => list(cursor),
    () => object(cursor),
    () => readTime(cursor, 'date'),
    () => readTime(cursor, 'duration'),
    () => literal(readString(cursor)),
    () => literal(cursor.take(/-?[0-9]+(?:\.[0-9]+)?/y), Number),
    () => literal(cursor.token(/(?:true|false|null)(?![\p{L}\p{N}_-])/iuy), wordOf),
    () => call(cursor),
    () => variable(cursor),
  ];
  for (const read of readers) {
    const found = cursor.whole(read);
    if (found !== null) return found;
  }
  return null;
}

function lambda(cursor: DqlCursor): Expression | null {
  if (cursor.token(/\(/y) === null) return null;
  const names = cursor.list(() => cursor.token(name));
  if (cursor.token(/\)/y) === null || cursor.token(/=>/y) === null) return null;
  const body = readExpression(cursor);
  return body === null ? null : { kind: 'lambda', names, body };
}

function group(cursor: DqlCursor): Expression | null {
  const inner = cursor.token(/\(/y) === null ? null : readExpression(cursor);
  return inner === null || cursor.take(/\)/y) === null ? null : inner;
}

function link(cursor: DqlCursor): Expression | null {
  const embed = cursor.take(/!(?=\[\[)/y) !== null;
  const inner = readLink(cursor);
  return inner === null ? null : { kind: 'link', inner, embed };
}

function list(cursor: DqlCursor): Expression | null {
  if (cursor.token(/\[/y) === null) return null;
  const items = cursor.list(() => readExpression(cursor));
  cursor.skip();
  return cursor.take(/\]/y) === null ? null : { kind: 'list', items };
}

function object(cursor: DqlCursor): Expression | null {
  if (cursor.token(/\{/y) === null) return null;
  const fields = cursor.list<NamedExpression>(() => {
    const called = readString(cursor) ?? cursor.take(name);
    cursor.skip();
    const value = called === null || cursor.token(/:/y) === null ? null : readExpression(cursor);
    return called === null || value === null ? null : { name: called, value };
  });
  cursor.skip();
  return cursor.take(/\}/y) === null ? null : { kind: 'object', fields };
}

function call(cursor: DqlCursor): Expression | null {
  const { place: at } = cursor;
  const written = cursor.take(/sort(?=\()/iy) ?? readName(cursor);
  if (written === null || cursor.token(/\(/y) === null) return null;
  const called = written.toLowerCase();
  if (!Object.hasOwn(dqlFunctions, called)) {
    const known = Object.keys(dqlFunctions).join(', ');
    throw refusal(`The function ${written}`, at, `is not known here. Known are ${known}`);
  }
  const parameters = cursor.list(() => readExpression(cursor));
  cursor.skip();
  return cursor.take(/\)/y) === null ? null : { kind: 'call', name: called, parameters, at };
}

function variable(cursor: DqlCursor): Expression | null {
  const { place: at } = cursor;
  const called = readName(cursor);
  if (called === 'this') throw refusal('this', at, 'is the note that holds the query, and a search has none');
  return called === null ? null : { kind: 'variable', name: called, at };
}

function literal(text: string | null, meaning: (text: string) => string | number | boolean | null = String) {
  return text === null ? null : ({ kind: 'literal', value: meaning(text) } as const);
}

const wordOf = (word: string): boolean | null => own(literals, word.toLowerCase()) ?? null;
