/** The lifecycle of a store: every store that the server is given has it beside its port. */
export interface Store {
  /** Resolves when the store can be read and written now; rejects with the reason when it cannot. */
  ready(): Promise<void>;
  /** Releases what the store holds. Called once, when nothing uses it any more. */
  close(): Promise<void>;
}
