import { deflateRawSync } from 'node:zlib';
import type { RuledPlan } from '#adapters/services/changes/change-rule.ts';
import type { BeforeWrite } from '#adapters/services/requests/operation-table.ts';
import { countLines, hunksBetween, lineIds, linesOf, maxMerged } from '#adapters/services/vault/details/line-hunks.ts';
import type { NoteUndo } from '#adapters/services/vault/details/note-undo.ts';
import type { NoteBytes, OnNotesPlanned } from '#application/vault/planned-notes.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import type { TextChange, Undo } from '#domain/changes/planned-change.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { maxNote } from '#domain/notes/sizes.ts';

/**
 * Plans a change of notes for whoever asked for it; undefined where nobody did. `more` are members in place of those of
 * the plan.
 */
export function notesPlanned(
  beforeWrite: BeforeWrite | undefined,
  more: Partial<RuledPlan> = {},
): OnNotesPlanned | undefined {
  if (beforeWrite === undefined) return undefined;
  return (notes) => {
    const recordId = recordOf(notes);
    const record = recordId === null ? {} : { recordId };
    return beforeWrite({ ...planOfNotes(notes, maxWholeOfChange), ...record, ...more });
  };
}

/** The note that a change of several is listed with: the one that is moved, by its new path. */
function recordOf(notes: readonly NoteBytes[]): string | null {
  const one = notes.length === 1 ? notes[0] : notes.find(({ to }) => to !== undefined);
  return one === undefined ? null : (one.to ?? one.path);
}

/**
 * What a change of notes changes, and how it is taken back, which is found out only where it is kept. Of at most `maxWhole` bytes
 * of short notes the whole texts are kept, for their versions.
 */
export function planOfNotes(notes: readonly NoteBytes[], maxWhole = 0): RuledPlan {
  const isLost = notes.some(isTooLarge);
  let undo: Undo | null = null;
  return {
    differences: notes.map(differenceOf),
    state: stateOf(notes),
    irreversible: isLost ? tooLarge : whyUnmerged(notes),
    undo: () => {
      if (isLost || notes.length === 0) return null;
      // Taking a made note back deletes it.
      undo ??= {
        effect: notes.some(({ before }) => before === null) ? 'lose' : 'change',
        notes: undosOf(notes, maxWhole),
      };
      return undo;
    },
  };
}

const tooLarge = `What it replaces or deletes is larger than ${maxNote} bytes, which is not kept.`;

/** What a deleted file was is in the trash, whatever its size. */
const isTooLarge = ({ before, trashId }: NoteBytes): boolean =>
  before !== null && before.length > maxNote && trashId === undefined;

/** The sentence for changes of texts with too many lines to be merged with later edits; null without one. */
function whyUnmerged(notes: readonly NoteBytes[]): string | null {
  const long = notes.find(({ before, after }) => before !== null && after !== null && isLong(after));
  if (long === undefined) return null;
  return `"${long.to ?? long.path}" has more than ${maxMerged} lines: it can be taken back only as long as nobody else changes it.`;
}

function isLong(bytes: Uint8Array): boolean {
  let lines = 1;
  if (bytes.length < maxMerged) return false;
  for (let at = bytes.indexOf(0x0a); at !== -1 && lines <= maxMerged; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines > maxMerged;
}

/** The revision of the one note, or of all notes, as they are before. */
function stateOf(notes: readonly NoteBytes[]): string {
  const states = notes.map(({ path, before }) => [path, before === null ? null : versionOf(before)]);
  return digestOfJson(states);
}

function differenceOf({ path, before, after, to }: NoteBytes): TextChange {
  const moved = to === undefined ? {} : { to };
  return { kind: 'text', path, before: shownText(before), after: shownText(after), ...moved };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a note; what is no text, or too large to be compared, is described. */
function shownText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const described = `(${bytes.length} bytes, at revision ${versionOf(bytes)})`;
  if (bytes.length > maxNote) return described;
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? described : text;
  } catch {
    return described;
  }
}

/** The revision of a note; null where there is none. */
export const revisionOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : versionOf(bytes));

/** Bytes as text of which each character is a byte, so that any file is kept exactly. */
const byteText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The maximum size of a note whose text before a change is kept whole, and of all such texts of a change, in bytes. */
const maxWholeNote = 64 * 1024;
const maxWholeOfChange = 1024 * 1024;

function undosOf(notes: readonly NoteBytes[], maxWhole: number): readonly NoteUndo[] {
  let left = maxWhole;
  return notes.map((note) => {
    const undo = undoOf(note);
    const { before, after } = note;
    if (before === null || after === null || before.length > Math.min(left, maxWholeNote)) return undo;
    left -= before.length;
    return { ...undo, whole: deflateRawSync(before).toString('base64') };
  });
}

/** The maximum size of a deleted file that is kept besides the trash, in bytes. */
const maxKeptDeleted = 256 * 1024;

function undoOf({ path, before, after, to, trashId }: NoteBytes): NoteUndo {
  const moved = to === undefined ? {} : { to };
  const undo = { path, was: revisionOf(before), is: revisionOf(after), ...moved };
  if (before === null) return { ...undo, lines: countLines(after ?? new Uint8Array()) };
  if (after === null) {
    const trashed = { lines: countLines(before), ...(trashId === undefined ? {} : { trashId }) };
    return trashId !== undefined && before.length > maxKeptDeleted
      ? { ...undo, ...trashed }
      : { ...undo, ...trashed, text: byteText(before) };
  }
  if (undo.was === undo.is) return undo;
  const lines = linesOf(byteText(after));
  return { ...undo, hunks: hunksBetween(linesOf(byteText(before)), lines), ids: lineIds(lines) };
}
