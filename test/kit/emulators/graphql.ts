type Json = null | boolean | string | number | readonly Json[] | { readonly [name: string]: Json };

/** The fields at the root of a GraphQL document, with the variables that they are given: `[['issueUpdate', '(id: $id, …)']]`. */
export function rootsOf(document: string): readonly (readonly [name: string, rest: string])[] {
  const start = bodyStart(document);
  if (start === -1) return [];
  return fieldsAt(document, start).fields.map(({ name, rest }) => [name, rest]);
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
