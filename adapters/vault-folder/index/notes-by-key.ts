import { LRUCache } from 'lru-cache';
import { FrontmatterIndex } from '#adapters/vault-folder/index/frontmatter-index.ts';
import { parseFrontmatter } from '#adapters/vault-folder/index/note-metadata.ts';
import { tokensEqualTo, unread } from '#adapters/vault-folder/notes/frontmatter-tokens.ts';
import { isSmallText } from '#adapters/vault-folder/text/text-work.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { own } from '#domain/shared/own.ts';
import type { Equality } from '#domain/vault-queries/equality-rule.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

/** The notes to index. `fileOf` returns another object once a file has changed. */
export type ReadableNotes = Readonly<{
  paths(): readonly string[];
  textOf(path: string): string | null | Promise<string | null>;
  fileOf(path: string): object | undefined;
}>;

/** The index of one key; `isRead` resolves when every note is in it. */
type KeyedNotes = { readonly notes: FrontmatterIndex; readonly isRead: Promise<void>; isWhole: boolean };

const maxKeys = 16;

/**
 * Indexes notes by their values of the most recently used frontmatter keys (LRU). A key is read from all notes once, on
 * first use, and kept up to date from then on.
 */
export class NotesByKey {
  readonly #notes: ReadableNotes;
  readonly #keys = new LRUCache<string, KeyedNotes>({ max: maxKeys });
  #expected: readonly string[] = [];

  constructor(notes: ReadableNotes) {
    this.#notes = notes;
  }

  /** The notes that may satisfy one of the equalities, sorted; may contain false positives, misses none. */
  async find(equalities: readonly Equality[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const { key, value } of equalities) {
      const { notes, isRead } = this.#keys.get(key) ?? this.#begin(key);
      await isRead;
      for (const path of notes.find(tokensEqualTo(value))) found.add(path);
    }
    return [...found].sort();
  }

  /** The keys whose index is complete, the most recently used first. */
  readKeys(): readonly string[] {
    return [...this.#keys.entries()].filter(([, { isWhole }]) => isWhole).map(([key]) => key);
  }

  /** The tokens of a note for these keys. Throws when one of them has been evicted in the meantime. */
  tokensOf(path: string, keys: readonly string[]): readonly (readonly string[])[] {
    return keys.map((key) => {
      const keyed = this.#keys.peek(key);
      if (keyed === undefined) throw new Error(`The notes are no longer known by ${key}`);
      return keyed.notes.tokensOf(path);
    });
  }

  /** Creates indexes of these keys while there are no notes yet; `set` and `setTokens` then fill them completely. */
  expect(keys: readonly string[]): void {
    this.#expected = keys.slice(0, maxKeys);
    for (const key of this.#expected.toReversed()) {
      this.#keys.set(key, { notes: new FrontmatterIndex(), isRead: Promise.resolve(), isWhole: true });
    }
  }

  /** Sets the tokens of a note, in the order of the expected keys. */
  setTokens(path: string, tokens: readonly (readonly string[])[]): void {
    for (const [index, key] of this.#expected.entries())
      this.#keys.peek(key)?.notes.setTokens(path, tokens[index] ?? []);
  }

  /** Updates the values of a note. */
  set(path: string, text: string): void {
    for (const [key, { notes }] of this.#keys.entries()) notes.set(path, valueIn(text, key));
  }

  /** Removes a note. */
  remove(path: string): void {
    for (const { notes } of this.#keys.values()) notes.remove(path);
  }

  #begin(key: string): KeyedNotes {
    const notes = new FrontmatterIndex();
    const isRead = this.#readAll(key, notes);
    const keyed: KeyedNotes = { notes, isRead, isWhole: false };
    this.#keys.set(key, keyed);
    const whole = () => {
      keyed.isWhole = true;
    };
    isRead.then(whole, () => this.#keys.delete(key));
    return keyed;
  }

  async #readAll(key: string, notes: FrontmatterIndex): Promise<void> {
    const slices = new TimeSlices();
    for (const path of this.#notes.paths()) {
      const file = this.#notes.fileOf(path);
      const found = this.#notes.textOf(path);
      const text = found instanceof Promise ? await found : found;
      // A file that changed in the meantime has already been indexed by `set`.
      if (text !== null && this.#notes.fileOf(path) === file) notes.set(path, valueIn(text, key));
      if (slices.isUsedUp) await slices.next();
    }
  }
}

/**
 * The value of a frontmatter key of a note: undefined when absent, `unread` when the note is too large to parse at
 * once.
 */
function valueIn(text: string, key: string): unknown {
  if (!isSmallText(text)) return unread;
  const { yaml } = splitNote(text);
  return yaml === null ? undefined : own(parseFrontmatter(yaml), key);
}
