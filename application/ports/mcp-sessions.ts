/** What is remembered of a client between its requests: its user, and its state as text. */
export type McpSession = Readonly<{ userId: number; state: string }>;

/** Stores the sessions of MCP clients, so that each is found on every server. One that is unused for too long is over. */
export interface McpSessions {
  /**
   * Stores a new session, used now. When its user, or all together, have too many, those unused for the longest are removed;
   * returns their ids.
   */
  open(id: string, session: McpSession): Promise<readonly string[]>;
  /** Returns the session; null when there is none, or it is over. */
  find(id: string): Promise<McpSession | null>;
  /** Replaces the state if it is still `before`; false when it is another, or there is no session. */
  change(id: string, before: string, after: string): Promise<boolean>;
  /** Marks the sessions as used now. */
  use(ids: readonly string[]): Promise<void>;
  /** Removes the session of the user; false when they have none of that id. */
  end(id: string, userId: number): Promise<boolean>;
}
