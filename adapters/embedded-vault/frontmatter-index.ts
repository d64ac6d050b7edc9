import { tokensOf } from '#adapters/embedded-vault/frontmatter-tokens.ts';

/** The paths of one token: few notes share a value that is asked for, and most have it alone. */
type Paths = string | Set<string>;

/**
 * The notes by the value of one key of their frontmatter. It may name notes too many, for values that are compared in other ways
 * than by their text, and never one too few: whoever asks looks at the notes themselves.
 */
export class FrontmatterIndex {
  readonly #byToken = new Map<string, Paths>();
  readonly #tokens = new Map<string, readonly string[]>();

  /** Takes over the value that a note has now: undefined when it has none, `unread` when it is not known. */
  set(path: string, value: unknown): void {
    this.remove(path);
    const tokens = tokensOf(value);
    if (tokens.length === 0) return;
    this.#tokens.set(path, tokens);
    for (const token of tokens) this.#add(token, path);
  }

  /** Forgets a note. */
  remove(path: string): void {
    for (const token of this.#tokens.get(path) ?? []) {
      const paths = this.#byToken.get(token);
      if (paths instanceof Set) paths.delete(path);
      if (paths === path || (paths instanceof Set && paths.size === 0)) this.#byToken.delete(token);
    }
    this.#tokens.delete(path);
  }

  /** The notes that have one of the tokens, sorted. */
  find(tokens: readonly string[]): readonly string[] {
    const found = new Set<string>();
    for (const token of tokens) {
      const paths = this.#byToken.get(token);
      if (typeof paths === 'string') found.add(paths);
      else for (const path of paths ?? []) found.add(path);
    }
    return [...found].sort();
  }

  #add(token: string, path: string): void {
    const known = this.#byToken.get(token);
    if (known === undefined) this.#byToken.set(token, path);
    else if (typeof known === 'string') this.#byToken.set(token, new Set([known, path]));
    else known.add(path);
  }
}
