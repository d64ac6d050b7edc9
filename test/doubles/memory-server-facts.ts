import type { ServerFacts } from '#application/ports/server-facts.ts';

/** The server's facts in memory. */
export class MemoryServerFacts implements ServerFacts {
  readonly #facts = new Map<string, string>();

  async find(name: string): Promise<string | null> {
    return this.#facts.get(name) ?? null;
  }

  async keepFirst(name: string, value: string): Promise<string> {
    const kept = this.#facts.get(name) ?? value;
    this.#facts.set(name, kept);
    return kept;
  }

  async replace(name: string, value: string): Promise<void> {
    this.#facts.set(name, value);
  }
}
