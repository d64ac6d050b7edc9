/** Publishes events to all listeners of this process, in the order in which they subscribed. */
export class EventBus<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Whether there are listeners. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls each listener; the publisher has to catch what one of them throws. */
  publish(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Subscribes until the returned function is called. */
  listen(listener: (event: Event) => void): () => void {
    // A function for each call, so that a listener added twice is called twice and leaves once.
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
