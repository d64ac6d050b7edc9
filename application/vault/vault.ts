import type { Clock } from '#application/ports/clock.ts';
import type {
  DocumentMap,
  NoteJson,
  NotePart,
  NoteTexts,
  VaultFile,
  VaultFiles,
  VaultIndex,
  VaultTrash,
} from '#application/ports/vault-folder.ts';
import { NoteOpener } from '#application/vault/note-opener.ts';
import { type PeriodicDependencies, type PeriodicNote, PeriodicNotes } from '#application/vault/periodic-notes.ts';
import { type NoteBytes, type OnNotesPlanned, oncePlanned } from '#application/vault/planned-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import { type RestoreFailure, restoreNotes } from '#application/vault/restore-notes.ts';
import { commands } from '#application/vault/vault-commands.ts';
import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { type Condition, versionOf } from '#domain/notes/conditions.ts';
import { appended } from '#domain/notes/edits/appended.ts';
import type { EditedNote } from '#domain/notes/edits/edited-note.ts';
import type { NoteEdit } from '#domain/notes/edits/note-edit.ts';
import type { NoteSection, SectionName } from '#domain/notes/note-section.ts';
import type { PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import type { Period } from '#domain/notes/periodic-notes.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { newTrashId } from '#domain/notes/trash-id.ts';
import type { VaultPath } from '#domain/notes/vault-path.ts';
import type { Day } from '#domain/notes/week-of-year.ts';
import { type Awaitable, andThen, err, ok, type Result } from '#domain/shared/result.ts';
import type { QueryHit } from '#domain/vault-queries/judge-notes.ts';
import { queryWords, searchTerms } from '#domain/vault-queries/search-terms.ts';

/** What the use cases of the team's vault work over. */
export type VaultDependencies = PeriodicDependencies &
  Readonly<{
    index: VaultIndex;
    texts: NoteTexts;
    trash: Pick<VaultTrash, 'list' | 'read'>;
    /** The maximum size of what is written at once, in bytes; 50 MiB by default. */
    maxBody?: number | undefined;
    /** How long deleted files are in the trash, in ms; by default 0: they are deleted for good. */
    keepDeletedMs?: number | undefined;
  }>;

/**
 * How a file is written: under a condition, what a missing one begins with, and for a patch whether a missing one is
 * made. `planned` receives the change before it is written.
 */
export type WriteOptions = Readonly<{
  condition?: Condition | null;
  begin?: Uint8Array | null;
  isMade?: boolean;
  planned?: OnNotesPlanned | undefined;
}>;

/** A note after a patch, and the part that was changed: a heading by its path. */
export type PatchedFile = Readonly<{ bytes: Uint8Array; target: string }>;

/** A page of the notes that a search finds, and the number of characters beside each match. */
export type SearchPage = Readonly<{ from: number; limit: number; contextLength: number }>;

type Outcome<Value> = Result<Value, VaultFailure>;

/** The names in a folder; those of folders end with a slash. */
export type Listing = Readonly<{ files: readonly string[] }>;

const maxJson = 1024 * 1024;
const maxRule = 64 * 1024;

/** The failure of content that is too large for a part of a note; null when it is not. `bytes` is its size as sent. */
export function contentFailure(bytes: number, isJson: boolean): VaultFailure | null {
  return bytes > (isJson ? maxJson : maxNote) ? { reason: 'content_too_large' } : null;
}

/**
 * The use cases of the team's vault, over its folder: the tools, the reactions, the REST interface at `VAULT_PORT` and
 * `/api/vault` all end here. Paths are those that `vaultPathOf` accepts.
 */
export class Vault {
  readonly commands: readonly Readonly<{ id: string; name: string }>[] = commands;
  /** The maximum size of what is written at once, in bytes. */
  readonly maxBody: number;
  /** How long deleted files are in the trash, in ms; 0: they are deleted for good. */
  readonly keepDeletedMs: number;
  readonly trash: Pick<VaultTrash, 'list' | 'read'>;
  readonly #files: VaultFiles;
  readonly #index: VaultIndex;
  readonly #texts: NoteTexts;
  readonly #clock: Clock;
  readonly #periodic: PeriodicNotes;
  readonly #opener: NoteOpener;
  /** The note last written: the active one, if none is open. Not kept across restarts. */
  #written: string | null = null;

  constructor({ index, texts, trash, maxBody, keepDeletedMs, ...ofPeriodic }: VaultDependencies) {
    this.maxBody = maxBody ?? 50 * 1024 * 1024;
    this.keepDeletedMs = keepDeletedMs ?? 0;
    this.trash = trash;
    this.#files = ofPeriodic.files;
    this.#index = index;
    this.#texts = texts;
    this.#clock = ofPeriodic.clock;
    this.#periodic = new PeriodicNotes(ofPeriodic);
    this.#opener = new NoteOpener({ files: this.#files, index, periodic: this.#periodic });
  }

  /** Reads a whole file; synchronously where that is quick. */
  read(path: string): Awaitable<Outcome<VaultFile>> {
    return andThen(this.#files.read(path), (file) => {
      if (file.ok) this.#index.seen(path, file.value.stat);
      return file;
    });
  }

  /** Names the states that files are in, without reading them: see `VaultFiles`. */
  stamps(paths: readonly string[]): ReadonlyMap<string, string> {
    return this.#files.stamps(paths);
  }

  /** Whether a file exists at the path. */
  has(path: string): Promise<boolean> {
    return this.#files.has(path);
  }

  /** A file that was read, as note JSON. */
  async note(path: string, { bytes, stat }: VaultFile): Promise<Outcome<NoteJson>> {
    if (bytes.length > maxNote) return err({ reason: 'too_large' });
    return this.#index.note({ path, text: bytes.toString('utf8'), stat, version: versionOf(bytes) });
  }

  /** The document map of a file that was read. */
  async map({ bytes }: VaultFile): Promise<Outcome<DocumentMap>> {
    if (bytes.length > maxNote) return err({ reason: 'too_large' });
    const map = await this.#texts.map(bytes.toString('utf8'));
    if (!map.ok) return map;
    return map.value === null ? err({ reason: 'headings_too_many' }) : ok(map.value);
  }

  /** One part of a file that was read. */
  async part({ bytes }: VaultFile, target: PatchTarget): Promise<Outcome<NotePart>> {
    if (bytes.length > maxNote) return err({ reason: 'too_large' });
    const part = await this.#texts.part(bytes.toString('utf8'), target);
    return part.ok ? part.value : part;
  }

  /** A part of a file that was read, with its lines; null when there is none. */
  async section({ bytes }: VaultFile, name: SectionName): Promise<Outcome<NoteSection | null>> {
    if (bytes.length > maxNote) return err({ reason: 'too_large' });
    const section = await this.#texts.section(bytes.toString('utf8'), name);
    return section.ok ? section.value : section;
  }

  /** Writes a file, replacing an existing one, and returns its content. */
  put(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<Outcome<Uint8Array>> {
    return this.#change(path, options, bytes, () => ok(bytes));
  }

  /** Appends text on a new line, making the file if missing, and returns the whole content. */
  append(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<Outcome<Uint8Array>> {
    const { begin = null } = options;
    return this.#change(path, options, bytes, (current) => ok(appended(current ?? begin, bytes)));
  }

  /** Changes a part of a note and returns the note; `size` is that of the content as sent, in bytes. */
  async patch(
    path: string,
    instruction: PatchInstruction & Readonly<{ size: number }>,
    options: WriteOptions = {},
  ): Promise<Outcome<PatchedFile>> {
    const { begin = null, isMade = false } = options;
    const { content, isJson, size } = instruction;
    const refused = contentFailure(size, isJson);
    if (refused !== null) return err(refused);
    if (isJson && isTooDeep(content))
      return err({ reason: 'content_unreadable', detail: `It is nested more than ${maxDepth} levels deep.` });
    let target = '';
    const written = await this.#change(path, options, null, async (existing): Promise<Outcome<Uint8Array>> => {
      if (existing === null && !isMade) return err({ reason: 'not_found' });
      const current = existing ?? begin;
      if ((current?.length ?? 0) + size > maxNote) return err({ reason: 'too_large' });
      const patched = await this.#texts.patch(Buffer.from(current ?? '').toString('utf8'), instruction);
      if (!patched.ok) return patched;
      if (!patched.value.ok) return patched.value;
      target = patched.value.value.target;
      return ok(Buffer.from(patched.value.value.text));
    });
    return written.ok ? ok({ bytes: written.value, target }) : written;
  }

  /** Edits a note and returns it as it is then. */
  async edit(
    path: string,
    edit: NoteEdit,
    options: WriteOptions = {},
  ): Promise<Outcome<EditedNote & Readonly<{ revision: string }>>> {
    const edited: EditedNote[] = [];
    const written = await this.#change(path, options, null, async (current): Promise<Outcome<Uint8Array>> => {
      if (current === null) return err({ reason: 'not_found' });
      if (current.length > maxNote) return err({ reason: 'too_large' });
      const text = current.toString('utf8');
      if (text.includes('\uFFFD') && !Buffer.from(text).equals(current)) return err({ reason: 'not_text' });
      const done = await this.#texts.edit(text, edit);
      if (!done.ok) return done;
      if (!done.value.ok) return done.value;
      edited.push(done.value.value);
      return ok(Buffer.from(done.value.value.text));
    });
    if (!written.ok) return written;
    const note = edited.at(-1) ?? { text: '', count: 0, lines: [], splices: [] };
    return ok({ ...note, revision: versionOf(written.value) });
  }

  /** Deletes a file: to the trash, if there is one. */
  async remove(path: string, { condition = null, planned }: WriteOptions = {}): Promise<Outcome<void>> {
    const trashId = this.#trashId();
    const trashed = trashId === undefined ? {} : { trashId };
    const allow = async (before: Uint8Array | null): Promise<Outcome<void>> => {
      const allowed = condition?.(before);
      if (allowed?.ok === false || before === null) return allowed ?? ok(undefined);
      return oncePlanned(planned, () => [{ path, before, after: null, ...trashed }], undefined);
    };
    const removed = await this.#files.remove(path, planned === undefined ? (condition ?? undefined) : allow, trashId);
    if (removed.ok) this.#opener.closed(path);
    if (removed.ok && this.#written === path) this.#written = null;
    return removed;
  }

  /** Gives files the bytes that they had, each only as long as it is as it was read. */
  restore(notes: readonly NoteBytes[], planned?: OnNotesPlanned): Promise<Result<void, RestoreFailure>> {
    const inTrash = notes.map((note) => {
      const trashId = note.after === null ? this.#trashId() : undefined;
      return trashId === undefined ? note : { ...note, trashId };
    });
    return restoreNotes(this.#files, inTrash, planned);
  }

  #trashId(): string | undefined {
    return this.keepDeletedMs === 0 ? undefined : newTrashId(this.#clock.now());
  }

  async #change(
    path: string,
    { condition = null, planned }: WriteOptions,
    sent: Uint8Array | null,
    change: (current: Buffer | null) => Awaitable<Outcome<Uint8Array>>,
  ): Promise<Outcome<Uint8Array>> {
    if (sent !== null && sent.length > this.maxBody) return err(bodyTooLarge(this.maxBody));
    const written = await this.#files.update<VaultFailure>(path, (before) => {
      const allowed = condition?.(before);
      if (allowed?.ok === false) return allowed;
      return andThen(change(before), (next) =>
        next.ok ? oncePlanned(planned, () => [{ path, before, after: next.value }], next.value) : next,
      );
    });
    if (written.ok) this.#written = path;
    return written;
  }

  /**
   * Lists one level of a folder: its files, and its folders with a trailing slash. Only the root of the vault may be
   * empty; any other folder without files is `not_found`.
   */
  async list(folder: string): Promise<Outcome<Listing>> {
    const tree = await this.#index.tree();
    if (!tree.hasFolder(folder)) return err({ reason: (await this.has(folder)) ? 'is_file' : 'not_found' });
    return ok({ files: [...tree.entriesIn(folder)].sort() });
  }

  /** Lists the folder at a path where no file could be read; else fails as the read did. */
  async listInstead({ path, endsInSlash }: VaultPath, unread: VaultFailure): Promise<Outcome<Listing>> {
    if (path !== '' && !endsInSlash && (await this.has(path))) return err(unread);
    const listed = await this.list(path);
    return listed.ok || unread.reason === 'is_folder' ? listed : err(unread);
  }

  /** The path of the active note: the one last opened, or, if none has been, the one last written. */
  async active(): Promise<Outcome<string>> {
    const path = this.#opener.opened ?? this.#written;
    return path !== null && (await this.has(path)) ? ok(path) : err({ reason: 'no_active_note' });
  }

  /** Finds the note of the period that a day lies in; of the current period for null. */
  periodic(period: Period, day: Day | null): Promise<PeriodicNote> {
    return this.#periodic.find(period, day);
  }

  /** All tags with how often they are used, in order of first occurrence. */
  tags(): ReturnType<VaultIndex['tags']> {
    return this.#index.tags();
  }

  /** Finds the notes that contain all words of the query. */
  searchWords(query: string, contextLength = 100): ReturnType<VaultIndex['byWords']> {
    return this.#index.byWords({ terms: queryWords(query), contextLength });
  }

  /** Finds notes by words and phrases, and returns one page of them. */
  searchPage(query: string, { contextLength, ...page }: SearchPage): ReturnType<VaultIndex['byWords']> {
    return this.#index.byWords({ terms: searchTerms(query), contextLength, page });
  }

  /** Finds notes by a JsonLogic rule, as JSON text. */
  async searchByRule(text: string): Promise<Outcome<readonly QueryHit[]>> {
    if (Buffer.byteLength(text) > maxRule)
      return err({ reason: 'query_too_large', detail: `A query may have ${maxRule} bytes at most.` });
    try {
      return this.#index.byRule(JSON.parse(text));
    } catch {
      return err({ reason: 'query_unreadable' });
    }
  }

  /** Finds notes by a DQL query. */
  searchByDql(query: string): Promise<Outcome<readonly QueryHit[]>> {
    return this.#index.byDql(query, this.#clock.now());
  }

  /** Opens a note, creating an empty one if missing; a name without a known extension is a note's, as in a link. */
  open(given: string, planned?: OnNotesPlanned): Promise<Outcome<unknown>> {
    return this.#opener.open(given, planned);
  }

  /** Runs a command by its id. */
  run(id: string, planned?: OnNotesPlanned): Promise<Outcome<unknown>> {
    return this.#opener.run(id, planned);
  }
}

/** The failure of a body with more bytes than are read. */
export const bodyTooLarge = (maxBody: number): VaultFailure => ({
  reason: 'body_too_large',
  detail: `A body may have ${maxBody} bytes at most.`,
});
