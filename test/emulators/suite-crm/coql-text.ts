import { NotAQuery, type Tree } from '#test/emulators/suite-crm/query-text.ts';

/** What is selected: a field, or an aggregate over one, and the name that it answers under. */
export type Selected = Readonly<{ field: string; aggregate: string | null; name: string }>;

/** A query as the emulated provider reads it. */
export type ReadQuery = Readonly<{
  select: readonly Selected[];
  from: string;
  where: Tree;
  groupBy: readonly string[];
  orderBy: readonly Readonly<{ field: string; isDescending: boolean }>[];
  limit: number;
  offset: number;
}>;

type Token = Readonly<{ kind: 'text' | 'word' | 'sign'; text: string }>;

const tokenPattern = /\s*(?:'((?:[^']|'')*)'|(<=|>=|!=|[=<>(),])|([\w.$:+-]+))/gy;

/** Reads the subset of COQL that there is here: two conditions at a time, texts in single quotes with '' for a quote in them. */
export function readCoql(text: string): ReadQuery {
  return new Reader(tokens(text)).query();
}

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(tokenPattern)) {
    end = match.index + match[0].length;
    const [, quoted, sign, word] = match;
    if (quoted !== undefined) found.push({ kind: 'text', text: quoted.replaceAll("''", "'") });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
    else found.push({ kind: 'word', text: word ?? '' });
  }
  if (text.slice(end).trim() !== '') throw new NotAQuery(`near ${text.slice(end, end + 20)}`);
  return found;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  query(): ReadQuery {
    this.#word('select');
    const select = this.#list(() => this.#selected());
    this.#word('from');
    const from = this.#name();
    this.#word('where');
    const where = this.#condition();
    const groupBy = this.#isWord('group') ? this.#after('by', () => this.#list(() => this.#name())) : [];
    const orderBy = this.#isWord('order') ? this.#after('by', () => this.#list(() => this.#ordered())) : [];
    const limit = this.#isWord('limit') ? Number(this.#name()) : 200;
    const offset = this.#isWord('offset') ? Number(this.#name()) : 0;
    if (this.#at < this.#tokens.length) throw new NotAQuery(`near ${this.#tokens[this.#at]?.text}`);
    if (!Number.isInteger(limit) || !Number.isInteger(offset)) throw new NotAQuery('limit is no number');
    return { select, from, where, groupBy, orderBy, limit, offset };
  }

  #selected(): Selected {
    const first = this.#name();
    const isAggregate = this.#isSign('(');
    const field = isAggregate ? this.#name() : first;
    if (isAggregate) this.#sign(')');
    const name = this.#isWord('as') ? this.#name() : isAggregate ? `${first}(${field})` : field;
    return { field, aggregate: isAggregate ? first.toLowerCase() : null, name };
  }

  #ordered() {
    const field = this.#name();
    const isDescending = this.#isWord('desc');
    if (!isDescending) this.#isWord('asc');
    return { field, isDescending };
  }

  /** One comparison, or two conditions in one; three without parentheses are refused, as the provider does. */
  #condition(): Tree {
    const left = this.#operand();
    const word = this.#isWord('and') ? 'and' : this.#isWord('or') ? 'or' : null;
    return word === null ? left : { word, members: [left, this.#operand()] };
  }

  #operand(): Tree {
    if (!this.#isSign('(')) return this.#comparison();
    const tree = this.#condition();
    this.#sign(')');
    return tree;
  }

  #comparison(): Tree {
    const field = this.#name();
    if (this.#isWord('is')) {
      const isNot = this.#isWord('not');
      this.#word('null');
      return { field, sign: isNot ? 'is not null' : 'is null', values: [] };
    }
    const not = this.#isWord('not') ? 'not ' : '';
    for (const word of ['like', 'in', 'between']) {
      if (this.#isWord(word)) return { field, sign: `${not}${word}`, values: this.#values(word) };
    }
    const token = this.#next();
    if (token.kind !== 'sign') throw new NotAQuery(`near ${token.text}`);
    return { field, sign: token.text, values: [this.#value()] };
  }

  #values(word: string): readonly string[] {
    if (word === 'like') return [this.#value()];
    if (word === 'between') {
      const from = this.#value();
      this.#word('and');
      return [from, this.#value()];
    }
    this.#sign('(');
    const values = this.#list(() => this.#value());
    this.#sign(')');
    return values;
  }

  #value(): string {
    const token = this.#next();
    if (token.kind === 'sign') throw new NotAQuery(`near ${token.text}`);
    return token.text;
  }

  #list<Item>(read: () => Item): readonly Item[] {
    const items = [read()];
    while (this.#isSign(',')) items.push(read());
    return items;
  }

  #after<Item>(word: string, read: () => Item): Item {
    this.#word(word);
    return read();
  }

  #name(): string {
    const token = this.#next();
    if (token.kind !== 'word') throw new NotAQuery(`near ${token.text}`);
    return token.text;
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new NotAQuery('the query ends too early');
    this.#at += 1;
    return token;
  }

  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    const is = token?.kind === 'word' && token.text.toLowerCase() === word;
    if (is) this.#at += 1;
    return is;
  }

  #isSign(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const is = token?.kind === 'sign' && token.text === sign;
    if (is) this.#at += 1;
    return is;
  }

  #word(word: string): void {
    if (!this.#isWord(word)) throw new NotAQuery(`no ${word} near ${this.#tokens[this.#at]?.text ?? 'the end'}`);
  }

  #sign(sign: string): void {
    if (!this.#isSign(sign)) throw new NotAQuery(`no ${sign} near ${this.#tokens[this.#at]?.text ?? 'the end'}`);
  }
}
