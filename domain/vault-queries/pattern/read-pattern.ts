import { err, ok, type Result } from '#domain/shared/result.ts';
import { compilePattern, type Pattern, type PatternNode } from '#domain/vault-queries/pattern/pattern-tree.ts';
import { readClass, readEscape } from '#domain/vault-queries/pattern/unit-classes.ts';

/** Thrown for a part of a pattern that is not supported; the message names it. */
class PatternError extends Error {}

const maxNesting = 50;

/**
 * Parses a regular expression of JavaScript, without flags, for `searchPattern`, which takes linear time. The failure
 * says what is wrong or not supported: references back to a group, and looking ahead or behind.
 */
export function readPattern(source: string): Result<Pattern, string> {
  try {
    const reader = new PatternReader(source);
    const root = reader.read();
    const pattern = compilePattern(root, reader.groups);
    return pattern === null ? err('it is too large.') : ok(pattern);
  } catch (error) {
    if (error instanceof PatternError) return err(error.message);
    throw error;
  }
}

class PatternReader {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new PatternError(`a ) at ${this.#at + 1} has no opening (.`);
    return node;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      parts.push(this.#repeated(this.#one()));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const quantifier = /(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})/y;
    quantifier.lastIndex = this.#at;
    const [sign, first, comma, second = ''] = quantifier.exec(this.#source) ?? [];
    if (sign === undefined) return part;
    if (part.kind === 'edge') throw new PatternError(`nothing to repeat before ${sign} at ${this.#at + 1}.`);
    this.#at += sign.length;
    const least = first === undefined ? (sign === '+' ? 1 : 0) : Number(first);
    const open = second === '' ? Number.POSITIVE_INFINITY : Number(second);
    const most =
      first === undefined ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : comma === undefined ? least : open;
    if (most < least) throw new PatternError(`${sign} is out of order.`);
    return { kind: 'repeat', part, least, most, isGreedy: !this.#take('?') };
  }

  #one(): PatternNode {
    const sign = this.#source.charAt(this.#at);
    if (/[*+?]/.test(sign)) throw new PatternError(`nothing to repeat before ${sign} at ${this.#at + 1}.`);
    this.#at += 1;
    if (sign === '(') return this.#group();
    if (sign === '^') return { kind: 'edge', isEdge: (_, at) => at === 0 };
    if (sign === '$') return { kind: 'edge', isEdge: (text, at) => at === text.length };
    if (sign === '.') return { kind: 'unit', isMatch: (unit) => ![10, 13, 0x20_28, 0x20_29].includes(unit) };
    if (sign !== '[' && sign !== '\\') return { kind: 'unit', isMatch: (unit) => unit === sign.charCodeAt(0) };
    const read = (sign === '[' ? readClass : readEscape)(this.#source, this.#at);
    if (!read.ok) throw new PatternError(read.failure);
    this.#at = read.value.end;
    return read.value.node;
  }

  #group(): PatternNode {
    if (this.#depth >= maxNesting) throw new PatternError(`it is nested more than ${maxNesting} deep.`);
    const kind = /\?(?::|<?[=!]|<[A-Za-z_$][\w$]*>)/y;
    kind.lastIndex = this.#at;
    const found = kind.exec(this.#source)?.[0] ?? '';
    if (/[=!]$/.test(found)) throw new PatternError(`(${found}…) looks ahead or behind, which is not supported.`);
    if (found === '' && this.#source.charAt(this.#at) === '?')
      throw new PatternError(`(? at ${this.#at} is not supported.`);
    this.#at += found.length;
    const index = found === '?:' ? null : this.groups + 1;
    this.groups = index ?? this.groups;
    this.#depth += 1;
    const part = this.#choice();
    this.#depth -= 1;
    if (!this.#take(')')) throw new PatternError('a ( has no closing ).');
    return index === null ? part : { kind: 'group', part, index };
  }

  #take(sign: string): boolean {
    if (this.#source.charAt(this.#at) !== sign) return false;
    this.#at += 1;
    return true;
  }
}
