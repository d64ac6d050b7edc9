/** The lifecycle of a store, which every store implements in addition to its port. */
export interface Store {
  /** Resolves when the store can be read and written; rejects with the reason when it cannot. */
  ready(): Promise<void>;
  /** Releases the store's resources. Called once, when nothing uses the store any more. */
  close(): Promise<void>;
}
