/** Runs what concerns one user one after another, in this process. */
export class UserTurns {
  readonly #last = new Map<number, Promise<unknown>>();

  /** Runs after what was begun before for the same user, however that ended. */
  async run<Value>(userId: number, work: () => Promise<Value>): Promise<Value> {
    const running = (this.#last.get(userId) ?? Promise.resolve()).then(work);
    const ended = running.catch(() => undefined);
    this.#last.set(userId, ended);
    try {
      return await running;
    } finally {
      if (this.#last.get(userId) === ended) this.#last.delete(userId);
    }
  }
}
