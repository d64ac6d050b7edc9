/** Stores single facts about the server itself in the database, by name. */
export interface ServerFacts {
  /** Returns the fact; null when there is none. */
  find(name: string): Promise<string | null>;
  /** Stores the fact unless there is one already, and returns the stored one: of two processes, one is first. */
  keepFirst(name: string, value: string): Promise<string>;
  /** Stores the fact in the place of the one that there is. */
  replace(name: string, value: string): Promise<void>;
}
