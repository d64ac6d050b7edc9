/** Stores single values about the server itself in the database, by name. */
export interface ServerFacts {
  /** Returns the value; null when there is none. */
  find(name: string): Promise<string | null>;
  /** Stores the value unless there already is one, and returns the stored one; atomic across processes. */
  keepFirst(name: string, value: string): Promise<string>;
  /** Replaces the stored value. */
  replace(name: string, value: string): Promise<void>;
}
