import { inflateRawSync } from 'node:zlib';
import { linesOf, withHunks } from '#adapters/services/vault/details/line-hunks.ts';
import { type NoteUndo, notesUndo } from '#adapters/services/vault/details/note-undo.ts';
import type { TrashedFile } from '#application/ports/vault-folder.ts';
import type { Vault } from '#application/vault/vault.ts';
import type { KeptChange, KeptChangeHead } from '#domain/changes/kept-change.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

/** What is kept of the changes of the team's vault, for the versions of its notes. */
export type NoteHistory = Readonly<{
  /** The changes of a note, the latest first; at most `maxVersions`. */
  list(path: string): Promise<readonly KeptChangeHead[]>;
  find(id: string): Promise<KeptChange | null>;
  /** The user of that id; null when there is none. */
  whoIs(userId: number): Promise<Readonly<{ email: string; name?: string | null }> | null>;
}>;

/** A vault of which no changes are kept. */
export const noHistory: NoteHistory = { list: async () => [], find: async () => null, whoIs: async () => null };

/** The maximum number of versions of a note. */
export const maxVersions = 200;

/** How many moves of a note its versions are followed over. */
const maxMoves = 5;

/**
 * A state that a note had until somebody changed it. `head` is the change, null where only the trash has the note;
 * `undo` is null when nothing was kept of the text.
 */
export type NoteVersion = Readonly<{
  id: string;
  at: number;
  path: string;
  head: KeptChangeHead | null;
  undo: NoteUndo | null;
  /** What the note is called in the trash; null when it is not there. */
  trashId: string | null;
  /** Whether the text can be had: it is kept, or follows from the ones after it. */
  isKnown: boolean;
  /** Whether the note was changed after it without the change being kept: by hand, or by another program. */
  isChangedSince: boolean;
}>;

type Found = Omit<NoteVersion, 'isKnown' | 'isChangedSince'>;

/** The versions of the notes of the team's vault, by what is kept of their changes and what is in the trash. */
export class NoteVersions {
  readonly #vault: Pick<Vault, 'trash'>;
  readonly #history: NoteHistory;

  constructor(vault: Pick<Vault, 'trash'>, history: NoteHistory) {
    this.#vault = vault;
    this.#history = history;
  }

  /** The versions of a note that is `current` now (null: it is not there), the latest first. */
  async *of(path: string, current: Uint8Array | null): AsyncGenerator<NoteVersion> {
    let next: string | null | undefined = current === null ? null : versionOf(current);
    let isNextKnown = true;
    for await (const found of this.#found(path)) {
      const place = placeBefore(found.undo, next);
      const isKnown: boolean = isWhole(found) || (place === 'derived' && isNextKnown);
      yield { ...found, isKnown, isChangedSince: place === 'changed' };
      next = found.undo?.was;
      isNextKnown = isKnown;
    }
  }

  /**
   * The text of the last of these versions, which are the latest ones of a note; null where it is not known. It is
   * never a text that the note did not have.
   */
  async textOf(versions: readonly NoteVersion[], current: Uint8Array | null): Promise<Uint8Array | null> {
    const version = versions.at(-1);
    if (version === undefined) return current;
    const whole = await this.#wholeText(version);
    const { undo } = version;
    if (whole !== null || undo === null) return whole;
    const after = await this.textOf(versions.slice(0, -1), current);
    if (after === null) return null;
    const revision = versionOf(after);
    if (revision === undo.was) return after;
    if (revision !== undo.is) return null;
    const lines = withHunks(linesOf(Buffer.from(after).toString('latin1')), undo.hunks ?? []);
    const before = Buffer.from(lines.join('\n'), 'latin1');
    return versionOf(before) === undo.was ? before : null;
  }

  async #wholeText({ path, undo, trashId }: NoteVersion): Promise<Uint8Array | null> {
    if (undo?.text !== undefined) return Buffer.from(undo.text, 'latin1');
    if (undo?.whole !== undefined) return inflateRawSync(Buffer.from(undo.whole, 'base64'));
    return trashId === null ? null : this.#vault.trash.read(path, trashId);
  }

  async *#found(path: string): AsyncGenerator<Found> {
    let place = path;
    let until = Number.POSITIVE_INFINITY;
    const slices = new TimeSlices();
    for (let moves = 0; moves <= maxMoves; moves += 1) {
      const trashed = await this.#vault.trash.list(place);
      const inTrash = new Set(trashed.map(({ id }) => id));
      let moved: NoteUndo | null = null;
      for (const one of latestFirst(await this.#history.list(place), trashed)) {
        if (one.at >= until) continue;
        const { id, at, head } = one;
        // What was kept of a change may have megabytes.
        if (slices.isUsedUp) await slices.next();
        if (head === null) {
          // What is in the trash is of the change that was kept of it, if there is one.
          if (inTrash.has(id)) yield { id, at, path: place, head, undo: null, trashId: id };
          continue;
        }
        const undo = undoIn(await this.#history.find(id), place);
        const { trashId = '' } = undo ?? {};
        yield { id, at, path: place, head, undo, trashId: inTrash.has(trashId) ? trashId : null };
        inTrash.delete(trashId);
        if (undo?.to === place && undo.path !== place) {
          moved = undo;
          until = one.at;
          break;
        }
      }
      if (moved === null) return;
      place = moved.path;
    }
  }
}

/** Changes before what they put into the trash, which they did a moment earlier. */
function latestFirst(heads: readonly KeptChangeHead[], trashed: readonly TrashedFile[]) {
  const all = [
    ...heads.map((head) => ({ id: head.id, at: head.at, head })),
    ...trashed.map(({ id, at }) => ({ id, at, head: null })),
  ];
  return all.toSorted((one, other) => other.at - one.at);
}

/**
 * How a version is before the state that came next, which is undefined where it is not known: its text is derived from
 * it, not even from a note that is gone, or the note was changed in between.
 */
function placeBefore(undo: NoteUndo | null, next: string | null | undefined): 'derived' | 'gone' | 'changed' | null {
  if (undo === null || next === undefined) return null;
  if (next === undo.was) return 'derived';
  if (next !== undo.is) return 'changed';
  return next === null ? 'gone' : 'derived';
}

const isWhole = ({ undo, trashId }: Found): boolean =>
  trashId !== null || undo?.text !== undefined || undo?.whole !== undefined;

/** What a kept change says of the note at a path after it; null when nothing. */
function undoIn(kept: KeptChange | null, path: string): NoteUndo | null {
  const parsed = notesUndo.safeParse(kept?.content.undo);
  return parsed.data?.notes.find((note) => (note.to ?? note.path) === path) ?? null;
}
