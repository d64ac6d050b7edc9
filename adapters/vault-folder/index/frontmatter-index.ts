import { Multimap } from '#adapters/vault-folder/index/multimap.ts';
import { tokensOf } from '#adapters/vault-folder/notes/frontmatter-tokens.ts';

/**
 * Indexes notes by the value of one frontmatter key. Results may contain false positives, for values that do not
 * compare as text, but never miss a note; the caller checks the notes themselves.
 */
export class FrontmatterIndex {
  readonly #byToken = new Multimap();
  readonly #tokens = new Map<string, readonly string[]>();

  /** Sets the value of a note: undefined when it has none, `unread` when it is not known. */
  set(path: string, value: unknown): void {
    this.setTokens(path, tokensOf(value));
  }

  /** Sets the tokens of a note's value. */
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

  /** Removes a note. */
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
