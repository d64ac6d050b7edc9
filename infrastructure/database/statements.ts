/** Runs SQL text with `?` placeholders. The ORM's entity manager implements it. */
export type Statements = Readonly<{
  /** Returns the statement's rows; with 'run', an object whose `affectedRows` is the number of changed rows. */
  execute(sql: string, values?: unknown[], method?: 'all' | 'run'): Promise<unknown>;
}>;

/** Statements that commit individually, and transactions, which are rolled back when their work fails. */
export type Commits = Statements &
  Readonly<{ transactional<Value>(work: (statements: Statements) => Promise<Value>): Promise<Value> }>;

/** Commits that are durable when they resolve. */
export type DirectStatements = Commits &
  Readonly<{
    /**
     * Commits that are visible but not yet durable when they resolve: until `onDisk` resolves, a power loss may undo
     * them.
     */
    early: Commits;
    /** Resolves when all commits so far are durable. */
    onDisk(): Promise<void>;
  }>;
