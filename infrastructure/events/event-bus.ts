/** Publishes events to all listeners in this process, in subscription order. */
export class EventBus<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Whether there are listeners. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls each listener; what one throws propagates to the publisher. */
  publish(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: (event: Event) => void): () => void {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own = (event: Event): void => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
