import { NotAQuery, type Tree } from '#test/emulators/suite-crm/query-text.ts';

/** Reads criteria text as the provider's search does: `((Last_Name:equals:Burns)and(City:starts_with:Par))`. */
export function readCriteria(text: string): Tree {
  const reader = new Reader(text);
  const tree = reader.tree();
  reader.end();
  return tree;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tree(): Tree {
    this.#take('(');
    if (this.#text[this.#at] !== '(') return this.#comparison();
    const members = [this.tree()];
    let word: 'and' | 'or' | null = null;
    while (this.#text[this.#at] !== ')') {
      const next = this.#word();
      if (word !== null && next !== word) throw new NotAQuery('and and or are mixed without parentheses');
      word = next;
      members.push(this.tree());
    }
    this.#take(')');
    return { word: word ?? 'and', members };
  }

  end(): void {
    if (this.#at !== this.#text.length) throw new NotAQuery(`text after the criteria at ${this.#at}`);
  }

  #comparison(): Tree {
    const field = this.#until(':');
    const sign = this.#until(':');
    const values = [''];
    for (;;) {
      const character = this.#text[this.#at];
      this.#at += 1;
      if (character === undefined || character === '(') throw new NotAQuery('a comparison does not end');
      if (character === ')') break;
      if (character === ',') values.push('');
      else if (character === '\\') {
        values.push(`${values.pop() ?? ''}${this.#text[this.#at] ?? ''}`);
        this.#at += 1;
      } else values.push(`${values.pop() ?? ''}${character}`);
    }
    return { field, sign, values: values.map((value) => (value === ['$', '{EMPTY}'].join('') ? '' : value)) };
  }

  #until(mark: string): string {
    const end = this.#text.indexOf(mark, this.#at);
    if (end === -1) throw new NotAQuery(`no ${mark}`);
    const part = this.#text.slice(this.#at, end);
    if (!/^[\w.$]+$/.test(part)) throw new NotAQuery(`not a name: ${part}`);
    this.#at = end + 1;
    return part;
  }

  #word(): 'and' | 'or' {
    const word = /^(and|or)/i.exec(this.#text.slice(this.#at))?.[1]?.toLowerCase();
    if (word !== 'and' && word !== 'or') throw new NotAQuery(`neither and nor or at ${this.#at}`);
    this.#at += word.length;
    return word;
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw new NotAQuery(`no ${character} at ${this.#at}`);
    this.#at += 1;
  }
}
