/** Runs SQL text with values in place of its question marks. The ORM's entity manager is one. */
export type Statements = Readonly<{
  /** The rows that the statement returns; with 'run', an object whose `affectedRows` says how many it changed. */
  execute(sql: string, values?: unknown[], method?: 'all' | 'run'): Promise<unknown>;
}>;

/** Statements that are each a commit of their own, and those of a transaction, which is rolled back when its work fails. */
export type DirectStatements = Statements &
  Readonly<{ transactional<Value>(work: (statements: Statements) => Promise<Value>): Promise<Value> }>;
