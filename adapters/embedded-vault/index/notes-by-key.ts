import { LRUCache } from 'lru-cache';
import { FrontmatterIndex } from '#adapters/embedded-vault/index/frontmatter-index.ts';
import { parseFrontmatter } from '#adapters/embedded-vault/index/note-metadata.ts';
import { tokensEqualTo, unread } from '#adapters/embedded-vault/notes/frontmatter-tokens.ts';
import { splitNote } from '#adapters/embedded-vault/notes/note-text.ts';
import type { Equality } from '#adapters/embedded-vault/search/equality-rule.ts';
import { isSmallText } from '#adapters/embedded-vault/text/text-work.ts';
import { own } from '#domain/shared/own.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

/** The current notes. `fileOf` returns another object once a file has changed. */
export type ReadableNotes = Readonly<{
  paths(): readonly string[];
  textOf(path: string): string | null | Promise<string | null>;
  fileOf(path: string): object | undefined;
}>;

/** `isRead` resolves when every note is in it. */
type KeyedNotes = Readonly<{ key: string; notes: FrontmatterIndex; isRead: Promise<void> }>;

const maxKeys = 16;

/**
 * The notes by the values of their frontmatter, of the keys that were asked for of late: each is read from all notes once, at first need,
 * and kept up with the files from then on.
 */
export class NotesByKey {
  readonly #notes: ReadableNotes;
  readonly #keys = new LRUCache<string, KeyedNotes>({ max: maxKeys });

  constructor(notes: ReadableNotes) {
    this.#notes = notes;
  }

  /** The notes of which one of the equalities may hold, sorted; none is left out. */
  async find(equalities: readonly Equality[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const { key, value } of equalities) {
      const { notes, isRead } = this.#keys.get(key) ?? this.#begin(key);
      await isRead;
      for (const path of notes.find(tokensEqualTo(value))) found.add(path);
    }
    return [...found].sort();
  }

  /** Updates the values of a note. */
  set(path: string, text: string): void {
    for (const { key, notes } of this.#keys.values()) notes.set(path, valueIn(text, key));
  }

  /** Forgets a note. */
  remove(path: string): void {
    for (const { notes } of this.#keys.values()) notes.remove(path);
  }

  #begin(key: string): KeyedNotes {
    const notes = new FrontmatterIndex();
    const keyed = { key, notes, isRead: this.#readAll(key, notes) };
    this.#keys.set(key, keyed);
    keyed.isRead.catch(() => this.#keys.delete(key));
    return keyed;
  }

  async #readAll(key: string, notes: FrontmatterIndex): Promise<void> {
    const slices = new TimeSlices();
    for (const path of this.#notes.paths()) {
      const file = this.#notes.fileOf(path);
      const found = this.#notes.textOf(path);
      const text = found instanceof Promise ? await found : found;
      // A file that became another meanwhile has been taken over as it is now.
      if (text !== null && this.#notes.fileOf(path) === file) notes.set(path, valueIn(text, key));
      if (slices.isUsedUp) await slices.next();
    }
  }
}

/** The value of a key of a note's frontmatter; undefined without one. What would take long to read is `unread`. */
function valueIn(text: string, key: string): unknown {
  if (!isSmallText(text)) return unread;
  const { yaml } = splitNote(text);
  return yaml === null ? undefined : own(parseFrontmatter(yaml), key);
}
