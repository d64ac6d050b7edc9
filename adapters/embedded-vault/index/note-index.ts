import { join } from 'node:path';
import {
  type FileFigures,
  figuresOf,
  figuresOfExact,
  isSame,
  statsNow,
} from '#adapters/embedded-vault/index/file-figures.ts';
import { LinkGraph, linkTargetsOf } from '#adapters/embedded-vault/index/link-graph.ts';
import { type NoteMetadata, readMetadata } from '#adapters/embedded-vault/index/note-metadata.ts';
import { NotesByKey } from '#adapters/embedded-vault/index/notes-by-key.ts';
import { entriesOf, lookAt, readText } from '#adapters/embedded-vault/index/read-folder.ts';
import type { SavedIndex, SavedNote } from '#adapters/embedded-vault/index/saved-index.ts';
import { maxNote } from '#adapters/embedded-vault/notes/sizes.ts';
import { type FileStat, toFileStat, type WrittenFile } from '#adapters/embedded-vault/notes/vault-folder.ts';
import { isNote, isUnlisted } from '#adapters/embedded-vault/notes/vault-path.ts';
import type { Equality } from '#adapters/embedded-vault/search/equality-rule.ts';
import { isSmallText, type TextWork } from '#adapters/embedded-vault/text/text-work.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { isSameFile, toIdentity } from '#infrastructure/files/atomic-file.ts';

type Entry = {
  readonly figures: FileFigures;
  text: string | null;
  textBytes: number;
  metadata: NoteMetadata | null;
};

/** A note with its text. */
export type IndexedNote = Readonly<{ path: string; text: string }>;

/** The kinds of change of a file. */
export type FileChange = 'made' | 'changed' | 'gone';

/**
 * Receives each folder found (before its entries are read, so that no change is missed), each folder gone, and each
 * changed file.
 */
export type FolderListener = Readonly<{
  onFound(folder: string): void;
  onGone(folder: string): void;
  onFile(path: string, change: FileChange): void;
}>;

const noMetadata: NoteMetadata = { frontmatter: {}, tagUses: [] };

/**
 * The files of the vault in memory: paths, times, sizes, and the texts and metadata of the notes as long as they fit in
 * `textBudget` bytes; what does not fit is read when it is asked for. Knows nothing of watching: see `IndexKeeper`.
 */
export class NoteIndex {
  /** Which file links to which. */
  readonly links = new LinkGraph();
  readonly #root: string;
  readonly #textBudget: number;
  readonly #folders: FolderListener;
  readonly #files = new Map<string, Entry>();
  readonly #queue = new KeyedQueue();
  readonly #byKey = new NotesByKey({
    paths: () => this.notePaths(),
    textOf: (path) => this.textOf(path),
    fileOf: (path) => this.#files.get(path),
  });
  /** How many files each folder has in it and below it. */
  readonly #filesBelow = new Map<string, number>();
  #textBytes = 0;
  /** What an earlier run knew of the notes, while the folder is first read. */
  #expected: ReadonlyMap<string, SavedNote> = new Map();
  #sortedNotes: readonly string[] | null = null;

  constructor(root: string, textBudget: number, folders: FolderListener) {
    this.#root = root;
    this.#textBudget = textBudget;
    this.#folders = folders;
  }

  /** How many files there are. */
  get size(): number {
    return this.#files.size;
  }

  /** Bytes of the texts held in memory. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** The paths of all files, in no order. */
  paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** Whether there are files in a folder or below it. */
  hasFolder(folder: string): boolean {
    return folder === '' || this.#filesBelow.has(folder);
  }

  /** The paths of the notes that can be searched, sorted. */
  notePaths(): readonly string[] {
    this.#sortedNotes ??= [...this.#files.keys()]
      .filter((path) => isNote(path) && (this.statOf(path)?.size ?? 0) <= maxNote)
      .sort();
    return this.#sortedNotes;
  }

  /** The note's times and size, or null. */
  statOf(path: string): FileStat | null {
    const entry = this.#files.get(path);
    return entry === undefined ? null : toFileStat(entry.figures);
  }

  /** The note's text from memory, else from the disk; null when it is gone. What is read is kept as far as it fits. */
  textOf(path: string): string | null | Promise<string | null> {
    const entry = this.#files.get(path);
    if (entry === undefined || entry.text !== null) return entry?.text ?? readText(this.#root, path);
    return readText(this.#root, path).then((text) => {
      this.#keepText(path, entry, text);
      return text;
    });
  }

  /** Takes over what an earlier run knew: notes that are still the same are not read. Called before the folder is read. */
  expect({ keys, notes }: SavedIndex): void {
    this.#byKey.expect(keys);
    this.#expected = notes;
  }

  /** Forgets what an earlier run knew of notes that are gone or have changed. */
  expectNothing(): void {
    this.#expected = new Map();
  }

  /** The keys of the frontmatter by which all notes are found, in the order of each saved note's tokens. */
  savedKeys(): readonly string[] {
    return this.#byKey.readKeys();
  }

  /** What is to be saved of the notes: the tokens of those keys among it. */
  *savedNotes(keys: readonly string[]): Iterable<readonly [string, SavedNote]> {
    for (const [path, { figures }] of this.#files) {
      if (!isNote(path) || figures.size > maxNote) continue;
      yield [path, { figures, links: this.links.targetsOf(path), tokens: this.#byKey.tokensOf(path, keys) }];
    }
  }

  /** The note's metadata; parsed once, at first need. None for a note that takes too long to read. */
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

  /** The notes of which one of the equalities may hold, sorted; none is left out. */
  notesWith(equalities: readonly Equality[]): Promise<readonly string[]> {
    return this.#byKey.find(equalities);
  }

  /**
   * Looks at one entry of the folder again, and takes over what it finds: new, changed or gone. Gives the entries below
   * when it is a folder, which the caller looks at in turn; null when it is none.
   */
  refresh(path: string): Promise<readonly string[] | null> {
    if (path !== '' && isUnlisted(path)) return Promise.resolve(null);
    return this.#queue.run(path, async () => {
      const found = lookAt(this.#root, path);
      if (found?.isDirectory() === true) {
        this.#remove(path);
        this.#folders.onFound(path);
        return entriesOf(this.#root, path);
      }
      if (found?.isFile() === true) await this.#take(path, found);
      else this.#dropAll(path);
      return null;
    });
  }

  /**
   * Indexes a file that this process wrote without reading it again; false when it changed already, or is reached over
   * a link.
   */
  takeWritten(path: string, { identity, bytes }: WrittenFile): Promise<boolean> {
    return this.#queue.run(path, async () => {
      const found = statsNow(join(this.#root, path));
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
    const text = isRead ? (bytes === null ? await readText(this.#root, path) : textOf(bytes)) : null;
    this.#drop(path);
    const textBytes = text === null ? 0 : memoryOf(text, stats.size);
    const isKept = this.#textBytes + textBytes <= this.#textBudget;
    this.#textBytes += isKept ? textBytes : 0;
    this.links.set(path, text === null ? [] : linkTargetsOf(text));
    this.#sortedNotes = null;
    this.#countBelow(path, 1);
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

  /** Takes over a note that is as an earlier run read it; its text is read when it is asked for. */
  #takeSaved(path: string, { figures, links, tokens }: SavedNote): void {
    this.links.set(path, links);
    this.#byKey.setTokens(path, tokens);
    this.#sortedNotes = null;
    this.#countBelow(path, 1);
    this.#files.set(path, { figures, text: null, textBytes: 0, metadata: null });
    this.#folders.onFile(path, 'made');
  }

  /** Keeps a text that was read later, when the file is still the one that the index knows, and there is room. */
  #keepText(path: string, entry: Entry, text: string | null): void {
    if (text === null || !isNote(path) || entry.text !== null || this.#files.get(path) !== entry) return;
    const textBytes = memoryOf(text, entry.figures.size);
    if (this.#textBytes + textBytes > this.#textBudget) return;
    const found = statsNow(join(this.#root, path));
    if (found === null || !isSame(figuresOfExact(found), entry.figures)) return;
    entry.text = text;
    entry.textBytes = textBytes;
    this.#textBytes += textBytes;
  }

  #drop(path: string): void {
    this.#textBytes -= this.#files.get(path)?.textBytes ?? 0;
    if (this.#files.delete(path)) {
      this.#sortedNotes = null;
      this.#countBelow(path, -1);
    }
    this.#byKey.remove(path);
    this.links.remove(path);
  }

  #countBelow(path: string, change: 1 | -1): void {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      const count = (this.#filesBelow.get(folder) ?? 0) + change;
      if (count === 0) this.#filesBelow.delete(folder);
      else this.#filesBelow.set(folder, count);
    }
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
    const below = path === '' ? '' : `${path}/`;
    for (const known of this.#files.keys()) if (known.startsWith(below)) this.#remove(known);
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** V8 keeps a text of Latin letters in a byte each, any other in two. */
function memoryOf(text: string, size: number): number {
  return text.length === size ? size : text.length * 2;
}
