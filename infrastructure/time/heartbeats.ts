/** How many groups a period's heartbeats are spread over, so that thousands are not all due at one moment. */
const groups = 16;

type Beat = () => void;

/** Calls many functions once a period, with one timer for all of them. Without functions there is no timer. */
export class Heartbeats {
  readonly #periodMs: number;
  readonly #groups = Array.from({ length: groups }, () => new Set<Beat>());
  #timer: NodeJS.Timeout | null = null;
  #last = 0;
  #count = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** The number of functions. */
  get count(): number {
    return this.#count;
  }

  /** Calls `beat` about a period from now, and again each period, until the returned function is called. */
  add(beat: Beat): () => void {
    // The group that ran last is the one that runs again latest.
    const group = this.#groups[this.#last];
    const own: Beat = () => beat();
    group?.add(own);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.#beatNext(), this.#periodMs / groups).unref();
    return () => {
      if (group?.delete(own) !== true) return;
      this.#count -= 1;
      if (this.#count > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #beatNext(): void {
    this.#last = (this.#last + 1) % groups;
    for (const beat of this.#groups[this.#last] ?? []) beat();
  }
}
