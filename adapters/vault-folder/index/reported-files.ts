import { isUnlisted } from '#domain/notes/vault-path.ts';

/** How long reports are batched, in ms: one write to a file is reported several times. */
const settleMs = 30;

/** Batches and deduplicates reports of changed files. */
export class ReportedFiles {
  readonly #onDue: (paths: readonly string[]) => void;
  readonly #changed = new Set<string>();
  /** The files that this process is changing, and whether each was reported since the index last read it. */
  readonly #ownChanges = new Map<string, boolean>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(onDue: (paths: readonly string[]) => void) {
    this.#onDue = onDue;
  }

  /** Adds a report of a file or folder; hidden ones are ignored. */
  add(path: string): void {
    if (this.#isClosed || isUnlisted(path)) return;
    if (this.#ownChanges.has(path)) {
      this.#ownChanges.set(path, true);
      return;
    }
    this.#changed.add(path);
    this.#timer ??= setTimeout(() => this.#handOver(), settleMs).unref();
  }

  /**
   * Runs this process's change of a file. Reports of it are held back in the meantime, since the index reads the file
   * afterwards anyway; one that arrived after that read is delivered.
   */
  async during<Value>(path: string, change: () => Promise<Value>): Promise<Value> {
    this.#ownChanges.set(path, false);
    try {
      return await change();
    } finally {
      const isReported = this.#ownChanges.get(path) === true;
      this.#ownChanges.delete(path);
      if (isReported) this.add(path);
    }
  }

  /** Marks a file as about to be read by the index, which settles the reports so far. */
  looking(path: string): void {
    if (this.#ownChanges.has(path)) this.#ownChanges.set(path, false);
  }

  /** Stops accepting and delivering reports. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #handOver(): void {
    this.#timer = null;
    const paths = [...this.#changed];
    this.#changed.clear();
    this.#onDue(paths);
  }
}
