/** A stored MCP session: its user, and the client's state as serialized text. */
export type McpSession = Readonly<{ userId: number; state: string }>;

/** Stores MCP sessions so that every server can serve them. A session expires when it is not used for too long. */
export interface McpSessions {
  /**
   * Stores a new session, used now. When its user, or all users together, have too many, the least recently used ones
   * are evicted; returns their ids.
   */
  open(id: string, session: McpSession): Promise<readonly string[]>;
  /** Returns the session; null when it is unknown or expired. */
  find(id: string): Promise<McpSession | null>;
  /** Replaces the state if it is still `before` (compare-and-set); false when it is not, or the session is gone. */
  change(id: string, before: string, after: string): Promise<boolean>;
  /** Marks the sessions as used now. */
  use(ids: readonly string[]): Promise<void>;
  /** Removes the user's session; false when they have none with that id. */
  end(id: string, userId: number): Promise<boolean>;
}
