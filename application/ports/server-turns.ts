/** Lets one server at a time do work of a name. Servers that share no database with others need no turns. */
export interface ServerTurns {
  /**
   * Runs the work when no other server is at work of this name, and returns its value. Throws `NoTurn`, with the work not
   * begun, when the turn did not come in time. A server that ends, or stands still, loses its turn.
   */
  run<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
}

/** Thrown when a turn did not come: another server is at the work, or nobody can tell whose turn it is. */
export class NoTurn extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`It was not this server's turn in time: ${name}`, options);
  }
}

/** Turns of a server that is alone: each is at once. */
export const noTurns: ServerTurns = { run: (_, work) => work() };
