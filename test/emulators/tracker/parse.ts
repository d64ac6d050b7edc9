/** A value as it stands in a document: a variable is only known once it is filled. */
export type Literal =
  | Readonly<{ kind: 'variable'; name: string }>
  | Readonly<{ kind: 'scalar'; value: string | number | boolean | null }>
  | Readonly<{ kind: 'list'; items: readonly Literal[] }>
  | Readonly<{ kind: 'object'; members: Readonly<Record<string, Literal>> }>;

/** A field with what is given to it and what is selected of it; an empty selection is a leaf. */
export type Field = Readonly<{ name: string; args: Readonly<Record<string, Literal>>; fields: readonly Field[] }>;

/** A declared variable, with its type as it is written. */
export type Declared = Readonly<{ name: string; type: string; fallback: Literal | null }>;

/** One operation of a document. */
export type Operation = Readonly<{
  kind: 'query' | 'mutation';
  variables: readonly Declared[];
  fields: readonly Field[];
}>;

/** A document that cannot be read; the message says where. */
export class SyntaxFault extends Error {}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|[{}()[\]:!$=]|\S/g;

/** Reads a document with one operation, of the part of GraphQL that is sent here: no aliases, fragments or directives. */
export function parseDocument(text: string): Operation {
  const tokens = [...text.replaceAll(',', ' ').matchAll(token)].map(([found]) => found);
  const reader = new Reader(tokens);
  const operation = reader.operation();
  if (!reader.isAtEnd) throw new SyntaxFault(`Syntax Error: Unexpected "${reader.peek}".`);
  return operation;
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

  operation(): Operation {
    if (this.peek === '{') return { kind: 'query', variables: [], fields: this.#selection() };
    const kind = this.#take();
    if (kind !== 'query' && kind !== 'mutation') throw new SyntaxFault(`Syntax Error: Unexpected Name "${kind}".`);
    if (this.peek !== '(' && this.peek !== '{') this.#name();
    const variables = this.peek === '(' ? this.#declarations() : [];
    return { kind, variables, fields: this.#selection() };
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

  #selection(): readonly Field[] {
    const fields: Field[] = [];
    this.#expect('{');
    while (this.peek !== '}') {
      const name = this.#name();
      const args = this.peek === '(' ? this.#members('(', ')') : {};
      fields.push({ name, args, fields: this.peek === '{' ? this.#selection() : [] });
    }
    this.#expect('}');
    if (fields.length === 0) throw new SyntaxFault('Syntax Error: Expected Name, found "}".');
    return fields;
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
