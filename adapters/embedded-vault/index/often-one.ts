/**
 * Texts by a key of which most have one text only: it is kept by itself, since a set for each of hundreds of thousands of keys takes
 * most of the memory.
 */
export class OftenOne {
  readonly #texts = new Map<string, string | Set<string>>();

  /** Adds a text to those of the key; once is enough. */
  add(key: string, text: string): void {
    const known = this.#texts.get(key);
    if (known === undefined) this.#texts.set(key, text);
    else if (typeof known !== 'string') known.add(text);
    else if (known !== text) this.#texts.set(key, new Set([known, text]));
  }

  /** Takes a text from those of the key. */
  remove(key: string, text: string): void {
    const known = this.#texts.get(key);
    if (known instanceof Set) known.delete(text);
    if (known === text || (known instanceof Set && known.size === 0)) this.#texts.delete(key);
  }

  /** How many texts the key has. */
  count(key: string): number {
    const known = this.#texts.get(key);
    return typeof known === 'string' ? 1 : (known?.size ?? 0);
  }

  /** The texts of the key, in the order in which they were added. */
  get(key: string): Iterable<string> {
    const known = this.#texts.get(key);
    return typeof known === 'string' ? [known] : (known ?? []);
  }
}
