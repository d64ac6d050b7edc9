/** A change of a user's rights or connections. */
export type AccountChange = Readonly<{ userId: number }>;

/** The event bus for changes of users' rights or connections, within this process only. */
export interface AccountChanges {
  /** Publishes the change to all listeners, synchronously. */
  publish(change: AccountChange): void;
  /** Subscribes; the returned function unsubscribes. */
  listen(listener: (change: AccountChange) => void): () => void;
}
