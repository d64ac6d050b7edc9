import { setImmediate } from 'node:timers/promises';
import { FirstRead } from '#adapters/vault-folder/index/first-read.ts';
import { type FileChange, NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { ReportedFiles } from '#adapters/vault-folder/index/reported-files.ts';
import { readSavedIndex, saveIndex } from '#adapters/vault-folder/index/saved-index.ts';
import type { SpelledFolder } from '#adapters/vault-folder/notes/spellings.ts';
import type { WrittenFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import type { Logger } from '#application/ports/logger.ts';
import { FolderWatch } from '#infrastructure/files/folder-watch.ts';

const batchSize = 64;
/** After how many entries others have their turn: those that have not changed are found so without one. */
const entriesOfTurn = 512;
const blindRescanMs = 5000;
const progressEvery = 5000;
/** How long a caller who needs all notes waits for the first read of the folder, in ms. */
const maxWaitMs = 5_000;
/**
 * How long after a change the index is saved, in ms: for the first time, and again. A save writes the figures of all
 * notes; after a crash, the next start reads again the notes that changed since the last one.
 */
const [saveAfterMs, saveAgainAfterMs] = [60_000, 300_000];

/** Options of the keeper. `savedAt` is the file in which the index is saved between runs; null saves none. */
export type IndexKeeperOptions = Readonly<{
  textBudget: number;
  logger: Logger;
  savedAt?: string | null;
  /** How long `current` waits for the first read, in ms; 5 s by default. */
  waitMs?: number;
  /** Whether the index may be saved: not when its folder is not the one that the server opened. */
  maySave?: () => boolean;
  /** Whether the folder of the notes is not there at the moment: nothing is read then. */
  isAway?: () => boolean;
  /** Called for each file that changed since the folder was first read, whoever changed it. */
  onFile?: (path: string, change: FileChange) => void;
}>;

/**
 * Keeps a `NoteIndex` in sync with the folder: at start it reads what the saved index lacks, then each file reported as
 * changed; and it saves the index for the next start.
 */
export class IndexKeeper {
  readonly index: NoteIndex;
  readonly #root: string;
  readonly #savedAt: string | null;
  readonly #logger: Logger;
  readonly #watch: FolderWatch;
  readonly #firstRead: FirstRead;
  readonly #reported = new ReportedFiles((paths) => this.#catchUp(paths));
  #scanning: Promise<void> = Promise.resolve();
  readonly #maySave: () => boolean;
  readonly #isAway: () => boolean;
  #isBlind = false;
  /** Whether something could not be read because the folder was away. */
  #isBehind = false;
  #hasBeenRead = false;
  #scannedAt = 0;
  #isClosed = false;
  #saving: NodeJS.Timeout | null = null;
  #isSaved = false;
  #saved: Promise<void> = Promise.resolve();

  constructor(
    { root, spellings }: SpelledFolder,
    { textBudget, logger, savedAt = null, onFile = () => {}, ...rest }: IndexKeeperOptions,
  ) {
    const { maySave = () => true, isAway = () => false, waitMs = maxWaitMs } = rest;
    this.#firstRead = new FirstRead(waitMs);
    this.#maySave = maySave;
    this.#isAway = isAway;
    this.#root = root;
    this.#savedAt = savedAt;
    this.#logger = logger;
    this.#watch = new FolderWatch(
      root,
      (path) => this.look(spellings.heard(path)),
      (error) => this.#loseSight(error),
      (folder) => spellings.onDisk(folder),
    );
    this.index = new NoteIndex({ root, spellings }, textBudget, {
      onFound: (folder) => this.#watch.add(folder),
      onGone: (folder) => this.#watch.drop(folder),
      onFile: (path, change) => {
        this.#saveLater();
        if (this.#hasBeenRead) onFile(path, change);
      },
      isAway,
    });
  }

  /** Starts reading the folder, with progress in the log; `current` resolves when it is done. */
  start(): void {
    this.#scanning = this.#readAll();
    this.#scanning
      .catch((error: unknown) => this.#logger.error({ err: error }, 'The vault could not be read'))
      .finally(() => this.#firstRead.end());
  }

  /**
   * Returns the index once the folder has been read; throws `StillReading` when the first read takes long. Where the
   * folder cannot be watched, it is read again when the last read is more than 5 s old; and when it was away meanwhile.
   */
  async current(): Promise<NoteIndex> {
    if (!this.#hasBeenRead) await this.#firstRead.wait();
    return this.#whole();
  }

  async #whole(): Promise<NoteIndex> {
    for (let read: Promise<void> | null = null; read !== this.#scanning; ) {
      read = this.#scanning;
      await read;
      if (this.#isBehind && !this.#isAway()) this.start();
    }
    if (this.#isBlind && performance.now() - this.#scannedAt > blindRescanMs) await this.rebuild();
    return this.index;
  }

  /** Reads the whole folder again and updates the index. */
  async rebuild(): Promise<void> {
    await this.#scanning;
    this.start();
    await this.#scanning;
  }

  /** Watches and reads the folder again, after it was away. */
  folderIsBack(): void {
    this.#watch.close();
    this.#isBehind = true;
    this.#whole().catch((error: unknown) => this.#logger.error({ err: error }, 'The vault could not be read'));
  }

  /**
   * Updates the index for one file: after a write of this process, with the bytes written, or when a reader found the
   * file changed.
   */
  async refresh(path: string, written: WrittenFile | null = null): Promise<void> {
    this.#reported.looking(path);
    if (written !== null && (await this.index.takeWritten(path, written))) return;
    await this.#readEntries([path], () => undefined);
  }

  /**
   * Runs a change of a file by this process, which calls `refresh` after writing. Watch events for the file are held
   * back in the meantime.
   */
  whileChanging<Value>(path: string, change: () => Promise<Value>): Promise<Value> {
    return this.#reported.during(path, change);
  }

  /** Schedules an entry to be read again; entries reported within 30 ms are batched. */
  look(path: string): void {
    this.#reported.add(path);
  }

  /** Stops watching the folder, and saves the index if it has changed since the last save. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reported.close();
    this.#watch.close();
    if (this.#saving !== null) {
      clearTimeout(this.#saving);
      this.#save();
    }
    await this.#saved;
  }

  #saveLater(): void {
    if (this.#savedAt === null || this.#isClosed) return;
    this.#saving ??= setTimeout(() => this.#save(), this.#isSaved ? saveAgainAfterMs : saveAfterMs).unref();
  }

  /** Saves the index, but only once the whole folder has been read: an incomplete index would miss notes. */
  #save(): void {
    this.#saving = null;
    const file = this.#savedAt;
    if (file === null || !this.#hasBeenRead || !this.#maySave()) return;
    this.#isSaved = true;
    const before = this.#saved;
    this.#saved = before.then(() => this.#write(file));
  }

  async #write(file: string): Promise<void> {
    const keys = this.index.savedKeys();
    try {
      const isSaved = await saveIndex(file, this.#root, { keys, notes: this.index.savedNotes(keys) });
      if (!isSaved) this.#logger.warn({ file }, 'The index of the vault is too large to be saved');
    } catch (error) {
      this.#logger.warn({ err: error, file }, 'The index of the vault could not be saved');
    }
  }

  /** Loads the saved index; without one every note is read. */
  async #expectSaved(): Promise<void> {
    const file = this.#savedAt;
    if (file === null || this.#hasBeenRead) return;
    const saved = await readSavedIndex(file, this.#root);
    if (typeof saved === 'string') this.#logger.warn({ file, reason: saved }, 'The saved index is rebuilt');
    else if (saved !== null) this.index.expect(saved);
  }

  async #readAll(): Promise<void> {
    const began = performance.now();
    this.#isBehind = false;
    await this.#expectSaved();
    const seen = new Set<string>();
    await this.#readEntries([''], (path, found) => {
      seen.add(path);
      this.#firstRead.progress(seen.size, found);
      if (seen.size % progressEvery === 0) this.#logger.info({ done: seen.size, found }, 'Reading the vault');
    });
    if (this.#isClosed || this.#isBehind) return;
    this.index.expectNothing();
    for (const path of this.index.paths()) if (!seen.has(path)) await this.index.refresh(path);
    this.#scannedAt = performance.now();
    this.#hasBeenRead = true;
    const tookMs = Math.round(this.#scannedAt - began);
    this.#logger.info({ files: this.index.size, textBytes: this.index.textBytes, tookMs }, 'The vault has been read');
  }

  async #readEntries(paths: readonly string[], onRead: (path: string, found: number) => void): Promise<void> {
    const waiting = [...paths];
    let [next, inTurn] = [0, 0];
    while (next < waiting.length && !this.#isClosed) {
      if (this.#isAway()) {
        this.#isBehind = true;
        return;
      }
      const batch = waiting.slice(next, next + batchSize);
      next += batch.length;
      const below = await Promise.all(batch.map((path) => this.#refreshOne(path)));
      for (const entries of below) for (const entry of entries ?? []) waiting.push(entry);
      for (const path of batch) onRead(path, waiting.length);
      inTurn += batch.length;
      if (inTurn < entriesOfTurn) continue;
      inTurn = 0;
      await setImmediate();
    }
  }

  /** Refreshes one entry. One that cannot be read is logged and skipped, so that the others are still indexed. */
  async #refreshOne(path: string): Promise<readonly string[] | null> {
    try {
      return await this.index.refresh(path);
    } catch (error) {
      this.#logger.warn({ err: error, path }, 'An entry of the vault cannot be read');
      return null;
    }
  }

  #catchUp(paths: readonly string[]): void {
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
