/** Publishes that a resource which is no note has changed, by its canonical address. */
export interface ResourceChanges {
  publish(change: ResourceChange): void;
  /** Subscribes; the returned function unsubscribes. */
  listen(listener: (change: ResourceChange) => void): () => void;
}

/** A change of one resource. */
export type ResourceChange = Readonly<{ address: string }>;
