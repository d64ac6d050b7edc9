import type { RuledPlan } from '#adapters/services/change-rule.ts';
import type { BeforeWrite } from '#adapters/services/operation-table.ts';
import { hunksBetween, lineIds, linesOf } from '#adapters/services/vault/details/line-hunks.ts';
import type { NoteUndo } from '#adapters/services/vault/details/note-undo.ts';
import type { NoteBytes, OnNotesPlanned } from '#application/vault/planned-notes.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import type { TextChange, Undo } from '#domain/changes/planned-change.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { maxNote } from '#domain/notes/sizes.ts';

/** Plans a change of notes for whoever asked for it; undefined where nobody did. */
export function notesPlanned(beforeWrite: BeforeWrite | undefined): OnNotesPlanned | undefined {
  return beforeWrite === undefined ? undefined : (notes) => beforeWrite(planOfNotes(notes));
}

/** What a change of notes changes, and how it is taken back, which is found out only where it is kept. */
export function planOfNotes(notes: readonly NoteBytes[]): RuledPlan {
  const irreversible = notes.some(isTooLarge) ? tooLarge : null;
  let undo: Undo | null = null;
  return {
    differences: notes.map(differenceOf),
    state: stateOf(notes),
    irreversible,
    undo: () => {
      if (irreversible !== null || notes.length === 0) return null;
      // Taking a made note back deletes it.
      undo ??= { effect: notes.some(({ before }) => before === null) ? 'lose' : 'change', notes: notes.map(undoOf) };
      return undo;
    },
  };
}

const tooLarge = `What it replaces or deletes is larger than ${maxNote} bytes, which is not kept.`;

const isTooLarge = ({ before }: NoteBytes): boolean => before !== null && before.length > maxNote;

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

const revisionOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : versionOf(bytes));

/** Bytes as text of which each character is a byte, so that any file is kept exactly. */
const byteText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function undoOf({ path, before, after, to }: NoteBytes): NoteUndo {
  const moved = to === undefined ? {} : { to };
  const undo = { path, was: revisionOf(before), is: revisionOf(after), ...moved };
  if (before === null) return undo;
  if (after === null) return { ...undo, text: byteText(before) };
  if (undo.was === undo.is) return undo;
  const lines = linesOf(byteText(after));
  return { ...undo, hunks: hunksBetween(linesOf(byteText(before)), lines), ids: lineIds(lines) };
}
