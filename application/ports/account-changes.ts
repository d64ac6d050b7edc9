/** A change of a user's rights or connections. */
export type AccountChange = Readonly<{ userId: number }>;

/** The event bus for changes of users' rights or connections; local to this process. */
export interface AccountChanges {
  /** Publishes the change to all listeners, synchronously. */
  publish(change: AccountChange): void;
  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: (change: AccountChange) => void): () => void;
}
