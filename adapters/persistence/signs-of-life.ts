/** The maximum number of servers that are remembered; the one not heard of for the longest time is forgotten. */
const maxServers = 1_000;

/** Remembers when this server last heard of each of the others, and since when it has been hearing them. */
export class SignsOfLife {
  readonly #aliveMs: number;
  readonly #heardAt = new Map<string, number>();
  #hearingSince = Number.POSITIVE_INFINITY;

  /** A server counts as silent when nothing of it was heard for `aliveMs`. */
  constructor(aliveMs: number) {
    this.#aliveMs = aliveMs;
  }

  /** Records that this server hears the others from a time on, in ms; Infinity when it does not. */
  hearsSince(now: number): void {
    this.#hearingSince = now;
  }

  /** Records that something of another server was heard. */
  note(id: string, now: number): void {
    this.#heardAt.delete(id);
    this.#heardAt.set(id, now);
    if (this.#heardAt.size > maxServers) this.#heardAt.delete(this.#heardAt.keys().next().value ?? '');
  }

  /** Whether nothing of that server was heard for as long as it could not have been silent. */
  isSilent(id: string, now: number): boolean {
    return now - Math.max(this.#hearingSince, this.#heardAt.get(id) ?? 0) >= this.#aliveMs;
  }
}
