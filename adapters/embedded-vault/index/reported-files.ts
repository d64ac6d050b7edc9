import { isUnlisted } from '#adapters/embedded-vault/notes/vault-path.ts';

/** How long reports are gathered, in ms: a program that writes a file is reported several times. */
const settleMs = 30;

/** Gathers which files are reported as changed, and hands over those of one moment together. */
export class ReportedFiles {
  readonly #onDue: (paths: readonly string[]) => void;
  readonly #changed = new Set<string>();
  /** The files that this process is changing, and whether one was reported since the index looked at it. */
  readonly #ownChanges = new Map<string, boolean>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(onDue: (paths: readonly string[]) => void) {
    this.#onDue = onDue;
  }

  /** Takes a report of a file or a folder; hidden ones are left out. */
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
   * Runs this process's change of a file. Reports of it are left aside meanwhile, since the index looks at the file in the end; where one came
   * after that look, it is handed over.
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

  /** Says that the index is about to look at a file: reports so far are settled by that. */
  looking(path: string): void {
    if (this.#ownChanges.has(path)) this.#ownChanges.set(path, false);
  }

  /** Takes no more reports, and hands over none. */
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
