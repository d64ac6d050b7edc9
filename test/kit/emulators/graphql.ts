import { member } from '#test/kit/checks.ts';
import { parsed } from '#test/kit/wire.ts';

type Json = null | boolean | string | number | readonly Json[] | { readonly [name: string]: Json };

/** A field at the root of a GraphQL document and its arguments, the variables in them replaced by their values. */
export type Root = Readonly<{ name: string; arguments: unknown }>;

/** The fields at the root of a document. */
export function rootsOf(document: string, variables: unknown): readonly Root[] {
  const start = bodyStart(document);
  if (start === -1) return [];
  return fieldsAt(document, start).fields.map(({ name, rest }) => ({
    name,
    arguments: rest === '' ? {} : literal(`{${rest.slice(1, -1)}}`, 0, variables).value,
  }));
}

type Read = Readonly<{ value: unknown; end: number }>;

/** The value that begins at `at`: an object, a list, a variable, or a plain literal. A variable that is not given leaves its member out. */
function literal(text: string, at: number, variables: unknown): Read {
  const start = afterBlanks(text, at);
  if (text[start] === '{' || text[start] === '[') return container(text, start, variables);
  const token = /^(?:"(?:[^"\\]|\\.)*"|\$?[\w.+-]+)/.exec(text.slice(start))?.[0] ?? '';
  const end = start + Math.max(token.length, 1);
  if (token.startsWith('$')) return { value: member(variables, token.slice(1)), end };
  if (/^(?:"|-?\d|true$|false$|null$)/.test(token)) return { value: parsed(token), end };
  return { value: token, end };
}

function container(text: string, start: number, variables: unknown): Read {
  const isList = text[start] === '[';
  const entries: [string, unknown][] = [];
  let at = afterBlanks(text, start + 1);
  while (at < text.length && text[at] !== (isList ? ']' : '}')) {
    const name = isList ? null : /^(\w+)\s*:/.exec(text.slice(at));
    const read = literal(text, at + (name?.[0].length ?? 0), variables);
    if (read.value !== undefined) entries.push([name?.[1] ?? String(entries.length), read.value]);
    at = afterBlanks(text, read.end);
  }
  const value = isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  return { value, end: at + 1 };
}

function afterBlanks(text: string, at: number): number {
  return at + (/^[\s,]*/.exec(text.slice(at))?.[0].length ?? 0);
}

/** Values for what a document selects: true for `success`, empty pages, a text for an id or a name, null for other plain fields. */
export function answerTo(document: string): Json {
  const start = bodyStart(document);
  return start === -1 ? {} : stubOf(fieldsAt(document, start).fields);
}

/** Where the selection of the operation begins; the braces of default values in its head do not count. */
function bodyStart(document: string): number {
  let depth = 0;
  for (let at = 0; at < document.length; at += 1) {
    const sign = document[at];
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === '{' && depth === 0) return at;
  }
  return -1;
}

type Field = Readonly<{ key: string; name: string; rest: string; inner: readonly Field[] | null }>;

/** The fields of the selection that opens at `start`, and where it ends. */
function fieldsAt(document: string, start: number): Readonly<{ fields: readonly Field[]; end: number }> {
  const fields: Field[] = [];
  let at = start + 1;
  for (;;) {
    const next = /^[\s,]*/.exec(document.slice(at));
    at += next?.[0].length ?? 0;
    const sign = document[at];
    if (sign === '}' || sign === undefined) return { fields, end: at + 1 };
    const spread = /^\.\.\.\s*(?:on\s+\w+\s*)?/.exec(document.slice(at));
    if (spread !== null) {
      at += spread[0].length;
      if (document[at] === '{') {
        const inside = fieldsAt(document, at);
        fields.push(...inside.fields);
        at = inside.end;
      } else at += /^\w*/.exec(document.slice(at))?.[0].length ?? 0;
      continue;
    }
    const named = /^(\w+)(?:\s*:\s*(\w+))?\s*/.exec(document.slice(at));
    if (named === null) return { fields, end: at + 1 };
    at += named[0].length;
    const closing = document[at] === '(' ? argumentsEnd(document, at) : at;
    const rest = document.slice(at, closing);
    at = closing + (/^\s*/.exec(document.slice(closing))?.[0].length ?? 0);
    const isObject = document[at] === '{';
    const inside = isObject ? fieldsAt(document, at) : null;
    if (inside !== null) at = inside.end;
    fields.push({ key: named[1] ?? '', name: named[2] ?? named[1] ?? '', rest, inner: inside?.fields ?? null });
  }
}

function argumentsEnd(document: string, start: number): number {
  let depth = 0;
  for (let at = start; at < document.length; at += 1) {
    if (document[at] === '(') depth += 1;
    if (document[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return document.length;
}

const plain: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['success', true],
  ['hasNextPage', false],
  ['hasPreviousPage', false],
  ['id', 'the-id'],
  ['name', 'A name'],
  ['title', 'A title'],
  ['identifier', 'KIT-1'],
]);

function stubOf(fields: readonly Field[]): Json {
  return Object.fromEntries(
    fields.map(({ key, name, inner }) => {
      if (inner === null) return [key, plain.get(name) ?? null];
      return [key, name === 'nodes' || name === 'edges' ? [] : stubOf(inner)];
    }),
  );
}
