import { type FileChange, NoteIndex } from '#adapters/embedded-vault/index/note-index.ts';
import type { WrittenFile } from '#adapters/embedded-vault/notes/vault-folder.ts';
import { isUnlisted } from '#adapters/embedded-vault/notes/vault-path.ts';
import type { Logger } from '#application/ports/logger.ts';
import { FolderWatch } from '#infrastructure/files/folder-watch.ts';

const batchSize = 64;
const settleMs = 30;
const blindRescanMs = 5000;
const progressEvery = 5000;

/**
 * Keeps a `NoteIndex` in step with the folder: reads all of it at start, then each file that is reported as changed.
 */
export class IndexKeeper {
  readonly index: NoteIndex;
  readonly #logger: Logger;
  readonly #watch: FolderWatch;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #scanning: Promise<void> = Promise.resolve();
  #isBlind = false;
  #hasBeenRead = false;
  #scannedAt = 0;
  #isClosed = false;

  /** `onFile` is called for each file that changed since the folder was first read, whoever changed it. */
  constructor(
    root: string,
    textBudget: number,
    logger: Logger,
    onFile: (path: string, change: FileChange) => void = () => {},
  ) {
    this.#logger = logger;
    this.#watch = new FolderWatch(
      root,
      (path) => this.#note(path),
      (error) => this.#loseSight(error),
    );
    this.index = new NoteIndex(root, textBudget, {
      onFound: (folder) => this.#watch.add(folder),
      onGone: (folder) => this.#watch.drop(folder),
      onFile: (path, change) => {
        if (this.#hasBeenRead) onFile(path, change);
      },
    });
  }

  /** Begins to read the folder, with progress in the log; `current` resolves when it is done. */
  start(): void {
    this.#scanning = this.#readAll();
    this.#scanning.catch((error: unknown) => this.#logger.error({ err: error }, 'The vault could not be read'));
  }

  /** The index, once it has been read. Where the folder cannot be watched, it is read again when it is 5 s old. */
  async current(): Promise<NoteIndex> {
    await this.#scanning;
    if (this.#isBlind && performance.now() - this.#scannedAt > blindRescanMs) await this.rebuild();
    return this.index;
  }

  /** Reads the whole folder again and updates the index. */
  async rebuild(): Promise<void> {
    await this.#scanning;
    this.start();
    await this.#scanning;
  }

  /**
   * Updates the index for one file: after a write of this process, with what was written, or when a reader found it
   * changed.
   */
  async refresh(path: string, written: WrittenFile | null = null): Promise<void> {
    if (written !== null && (await this.index.takeWritten(path, written))) return;
    await this.#readEntries([path], () => undefined);
  }

  /** Looks at an entry soon, together with others that are reported in the same moment. */
  look(path: string): void {
    this.#note(path);
  }

  /** Stops watching the folder. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#watch.close();
  }

  async #readAll(): Promise<void> {
    const began = performance.now();
    const seen = new Set<string>();
    await this.#readEntries([''], (path, found) => {
      seen.add(path);
      if (seen.size % progressEvery === 0) this.#logger.info({ done: seen.size, found }, 'Reading the vault');
    });
    if (this.#isClosed) return;
    for (const path of this.index.paths()) if (!seen.has(path)) await this.index.refresh(path);
    this.#scannedAt = performance.now();
    this.#hasBeenRead = true;
    const tookMs = Math.round(this.#scannedAt - began);
    this.#logger.info({ files: this.index.size, textBytes: this.index.textBytes, tookMs }, 'The vault has been read');
  }

  async #readEntries(paths: readonly string[], onRead: (path: string, found: number) => void): Promise<void> {
    const waiting = [...paths];
    let next = 0;
    while (next < waiting.length && !this.#isClosed) {
      const batch = waiting.slice(next, next + batchSize);
      next += batch.length;
      const below = await Promise.all(batch.map((path) => this.#refreshOne(path)));
      for (const entries of below) for (const entry of entries ?? []) waiting.push(entry);
      for (const path of batch) onRead(path, waiting.length);
    }
  }

  /** An entry that cannot be read is left out; it does not keep the others from being found. */
  async #refreshOne(path: string): Promise<readonly string[] | null> {
    try {
      return await this.index.refresh(path);
    } catch (error) {
      this.#logger.warn({ err: error, path }, 'An entry of the vault cannot be read');
      return null;
    }
  }

  #note(path: string): void {
    if (this.#isClosed || isUnlisted(path)) return;
    this.#changed.add(path);
    this.#timer ??= setTimeout(() => this.#catchUp(), settleMs).unref();
  }

  #catchUp(): void {
    this.#timer = null;
    const paths = [...this.#changed];
    this.#changed.clear();
    this.#readEntries(paths, () => undefined).catch((error: unknown) => {
      this.#logger.error({ err: error }, 'A change of the vault could not be read');
    });
  }

  #loseSight(error: unknown): void {
    if (this.#isBlind) return;
    this.#isBlind = true;
    this.#logger.warn({ err: error }, 'The vault cannot be watched fully; it is read again before searches');
  }
}
