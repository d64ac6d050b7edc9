/** Runs SQL text with values in place of its question marks. The ORM's entity manager is one. */
export type Statements = Readonly<{
  /** The rows that the statement returns; with 'run', an object whose `affectedRows` says how many it changed. */
  execute(sql: string, values?: unknown[], method?: 'all' | 'run'): Promise<unknown>;
}>;

/** Statements that are each a commit of their own, and those of a transaction, which is rolled back when its work fails. */
export type Commits = Statements &
  Readonly<{ transactional<Value>(work: (statements: Statements) => Promise<Value>): Promise<Value> }>;

/** Commits that are on disk when they resolve. */
export type DirectStatements = Commits &
  Readonly<{
    /** The same, which others see when they resolve and which a machine that loses its power may take back until `onDisk` has resolved. */
    early: Commits;
    /** Resolves when all that has been committed is on disk. */
    onDisk(): Promise<void>;
  }>;
