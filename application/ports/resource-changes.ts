/** The event bus for changes of resources other than notes, identified by their canonical URI. */
export interface ResourceChanges {
  publish(change: ResourceChange): void;
  /** Subscribes; returns a function that unsubscribes. */
  listen(listener: (change: ResourceChange) => void): () => void;
}

/** A change of one resource. */
export type ResourceChange = Readonly<{ address: string }>;
