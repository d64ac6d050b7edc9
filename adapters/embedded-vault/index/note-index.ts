import { type BigIntStats, lstatSync, type Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LinkGraph, linkTargetsOf } from '#adapters/embedded-vault/index/link-graph.ts';
import { type NoteMetadata, readMetadata } from '#adapters/embedded-vault/index/note-metadata.ts';
import { NotesByKey } from '#adapters/embedded-vault/index/notes-by-key.ts';
import { maxNote } from '#adapters/embedded-vault/notes/sizes.ts';
import { type FileStat, toFileStat, type WrittenFile } from '#adapters/embedded-vault/notes/vault-folder.ts';
import { isNote, isUnlisted } from '#adapters/embedded-vault/notes/vault-path.ts';
import type { Equality } from '#adapters/embedded-vault/search/equality-rule.ts';
import { isSmallText, type TextWork } from '#adapters/embedded-vault/text/text-work.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { isSameFile, toIdentity } from '#infrastructure/files/atomic-file.ts';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';

type Entry = {
  readonly figures: FileFigures;
  readonly text: string | null;
  readonly textBytes: number;
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

/** The figures of a file that need no reading of its content. */
type FileFigures = Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'size'>;

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

  /** The note's text from memory, else from the disk; null when it is gone. */
  textOf(path: string): string | null | Promise<string | null> {
    return this.#files.get(path)?.text ?? this.#readText(path);
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
      const found = await this.#look(path);
      if (found?.isDirectory() === true) {
        this.#remove(path);
        this.#folders.onFound(path);
        return this.#entriesOf(path);
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
      const found = figuresOfWritten(join(this.#root, path));
      if (found?.isFile() !== true || !isSameFile(toIdentity(found), identity)) return false;
      const stats = {
        ino: Number(found.ino),
        mtimeMs: inMs(found.mtimeNs),
        ctimeMs: inMs(found.ctimeNs),
        birthtimeMs: inMs(found.birthtimeNs),
        size: Number(found.size),
      };
      await this.#take(path, stats, bytes);
      return true;
    });
  }

  async #take(path: string, stats: FileFigures, bytes: Uint8Array | null = null): Promise<void> {
    const known = this.#files.get(path);
    if (known !== undefined && isSame(known.figures, stats)) return;
    const isRead = isNote(path) && stats.size <= maxNote;
    const text = isRead ? (bytes === null ? await this.#readText(path) : textOf(bytes)) : null;
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

  async #look(path: string): Promise<Stats | null> {
    try {
      return await lstat(join(this.#root, path));
    } catch (error) {
      if (isFileAbsent(error)) return null;
      throw error;
    }
  }

  async #entriesOf(folder: string): Promise<readonly string[]> {
    try {
      const names = await readdir(join(this.#root, folder));
      const listed = names.filter((name) => !name.startsWith('.') && !name.includes('\\'));
      return listed.map((name) => (folder === '' ? name : `${folder}/${name}`));
    } catch (error) {
      if (isFileAbsent(error) || errorCode(error) === 'EACCES') return [];
      throw error;
    }
  }

  async #readText(path: string): Promise<string | null> {
    try {
      return await readFile(join(this.#root, path), 'utf8');
    } catch (error) {
      if (isFileAbsent(error) || errorCode(error) === 'EISDIR' || errorCode(error) === 'EACCES') return null;
      throw error;
    }
  }
}

/** The figures alone: what the system tells of a file is much more. */
const figuresOf = ({ ino, mtimeMs, ctimeMs, birthtimeMs, size }: FileFigures): FileFigures => ({
  ino,
  mtimeMs,
  ctimeMs,
  birthtimeMs,
  size,
});

const isSame = (one: FileFigures, other: FileFigures): boolean =>
  one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size;

/** The figures of a file that was written a moment ago, which the system still has in memory; null when they cannot be read. */
function figuresOfWritten(place: string): BigIntStats | null {
  try {
    return lstatSync(place, { bigint: true });
  } catch {
    return null;
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** Milliseconds with their fraction, as the system's other figures have them. */
const inMs = (ns: bigint): number => Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6;

/** V8 keeps a text of Latin letters in a byte each, any other in two. */
function memoryOf(text: string, size: number): number {
  return text.length === size ? size : text.length * 2;
}
