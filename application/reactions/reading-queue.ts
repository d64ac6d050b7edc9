import type { Logger } from '#application/ports/logger.ts';

type ReadingQueueDependencies = Readonly<{
  read: (path: string) => Promise<void>;
  say: (path: string) => Promise<void>;
  logger: Logger;
}>;

/** Reads notes one by one in the background, and writes statuses when none is left to read. */
export class ReadingQueue {
  readonly #dependencies: ReadingQueueDependencies;
  #unread = new Set<string>();
  readonly #unsaid = new Set<string>();
  /** The path of the note that is being read; empty when there is none. */
  #current = '';
  #running: Promise<void> | null = null;
  /** Resolves when no note is left to read; null when there is none. */
  #reading: PromiseWithResolvers<void> | null = null;

  constructor(dependencies: ReadingQueueDependencies) {
    this.#dependencies = dependencies;
  }

  /** Replaces the notes to read, in this order. */
  replace(paths: readonly string[]): void {
    this.#unread = new Set(paths);
    this.#start();
  }

  /** Adds a note to read after the others. */
  add(path: string): void {
    this.#unread.add(path);
    this.#start();
  }

  /** Adds a note whose status is to be written. */
  say(path: string): void {
    this.#unsaid.add(path);
    this.#start();
  }

  /** The paths of the notes that are not read yet. */
  unread(): readonly string[] {
    return this.#current === '' ? [...this.#unread] : [this.#current, ...this.#unread];
  }

  /** Resolves when no note is left to read, at the latest after that time (ms). */
  async read(maxWaitMs: number): Promise<void> {
    await within(maxWaitMs, this.#reading?.promise);
  }

  /** Resolves when no status is left to write either, at the latest after that time (ms). */
  async idle(maxWaitMs: number): Promise<void> {
    await within(maxWaitMs, this.#running);
  }

  #start(): void {
    if (this.#unread.size > 0) this.#reading ??= Promise.withResolvers();
    if (this.#unread.size + this.#unsaid.size > 0) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { read, say, logger } = this.#dependencies;
    // Whoever adds several at once adds them all first.
    await Promise.resolve();
    for (;;) {
      const [unread] = this.#unread;
      const [path = unread] = unread === undefined ? this.#unsaid : [];
      if (path === undefined) break;
      this.#current = unread ?? '';
      (unread === undefined ? this.#unsaid : this.#unread).delete(path);
      try {
        await (unread === undefined ? say : read)(path);
      } catch (error) {
        logger.warn({ err: error, path }, 'A reaction could not be read; will retry');
      }
      this.#current = '';
      if (this.#unread.size === 0) this.#wasRead();
    }
    this.#wasRead();
    this.#running = null;
  }

  #wasRead(): void {
    this.#reading?.resolve();
    this.#reading = null;
  }
}

/** Waits for work, null or undefined for none, at the latest for that time (ms); throws what it throws until then. */
export async function within(maxWaitMs: number, work: Promise<unknown> | null | undefined): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, maxWaitMs);
  try {
    await Promise.race([work, waited.promise]);
  } finally {
    clearTimeout(timer);
  }
}
