/** A note that is another now: in whose vault, null for the team's, and where. `changed` may be `made` where the vault does not tell the two apart. */
export type NoteChange = Readonly<{ userId: number | null; path: string; kind: 'made' | 'changed' | 'gone' }>;

/**
 * Where changes of notes are told and heard, whoever made them: a tool, a REST call, a reaction, a person in the embedded vault's
 * folder. Within this process only. A change may be told twice, and nothing is promised for those that nobody here can see.
 */
export interface NoteChanges {
  /** Whether anybody hears: what is costly to find out need not be told while nobody does. */
  readonly hasListeners: boolean;
  /** Tells all who listen, at once. */
  publish(change: NoteChange): void;
  /** Subscribes until the function that comes back is called. */
  listen(listener: (change: NoteChange) => void): () => void;
}
