/** A named mutex across the servers of one database. Servers that share no database are not coordinated. */
export interface ServerTurns {
  /**
   * Runs the work while holding the mutex of that name and returns its value. Throws `NoTurn`, without starting the
   * work, when the mutex could not be acquired in time. A server that crashes or hangs loses it.
   */
  run<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
  /** As `run`, for work that ends soon and waits for no other mutex: several may share what their mutexes cost. */
  brief<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
}

/** Thrown when the mutex was not acquired: another server holds it, or the database cannot be reached. */
export class NoTurn extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`It was not this server's turn in time: ${name}`, options);
  }
}

/** The implementation for a single server, which never waits. */
export const noTurns: ServerTurns = { run: (_, work) => work(), brief: (_, work) => work() };
