import { maxDepth } from '#domain/json/json-data.ts';
import { DqlError } from '#domain/vault-queries/dql/dql-scope.ts';

/** Where something is in a query; both count from 1. */
export type DqlPlace = Readonly<{ line: number; column: number }>;

/**
 * Reads a query from its start to its end. What is not there is null, and moves nothing. The furthest place at which
 * something was looked for and not found is the place of the error.
 */
export class DqlCursor {
  readonly #text: string;
  #at = 0;
  #furthest = 0;
  #depth = 0;
  #isTooDeep = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The number of characters that were read. */
  get at(): number {
    return this.#at;
  }

  /** The number of characters before the error, if there is one. */
  get furthest(): number {
    return this.#furthest;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Whether parts of the query are nested more deeply than is read. */
  get isTooDeep(): boolean {
    return this.#isTooDeep;
  }

  /** Reads what a sticky expression matches: its first group, or all of it when it has none. */
  take(expected: RegExp): string | null {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#text);
    if (found === null) {
      this.#furthest = Math.max(this.#furthest, this.#at);
      return null;
    }
    this.#at = expected.lastIndex;
    return found[1] ?? found[0];
  }

  /** Reads white space and comments (`// …` to the end of the line), if there are any. */
  skip(): void {
    this.take(/[ \t\r\n]*(?:\/\/[^\n]*(?:\n[ \t\r\n]*|$))*/y);
  }

  /** Reads what a sticky expression matches, and the white space behind it. */
  token(expected: RegExp): string | null {
    const found = this.take(expected);
    if (found !== null) this.skip();
    return found;
  }

  /** Runs a reader, which has moved nothing when it found nothing. */
  whole<T>(read: () => T | null): T | null {
    const from = this.#at;
    const found = read();
    if (found === null) this.#at = from;
    return found;
  }

  /** Runs a reader within another one of its kind. */
  nested<T>(read: () => T | null): T | null {
    this.#isTooDeep ||= this.#depth >= maxDepth;
    if (this.#isTooDeep) return null;
    this.#depth += 1;
    const found = this.whole(read);
    this.#depth -= 1;
    return found;
  }

  /** Reads values until there is none. */
  many<T>(read: () => T | null): readonly T[] {
    const all: T[] = [];
    for (;;) {
      const one = this.whole(read);
      if (one === null) return all;
      all.push(one);
    }
  }

  /** Reads values with commas between them, maybe none. */
  list<T>(read: () => T | null): readonly T[] {
    const first = this.whole(read);
    if (first === null) return [];
    const next = (): T | null => {
      this.skip();
      return this.token(/,/y) === null ? null : read();
    };
    return [first, ...this.many(next)];
  }

  /** Returns the text from a place to the end of what was read. */
  since(from: number): string {
    return this.#text.slice(from, this.#at);
  }

  /** Where the next character is. */
  get place(): DqlPlace {
    return this.placeOf(this.#at);
  }

  /** Returns the place behind so many characters. */
  placeOf(at: number): DqlPlace {
    const lines = this.#text.slice(0, at).split('\n');
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  }
}

/** Reads a text in quotes; a backslash quotes a quote and a backslash, and stays before other characters. */
export function readString(cursor: DqlCursor): string | null {
  return cursor.take(/"((?:\\[\s\S]|[^"\\])*)"/y)?.replaceAll(/\\(["\\])/g, '$1') ?? null;
}

/** Reads a link; returns what is between its brackets. A link to the note that holds the query is refused. */
export function readLink(cursor: DqlCursor): string | null {
  const { place } = cursor;
  const inner = cursor.take(/\[\[([^[\]]*)\]\]/y);
  if (inner !== null && /^\s*(?:#|\||$)/.test(inner)) {
    throw refusal(`The link [[${inner}]]`, place, 'leads to the note that holds the query, and a search has none');
  }
  return inner;
}

/** What refuses a part of a query, with its place. */
export function refusal(part: string, { line, column }: DqlPlace, why: string): DqlError {
  return new DqlError(`${part} (line ${line}, column ${column}) ${why}.`);
}
