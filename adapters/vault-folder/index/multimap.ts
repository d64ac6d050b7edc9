/**
 * A multimap for keys that mostly have one value. A single value is stored without a set, since sets for hundreds of
 * thousands of keys would take most of the memory.
 */
export class Multimap {
  readonly #texts = new Map<string, string | Set<string>>();

  /** Adds a text under the key; duplicates are ignored. */
  add(key: string, text: string): void {
    const known = this.#texts.get(key);
    if (known === undefined) this.#texts.set(key, text);
    else if (typeof known !== 'string') known.add(text);
    else if (known !== text) this.#texts.set(key, new Set([known, text]));
  }

  /** Removes a text from the key. */
  remove(key: string, text: string): void {
    const known = this.#texts.get(key);
    if (known instanceof Set) known.delete(text);
    if (known === text || (known instanceof Set && known.size === 0)) this.#texts.delete(key);
  }

  /** The number of texts of the key. */
  count(key: string): number {
    const known = this.#texts.get(key);
    return typeof known === 'string' ? 1 : (known?.size ?? 0);
  }

  /** The texts of the key, in insertion order. */
  get(key: string): Iterable<string> {
    const known = this.#texts.get(key);
    return typeof known === 'string' ? [known] : (known ?? []);
  }
}
