/** A change of a user's rights or connections. */
export type AccountChange = Readonly<{ userId: number }>;

/**
 * A change of a note: the user who owns the vault, null for the team's, and the note's path. `changed` may be reported
 * as `made` when the vault does not distinguish them.
 */
export type NoteChange = Readonly<{ userId: number | null; path: string; kind: 'made' | 'changed' | 'gone' }>;

/** A change of a resource other than a note, identified by its canonical URI. */
export type ResourceChange = Readonly<{ address: string }>;

/**
 * The event bus of one kind of change, whatever caused it. A change may be published twice; changes that this server
 * cannot observe, as of notes in a connected notes app, are not published.
 */
export interface Changes<Change> {
  /** Whether there are listeners; without any, changes that are costly to detect need not be published. */
  readonly hasListeners: boolean;
  /** Publishes the change to all listeners, synchronously. */
  publish(change: Change): void;
  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: (change: Change) => void): () => void;
}
