import type { EditedNote } from '#domain/notes/edits/edited-note.ts';
import type { EditFailure, NoteEdit } from '#domain/notes/edits/note-edit.ts';
import type { HeadingTitle, RenamedHeading, RenameFailure } from '#domain/notes/edits/rename-heading.ts';
import type { FilesNamed } from '#domain/notes/links/file-meant.ts';
import type { PlacedLink } from '#domain/notes/links/note-links.ts';
import type { NoteSection, SectionName } from '#domain/notes/note-section.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import type { PatchedNote } from '#domain/notes/patch/patched-note.ts';
import type { Period, PeriodicPlace } from '#domain/notes/periodic-notes.ts';
import type { FileFailure, QueryFailure, WorkEnded } from '#domain/notes/vault-failure.ts';
import type { AmbiguousHeading } from '#domain/notes/which-heading.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';
import type { QueryHit } from '#domain/vault-queries/judge-notes.ts';

/** Times in whole Unix ms; `ctime` is the time of creation; `size` in bytes. */
export type FileStat = Readonly<{ ctime: number; mtime: number; size: number }>;

/** A file as it was read. */
export type VaultFile = Readonly<{ bytes: Buffer; stat: FileStat }>;

/** Returns a file's new content by its current one (null when it does not exist), or refuses the change. */
export type FileChange<Rejection> = (current: Buffer | null) => Awaitable<Result<Uint8Array, Rejection>>;

/** The files of the team's vault, by paths that `vaultPathOf` accepts. Changes of one file are serialised, each atomic. */
export interface VaultFiles {
  /** Reads a whole file; synchronously where that is quick. */
  read(path: string): Awaitable<Result<VaultFile, FileFailure>>;
  /**
   * Names the states that the files at these paths are in, by path, without reading them: another one after each write. Left out are
   * those that are not there, and those written so recently that another write might not change their times.
   */
  stamps(paths: readonly string[]): ReadonlyMap<string, string>;
  /** Whether a file exists at the path. */
  has(path: string): Promise<boolean>;
  /**
   * Changes a file and returns its new content. Nothing is written when `change` fails or returns the bytes object that
   * it was given. `change` runs again when another program writes the file in the meantime, so that no edit is lost.
   */
  update<Rejection = never>(
    path: string,
    change: FileChange<Rejection>,
  ): Promise<Result<Uint8Array, FileFailure | Rejection>>;
  /** Moves a file to where none is; `allow` fails for content that may not be moved. Begun moves are finished. */
  move<Rejection = never>(
    from: string,
    to: string,
    allow: (current: Buffer) => Result<void, Rejection>,
  ): Promise<Result<void, FileFailure | Rejection>>;
  /**
   * Deletes a file, unless `allow` fails for its current content: moves it to the trash under `trashId`, or deletes it
   * for good where none is given.
   */
  remove<Rejection = never>(
    path: string,
    allow?: (current: Buffer | null) => Awaitable<Result<void, Rejection>>,
    trashId?: string,
  ): Promise<Result<void, FileFailure | Rejection>>;
}

/** A deleted file in the trash; `at` is when it was deleted, in Unix ms. */
export type TrashedFile = Readonly<{ id: string; at: number }>;

/** The deleted files of the vault, found by the paths that they had. */
export interface VaultTrash {
  /** Lists those that had the path, the latest first. */
  list(path: string): Promise<readonly TrashedFile[]>;
  /** Reads one of them; null when it is not there. */
  read(path: string, id: string): Promise<Buffer | null>;
  /** Deletes those that were deleted before a time (Unix ms) for good, and returns their number. */
  empty(before: number): Promise<number>;
}

/**
 * A note as JSON: frontmatter, content, metadata (VAULT-009). Tags are unique and without `#`; `links` are the files it
 * links to, `backlinks` the files that link to it.
 */
export type NoteJson = Readonly<{
  tags: readonly string[];
  frontmatter: Readonly<Record<string, unknown>>;
  stat: FileStat;
  path: string;
  content: string;
  links: readonly string[];
  backlinks: readonly string[];
  /** The value for `If-Match`; only where one note was requested. */
  version?: string;
}>;

/** The patchable parts of a note. Headings are full paths joined by `::`; block ids are without `^`. */
export type DocumentMap = Readonly<{
  headings: readonly string[];
  blocks: readonly string[];
  frontmatterFields: readonly string[];
}>;

/** One part of a note: a text, or the value of a frontmatter key; null when there is no such part. */
export type NotePart = Readonly<{ kind: 'text'; text: string }> | Readonly<{ kind: 'value'; value: unknown }> | null;

/** The work over the text of one note, whose time grows with it; stopped when it takes too long. */
export interface NoteTexts {
  /** Lists the patchable parts; null when they exceed the size of an answer. */
  map(text: string): Promise<Result<DocumentMap | null, WorkEnded>>;
  part(text: string, target: PatchTarget): Promise<Result<Result<NotePart, PatchFailure>, WorkEnded>>;
  section(text: string, name: SectionName): Promise<Result<Result<NoteSection | null, AmbiguousHeading>, WorkEnded>>;
  patch(text: string, instruction: PatchInstruction): Promise<Result<Result<PatchedNote, PatchFailure>, WorkEnded>>;
  links(text: string): Promise<Result<readonly PlacedLink[], WorkEnded>>;
  heading(text: string, name: HeadingTitle): Promise<Result<Result<RenamedHeading | null, RenameFailure>, WorkEnded>>;
  edit(text: string, edit: NoteEdit): Promise<Result<Result<EditedNote, EditFailure>, WorkEnded>>;
}

/**
 * What the configuration of the notes app says on the notes of a period: the place, null when it has none, and the file
 * that says so; `ignored` names configuration that cannot be used, as sentences.
 */
export type PeriodicSetting = Readonly<{ place: PeriodicPlace | null; source: string; ignored: readonly string[] }>;

/** The notes app's configuration of periodic notes in the folder, as it is at the moment. */
export interface PeriodicSettings {
  of(period: Period): Promise<PeriodicSetting>;
}

/**
 * The folders, the root as '': the names of the entries of one, unordered, those of folders with a trailing slash; and whether one has
 * files in it or below it.
 */
export type FolderTree = Readonly<{ entriesIn(folder: string): Iterable<string>; hasFolder(folder: string): boolean }>;

/** An occurrence of a query word; offsets are into the note's name or its text, by `source`. */
export type SearchMatch = Readonly<{
  match: Readonly<{ start: number; end: number; source: 'filename' | 'content' }>;
  context: string;
}>;

/** A note that contains all words of the query. */
export type SearchHit = Readonly<{ filename: string; score: number; matches: readonly SearchMatch[] }>;

/** The lower-cased words and phrases to find, the characters shown beside each match, and which of the notes; all by default. */
export type WordQuery = Readonly<{
  terms: readonly string[];
  contextLength: number;
  page?: Readonly<{ from: number; limit: number }>;
}>;

/** The hits, the number of all notes that match, and whether hits were omitted because the response would be too large. */
export type SearchResult = Readonly<{ hits: readonly SearchHit[]; total: number; isTruncated: boolean }>;

/** The links between files: the files that are written as an end, and those with links that end in the name of one. */
export type FileLinks = Readonly<{ files: FilesNamed; mentioning(path: string): readonly string[] }>;

/** A tag and its number of uses; a use of `a/b` also counts for `a`. */
export type TagCount = Readonly<{ name: string; count: number }>;

/** What is known of all notes. Methods that need all notes throw `StillReading` while they are first read. */
export interface VaultIndex {
  /** Notices that a reader found a file with these times: if they are new, the index catches up. */
  seen(path: string, stat: FileStat): void;
  tree(): Promise<FolderTree>;
  note(
    note: Readonly<{ path: string; text: string; stat: FileStat; version?: string }>,
  ): Promise<Result<NoteJson, WorkEnded>>;
  tags(): Promise<readonly TagCount[]>;
  links(): Promise<FileLinks>;
  /** The notes with a tag for which `is` is true, sorted. */
  notesTagged(is: (tag: string) => boolean): Promise<readonly string[]>;
  /** Finds the notes that contain all words and phrases of the query. */
  byWords(query: WordQuery): Promise<SearchResult>;
  /** Finds the notes for which a JsonLogic rule is true, with its value for each. */
  byRule(rule: unknown): Promise<Result<readonly QueryHit[], QueryFailure>>;
  /** Runs a DQL query; `now` in Unix ms. */
  byDql(query: string, now: number): Promise<Result<readonly QueryHit[], QueryFailure>>;
  /** Reads the whole folder again. */
  rebuild(): Promise<void>;
}

/** Thrown to whoever needs all notes while the folder is being read for the first time. */
export class StillReading extends Error {
  /** When it is worth asking again, in s. */
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}
