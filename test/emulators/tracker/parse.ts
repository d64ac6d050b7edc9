/** A value as it stands in a document: a variable is only known once it is filled. */
export type Literal =
  | Readonly<{ kind: 'variable'; name: string }>
  | Readonly<{ kind: 'scalar'; value: string | number | boolean | null }>
  | Readonly<{ kind: 'list'; items: readonly Literal[] }>
  | Readonly<{ kind: 'object'; members: Readonly<Record<string, Literal>> }>;

/**
 * A field with the key of its answer (an alias, or its name), what is given to it, and what is selected of it, with
 * fragments filled in; an empty selection is a leaf.
 */
export type Field = Readonly<{
  name: string;
  key: string;
  args: Readonly<Record<string, Literal>>;
  fields: readonly Field[];
}>;

/** A part of a selection as it is written: a field, the name of a fragment, or the fields of a type's values. */
type Selected =
  | Readonly<{ kind: 'field'; field: Omit<Field, 'fields'>; inner: readonly Selected[] }>
  | Readonly<{ kind: 'spread'; name: string }>
  | Readonly<{ kind: 'inline'; inner: readonly Selected[] }>;

/** A declared variable, with its type as it is written. */
export type Declared = Readonly<{ name: string; type: string; fallback: Literal | null }>;

/** One operation of a document. */
export type Operation = Readonly<{
  kind: 'query' | 'mutation';
  variables: readonly Declared[];
  fields: readonly Field[];
}>;

/** An operation as it is written, with fragments by their names. */
type Written = Omit<Operation, 'fields'> & Readonly<{ selected: readonly Selected[] }>;

/** A document that cannot be read; the message says where. */
export class SyntaxFault extends Error {}

const token = /#[^\n\r]*|\.{3}|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|[{}()[\]:!$=]|\S/g;

/** Reads a document with one operation and its fragments, of the part of GraphQL that is sent here: no directives. */
export function parseDocument(text: string): Operation {
  const found = [...text.replaceAll(',', ' ').matchAll(token)].map(([one]) => one);
  return new Reader(found.filter((one) => !one.startsWith('#'))).document();
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get peek(): string {
    return this.#tokens[this.#at] ?? '<EOF>';
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  document(): Operation {
    const operations: Written[] = [];
    const fragments = new Map<string, readonly Selected[]>();
    while (!this.isAtEnd) {
      if (this.peek === 'fragment') this.#fragment(fragments);
      else operations.push(this.#operation());
    }
    const [operation, more] = operations;
    if (operation === undefined) throw new SyntaxFault('Syntax Error: Unexpected <EOF>.');
    if (more !== undefined) throw new SyntaxFault('Must provide operation name if query contains multiple operations.');
    const { selected, ...rest } = operation;
    return { ...rest, fields: filledIn(selected, fragments, []) };
  }

  #operation(): Written {
    if (this.peek === '{') return { kind: 'query', variables: [], selected: this.#selection() };
    const kind = this.#take();
    if (kind !== 'query' && kind !== 'mutation') throw new SyntaxFault(`Syntax Error: Unexpected Name "${kind}".`);
    if (this.peek !== '(' && this.peek !== '{') this.#name();
    const variables = this.peek === '(' ? this.#declarations() : [];
    return { kind, variables, selected: this.#selection() };
  }

  #fragment(fragments: Map<string, readonly Selected[]>): void {
    this.#expect('fragment');
    const name = this.#name();
    this.#expect('on');
    this.#name();
    if (fragments.has(name)) throw new SyntaxFault(`There can be only one fragment named "${name}".`);
    fragments.set(name, this.#selection());
  }

  #declarations(): readonly Declared[] {
    const declared: Declared[] = [];
    this.#expect('(');
    while (this.peek !== ')') {
      this.#expect('$');
      const name = this.#name();
      this.#expect(':');
      const type = this.#type();
      const hasFallback = this.peek === '=';
      if (hasFallback) this.#expect('=');
      declared.push({ name, type, fallback: hasFallback ? this.#value() : null });
    }
    this.#expect(')');
    return declared;
  }

  #type(): string {
    let type: string;
    if (this.peek === '[') {
      this.#expect('[');
      type = `[${this.#type()}]`;
      this.#expect(']');
    } else type = this.#name();
    if (this.peek !== '!') return type;
    this.#expect('!');
    return `${type}!`;
  }

  #selection(): readonly Selected[] {
    const selected: Selected[] = [];
    this.#expect('{');
    while (this.peek !== '}') selected.push(this.peek === '...' ? this.#spread() : this.#field());
    this.#expect('}');
    if (selected.length === 0) throw new SyntaxFault('Syntax Error: Expected Name, found "}".');
    return selected;
  }

  #field(): Selected {
    const key = this.#name();
    const isAlias = this.peek === ':';
    if (isAlias) this.#expect(':');
    const name = isAlias ? this.#name() : key;
    const args = this.peek === '(' ? this.#members('(', ')') : {};
    return { kind: 'field', field: { name, key, args }, inner: this.peek === '{' ? this.#selection() : [] };
  }

  #spread(): Selected {
    this.#expect('...');
    if (this.peek === '{') return { kind: 'inline', inner: this.#selection() };
    const name = this.#name();
    if (name !== 'on') return { kind: 'spread', name };
    this.#name();
    return { kind: 'inline', inner: this.#selection() };
  }

  #members(open: string, close: string): Readonly<Record<string, Literal>> {
    const members: Record<string, Literal> = {};
    this.#expect(open);
    while (this.peek !== close) {
      const name = this.#name();
      this.#expect(':');
      members[name] = this.#value();
    }
    this.#expect(close);
    return members;
  }

  #value(): Literal {
    const next = this.peek;
    if (next === '{') return { kind: 'object', members: this.#members('{', '}') };
    if (next === '[') return this.#list();
    this.#take();
    if (next === '$') return { kind: 'variable', name: this.#name() };
    if (next.startsWith('"')) return { kind: 'scalar', value: String(JSON.parse(next)) };
    if (/^-?\d/.test(next)) return { kind: 'scalar', value: Number(next) };
    if (next === 'true' || next === 'false') return { kind: 'scalar', value: next === 'true' };
    if (next === 'null') return { kind: 'scalar', value: null };
    if (/^[A-Za-z_]/.test(next)) return { kind: 'scalar', value: next };
    throw new SyntaxFault(`Syntax Error: Unexpected "${next}".`);
  }

  #list(): Literal {
    const items: Literal[] = [];
    this.#expect('[');
    while (this.peek !== ']') items.push(this.#value());
    this.#expect(']');
    return { kind: 'list', items };
  }

  #name(): string {
    const name = this.#take();
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new SyntaxFault(`Syntax Error: Expected Name, found "${name}".`);
    return name;
  }

  #expect(wanted: string): void {
    const found = this.#take();
    if (found !== wanted) throw new SyntaxFault(`Syntax Error: Expected "${wanted}", found "${found}".`);
  }

  #take(): string {
    const found = this.peek;
    if (found === '<EOF>') throw new SyntaxFault('Syntax Error: Unexpected <EOF>.');
    this.#at += 1;
    return found;
  }
}

/** The fields of a selection with its fragments filled in; those of one key are one field. */
function filledIn(
  selected: readonly Selected[],
  fragments: ReadonlyMap<string, readonly Selected[]>,
  within: readonly string[],
): readonly Field[] {
  return merged(
    [],
    selected.flatMap((one) => fieldsOf(one, fragments, within)),
  );
}

function fieldsOf(
  one: Selected,
  fragments: ReadonlyMap<string, readonly Selected[]>,
  within: readonly string[],
): readonly Field[] {
  if (one.kind === 'field') return [{ ...one.field, fields: filledIn(one.inner, fragments, within) }];
  if (one.kind === 'inline') return filledIn(one.inner, fragments, within);
  const fragment = fragments.get(one.name);
  if (fragment === undefined) throw new SyntaxFault(`Unknown fragment "${one.name}".`);
  if (within.includes(one.name)) throw new SyntaxFault(`Cannot spread fragment "${one.name}" within itself.`);
  return filledIn(fragment, fragments, [...within, one.name]);
}

function merged(before: readonly Field[], more: readonly Field[]): readonly Field[] {
  const all = new Map(before.map((field) => [field.key, field]));
  for (const field of more) {
    const known = all.get(field.key);
    all.set(field.key, known === undefined ? field : { ...known, fields: merged(known.fields, field.fields) });
  }
  return [...all.values()];
}
