/** Single facts that the database keeps about the server itself, by name. */
export interface ServerFacts {
  /** The fact; null when there is none. */
  find(name: string): Promise<string | null>;
  /** Keeps the fact unless there is one already, and gives back what is kept then: of two processes, one is first. */
  keepFirst(name: string, value: string): Promise<string>;
}
