import { StillReading } from '#application/ports/vault-folder.ts';

/** The shortest and the longest time after which a caller is asked to come again, in s. */
const [leastS, mostS] = [1, 60] as const;

/** Follows the first read of the folder, and limits how long callers wait for it. */
export class FirstRead {
  readonly #maxWaitMs: number;
  readonly #ended = Promise.withResolvers<void>();
  readonly #begunAt = performance.now();
  #done = 0;
  #found = 0;

  /** `maxWaitMs` is the time that a caller waits for the end. */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Records that so many entries have been read, of those that have been found so far. */
  progress(done: number, found: number): void {
    this.#done = done;
    this.#found = found;
  }

  /** Lets those who wait go on, now and later. */
  end(): void {
    this.#ended.resolve();
  }

  /** Waits for the end; throws `StillReading` when it takes too long. */
  async wait(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.reject(this.#unfinished()), this.#maxWaitMs);
    try {
      await Promise.race([this.#ended.promise, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #unfinished(): StillReading {
    const leftMs = ((performance.now() - this.#begunAt) / Math.max(1, this.#done)) * (this.#found - this.#done);
    const retryAfterS = Math.min(mostS, Math.max(leastS, Math.ceil(leftMs / 1_000)));
    const soFar = `${this.#done} of the ${this.#found} files and folders found so far`;
    return new StillReading(
      `The notes are being read for the first time: ${soFar}. Try again in ${retryAfterS} s; single notes can be read and written by their paths.`,
      retryAfterS,
    );
  }
}
