/**
 * A change of a note: its vault's user, null for the team's, and its path. `changed` may be `made` where the vault does
 * not distinguish the two.
 */
export type NoteChange = Readonly<{ userId: number | null; path: string; kind: 'made' | 'changed' | 'gone' }>;

/**
 * The event bus for changes of notes, whatever made them: a tool, a REST call, a reaction, a person in the embedded
 * vault's folder. Within this process only. A change may be published twice, and changes that this server cannot see
 * are missing.
 */
export interface NoteChanges {
  /** Whether there are any listeners: without them, changes that are costly to detect need not be published. */
  readonly hasListeners: boolean;
  /** Publishes the change to all listeners, synchronously. */
  publish(change: NoteChange): void;
  /** Subscribes; the returned function unsubscribes. */
  listen(listener: (change: NoteChange) => void): () => void;
}
