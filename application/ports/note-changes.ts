/**
 * A change of a note: the user who owns the vault, null for the team's, and the note's path. `changed` may be reported
 * as `made` when the vault does not distinguish them.
 */
export type NoteChange = Readonly<{ userId: number | null; path: string; kind: 'made' | 'changed' | 'gone' }>;

/**
 * The event bus for changes of notes, whatever caused them: a tool, a REST call, a reaction, or a user in the embedded
 * vault's folder. Local to this process. A change may be published twice; changes that this server cannot observe are
 * not published.
 */
export interface NoteChanges {
  /** Whether there are listeners; without any, changes that are costly to detect need not be published. */
  readonly hasListeners: boolean;
  /** Publishes the change to all listeners, synchronously. */
  publish(change: NoteChange): void;
  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: (change: NoteChange) => void): () => void;
}
