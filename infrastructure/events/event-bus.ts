/** Publishes events to all who listen, in the order in which they began, within this process. */
export class EventBus<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Whether anybody listens. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls each listener; what one of them throws is the publisher's to catch. */
  publish(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Subscribes until the function that comes back is called. */
  listen(listener: (event: Event) => void): () => void {
    // A function of our own, so that one that listens twice is called twice and leaves once.
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
