import {
  type FileFigures,
  figuresOf,
  figuresOfExact,
  isSame,
  statsNow,
} from '#adapters/vault-folder/index/file-figures.ts';
import { FolderEntries } from '#adapters/vault-folder/index/folder-entries.ts';
import { LinkGraph, linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import { type NoteMetadata, readMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { NotesByKey } from '#adapters/vault-folder/index/notes-by-key.ts';
import { entriesOf, lookAt, readText } from '#adapters/vault-folder/index/read-folder.ts';
import type { SavedIndex, SavedNote } from '#adapters/vault-folder/index/saved-index.ts';
import { SortedPaths } from '#adapters/vault-folder/index/sorted-paths.ts';
import { toFileStat } from '#adapters/vault-folder/notes/read-opened.ts';
import { placeOf, type SpelledFolder } from '#adapters/vault-folder/notes/spellings.ts';
import type { WrittenFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import { isSmallText, type TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { FileStat } from '#application/ports/vault-folder.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { isNote, isUnlisted } from '#domain/notes/vault-path.ts';
import type { Equality } from '#domain/vault-queries/equality-rule.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { isSameFile, toIdentity } from '#infrastructure/files/atomic-file.ts';

type Entry = {
  readonly figures: FileFigures;
  text: string | null;
  textBytes: number;
  metadata: NoteMetadata | null;
};

/** The kinds of change of a file. */
export type FileChange = 'made' | 'changed' | 'gone';

/**
 * Receives each folder found (before its entries are read, so that no change is missed), each folder removed, and each
 * changed file.
 */
export type FolderListener = Readonly<{
  onFound(folder: string): void;
  onGone(folder: string): void;
  onFile(path: string, change: FileChange): void;
  /** Whether the whole folder is not there at the moment, so that what is not found in it is not gone. */
  isAway(): boolean;
}>;

const noMetadata: NoteMetadata = { frontmatter: {}, tagUses: [] };

/**
 * The in-memory index of the vault's files: paths, times, sizes, links, and the notes' texts and metadata up to
 * `textBudget` bytes of text; other texts are read on demand. Does not watch the folder: see `IndexKeeper`.
 */
export class NoteIndex {
  /** The links between files. */
  readonly links = new LinkGraph();
  readonly #folder: SpelledFolder;
  readonly #textBudget: number;
  readonly #folders: FolderListener;
  readonly #files = new Map<string, Entry>();
  readonly #queue = new KeyedQueue();
  readonly #byKey = new NotesByKey({
    paths: () => this.notePaths(),
    textOf: (path) => this.textOf(path),
    fileOf: (path) => this.#files.get(path),
  });
  readonly #tree = new FolderEntries();
  #textBytes = 0;
  /** The saved index of an earlier run, while the folder is first read. */
  #expected: ReadonlyMap<string, SavedNote> = new Map();
  readonly #notes = new SortedPaths(
    () => this.#files.keys(),
    (path) => isNote(path) && (this.#files.get(path)?.figures.size ?? Number.POSITIVE_INFINITY) <= maxNote,
  );

  constructor(folder: SpelledFolder, textBudget: number, folders: FolderListener) {
    this.#folder = folder;
    this.#textBudget = textBudget;
    this.#folders = folders;
  }

  /** The number of files. */
  get size(): number {
    return this.#files.size;
  }

  /** The size of the texts held in memory, in bytes. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** The paths of all files, unordered. */
  paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** Whether a folder has files in it or below it. */
  hasFolder(folder: string): boolean {
    return folder === '' || this.#tree.has(folder);
  }

  /** The names of the entries of a folder, unordered; those of folders end with a slash. */
  entriesIn(folder: string): Iterable<string> {
    return this.#tree.namesIn(folder);
  }

  /** The paths of the searchable notes, sorted. */
  notePaths(): readonly string[] {
    return this.#notes.get();
  }

  /** A file's times and size; null when it is not in the index. */
  statOf(path: string): FileStat | null {
    const entry = this.#files.get(path);
    return entry === undefined ? null : toFileStat(entry.figures);
  }

  /**
   * The note's text from memory, else from disk; null when the file is gone. A text read from disk is kept while the
   * budget allows.
   */
  textOf(path: string): string | null | Promise<string | null> {
    const entry = this.#files.get(path);
    if (entry === undefined || entry.text !== null) return entry?.text ?? readText(this.#folder, path);
    return readText(this.#folder, path).then((text) => {
      this.#keepText(path, entry, text);
      return text;
    });
  }

  /** Uses a saved index: notes that are unchanged since are not read again. Called before the folder is read. */
  expect({ keys, notes }: SavedIndex): void {
    this.#byKey.expect(keys);
    this.#expected = notes;
  }

  /** Drops the rest of the saved index: notes that are gone or have changed. */
  expectNothing(): void {
    this.#expected = new Map();
  }

  /** The frontmatter keys that are fully indexed, in the order of each saved note's tokens. */
  savedKeys(): readonly string[] {
    return this.#byKey.readKeys();
  }

  /** The notes to save, each with its tokens for those keys. */
  *savedNotes(keys: readonly string[]): Iterable<readonly [string, SavedNote]> {
    for (const [path, { figures }] of this.#files) {
      if (!isNote(path) || figures.size > maxNote) continue;
      yield [path, { figures, links: this.links.targetsOf(path), tokens: this.#byKey.tokensOf(path, keys) }];
    }
  }

  /** The note's metadata, parsed on first use and cached; empty for a note that takes too long to parse. */
  metadataOf(path: string, text: string, work: TextWork): NoteMetadata | Promise<NoteMetadata> {
    const entry = this.#files.get(path);
    if (entry !== undefined && entry.metadata !== null) return entry.metadata;
    const keep = (metadata: NoteMetadata): NoteMetadata => {
      if (entry !== undefined && entry.text === text) entry.metadata = metadata;
      return metadata;
    };
    if (isSmallText(text)) return keep(readMetadata(text));
    return work.metadata(text).then((read) => keep(read.ok ? read.value : noMetadata));
  }

  /** The notes that may satisfy one of the equalities, sorted; may contain false positives, misses none. */
  notesWith(equalities: readonly Equality[]): Promise<readonly string[]> {
    return this.#byKey.find(equalities);
  }

  /**
   * Reads one entry of the folder again and applies what it finds: new, changed or gone. Returns the entries of a
   * folder, which the caller refreshes in turn; null when it is not a folder.
   */
  refresh(path: string): Promise<readonly string[] | null> {
    if (path !== '' && isUnlisted(path)) return Promise.resolve(null);
    return this.#queue.run(path, async () => {
      const found = lookAt(this.#folder, path);
      if (found?.isDirectory() === true) {
        this.#remove(path);
        this.#folders.onFound(path);
        return entriesOf(this.#folder, path);
      }
      if (found?.isFile() === true) await this.#take(path, found);
      else if (!this.#folders.isAway()) this.#dropAll(path);
      return null;
    });
  }

  /**
   * Indexes a file that this process has just written, without reading it. False when the file has changed since, or is
   * reached through a symlink.
   */
  takeWritten(path: string, { identity, bytes }: WrittenFile): Promise<boolean> {
    return this.#queue.run(path, async () => {
      const found = statsNow(placeOf(this.#folder, path));
      if (found?.isFile() !== true || !isSameFile(toIdentity(found), identity)) return false;
      await this.#take(path, figuresOfExact(found), bytes);
      return true;
    });
  }

  async #take(path: string, stats: FileFigures, bytes: Uint8Array | null = null): Promise<void> {
    const known = this.#files.get(path);
    if (known !== undefined && isSame(known.figures, stats)) return;
    const saved = known === undefined && bytes === null ? this.#expected.get(path) : undefined;
    if (saved !== undefined && isSame(saved.figures, stats)) return this.#takeSaved(path, saved);
    const isRead = isNote(path) && stats.size <= maxNote;
    const read = () => readText(this.#folder, path, known === undefined ? null : stats.size);
    const text = isRead ? (bytes === null ? await read() : textOf(bytes)) : null;
    this.#drop(path);
    const textBytes = text === null ? 0 : memoryOf(text, stats.size);
    const isKept = this.#textBytes + textBytes <= this.#textBudget;
    this.#textBytes += isKept ? textBytes : 0;
    this.links.set(path, text === null ? [] : linkTargetsOf(text));
    this.#notes.noteChange(path);
    this.#tree.add(path);
    this.#files.set(path, {
      figures: figuresOf(stats),
      text: isKept ? text : null,
      textBytes: isKept ? textBytes : 0,
      metadata: null,
    });
    if (text !== null) this.#byKey.set(path, text);
    if (known === undefined) this.#folders.onFile(path, 'made');
    else if (text === null || text !== known.text) this.#folders.onFile(path, 'changed');
  }

  /** Takes a note from the saved index; its text is read on demand. */
  #takeSaved(path: string, { figures, links, tokens }: SavedNote): void {
    this.links.set(path, links);
    this.#byKey.setTokens(path, tokens);
    this.#notes.noteChange(path);
    this.#tree.add(path);
    this.#files.set(path, { figures, text: null, textBytes: 0, metadata: null });
    this.#folders.onFile(path, 'made');
  }

  /** Keeps a text that was read on demand, if the file is still the indexed version and the budget allows. */
  #keepText(path: string, entry: Entry, text: string | null): void {
    if (text === null || !isNote(path) || entry.text !== null || this.#files.get(path) !== entry) return;
    const textBytes = memoryOf(text, entry.figures.size);
    if (this.#textBytes + textBytes > this.#textBudget) return;
    const found = statsNow(placeOf(this.#folder, path));
    if (found === null || !isSame(figuresOfExact(found), entry.figures)) return;
    entry.text = text;
    entry.textBytes = textBytes;
    this.#textBytes += textBytes;
  }

  #drop(path: string): void {
    this.#textBytes -= this.#files.get(path)?.textBytes ?? 0;
    if (this.#files.delete(path)) {
      this.#notes.noteChange(path);
      this.#tree.remove(path);
    }
    this.#byKey.remove(path);
    this.links.remove(path);
  }

  #remove(path: string): void {
    const wasThere = this.#files.has(path);
    this.#drop(path);
    if (wasThere) this.#folders.onFile(path, 'gone');
  }

  /** Removes a file, or a folder with all files below it. */
  #dropAll(path: string): void {
    if (this.#files.has(path)) {
      this.#remove(path);
      return;
    }
    this.#folders.onGone(path);
    for (const known of this.#tree.filesBelow(path)) this.#remove(known);
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** The memory a text takes, in bytes: V8 stores Latin-1 strings with one byte per character, others with two. */
function memoryOf(text: string, size: number): number {
  return text.length === size ? size : text.length * 2;
}
