/** Tells whatever happens to all who listen, in the order in which they began, within this process. */
export class Announcements<Event> {
  readonly #hearers = new Set<(event: Event) => void>();

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#hearers.size > 0;
  }

  /** Tells all; what one of them throws is the teller's to catch. */
  tell(event: Event): void {
    for (const hear of this.#hearers) hear(event);
  }

  /** Hears from now on, until the function that comes back is called. */
  listen(hear: (event: Event) => void): () => void {
    // A function of our own, so that one that listens twice is heard twice and leaves once.
    const own = (event: Event): void => hear(event);
    this.#hearers.add(own);
    return () => void this.#hearers.delete(own);
  }
}
