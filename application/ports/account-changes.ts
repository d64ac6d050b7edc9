/** A user whose rights or connections may be others now. */
export type AccountChange = Readonly<{ userId: number }>;

/** Where it is told and heard that a user's rights or connections have changed. Within this process only. */
export interface AccountChanges {
  /** Tells all who listen, at once. */
  publish(change: AccountChange): void;
  /** Subscribes until the function that comes back is called. */
  listen(listener: (change: AccountChange) => void): () => void;
}
