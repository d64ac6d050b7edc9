/** The number of groups that a period's heartbeats are spread over, so that thousands are not due at once. */
const groups = 16;

type Beat = () => void;

/** Calls many functions once per period with a single timer, which runs only while there are functions. */
export class Heartbeats {
  readonly #periodMs: number;
  readonly #groups = Array.from({ length: groups }, () => new Set<Beat>());
  #timer: NodeJS.Timeout | null = null;
  #last = 0;
  #count = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** The number of registered functions. */
  get count(): number {
    return this.#count;
  }

  /** Calls `beat` about a period from now and once per period; returns a function that unregisters it. */
  add(beat: Beat): () => void {
    // The group that ran last is the last to run again.
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
