import { OftenOne } from '#adapters/embedded-vault/index/often-one.ts';
import { tokensOf } from '#adapters/embedded-vault/notes/frontmatter-tokens.ts';

/**
 * The notes by the value of one key of their frontmatter. It may name notes too many, for values that are compared in other ways
 * than by their text, and never one too few: whoever asks looks at the notes themselves.
 */
export class FrontmatterIndex {
  readonly #byToken = new OftenOne();
  readonly #tokens = new Map<string, readonly string[]>();

  /** Stores the value that a note has now: undefined when it has none, `unread` when it is not known. */
  set(path: string, value: unknown): void {
    this.setTokens(path, tokensOf(value));
  }

  /** Stores the tokens of a note's value. */
  setTokens(path: string, tokens: readonly string[]): void {
    this.remove(path);
    if (tokens.length === 0) return;
    this.#tokens.set(path, tokens);
    for (const token of tokens) this.#byToken.add(token, path);
  }

  /** The tokens of a note's value; none when it has no value. */
  tokensOf(path: string): readonly string[] {
    return this.#tokens.get(path) ?? [];
  }

  /** Forgets a note. */
  remove(path: string): void {
    for (const token of this.#tokens.get(path) ?? []) this.#byToken.remove(token, path);
    this.#tokens.delete(path);
  }

  /** The notes that have one of the tokens, sorted. */
  find(tokens: readonly string[]): readonly string[] {
    const found = new Set<string>();
    for (const token of tokens) for (const path of this.#byToken.get(token)) found.add(path);
    return [...found].sort();
  }
}
