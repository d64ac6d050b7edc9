import { z } from 'zod';
import type { LocalOperation } from '#adapters/services/requests/operation-table.ts';
import { type NoteUndo, noteBefore, notesUndo } from '#adapters/services/vault/details/note-undo.ts';
import { refusedFor } from '#adapters/services/vault/operations/local-outcomes.ts';
import { notesPlanned } from '#adapters/services/vault/operations/local-plan.ts';
import type { NoteBytes } from '#application/vault/planned-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault } from '#application/vault/vault.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { ok, type Result } from '#domain/shared/result.ts';

const undoInput = z.object({ undo: notesUndo, isForced: z.boolean() });

/** A note as it is and as it is to be; a sentence where somebody changed it since. */
type Found = Readonly<{ note: NoteBytes | null; conflict: string | null }>;

/** Takes changes of notes back: what is there now is compared with what the change left. */
export function localUndo(vault: Vault): LocalOperation {
  return async (input, onChange, beforeWrite): Promise<Outcome> => {
    const given = undoInput.safeParse(input);
    if (!given.success) return unreadable;
    const { undo, isForced } = given.data;
    const found: Found[] = [];
    for (const one of undo.notes) {
      const read = await current(vault, one, isForced);
      if (!read.ok) return { ...refusedFor(read.failure), sent: 'no' };
      found.push(read.value);
    }
    const conflicts = found.flatMap(({ conflict }) => conflict ?? []);
    if (conflicts.length > 0) return conflictOf(conflicts);
    const notes = found.flatMap(({ note }) => note ?? []);
    const restored = await vault.restore(notes, notesPlanned(beforeWrite));
    if (!restored.ok) {
      const { failure, isBegun } = restored.failure;
      const refused = refusedFor(failure);
      return isBegun ? { ...refused, sent: 'unknown' } : refused;
    }
    for (const { path, to, before, after } of notes) {
      if (to !== undefined || after === null) onChange({ path, kind: 'gone' });
      if (to !== undefined || after !== null)
        onChange({ path: to ?? path, kind: before === null ? 'made' : 'changed' });
    }
    return succeeded({ notes: notes.map(({ path, to = path }) => to) });
  };
}

const unreadable = failed('invalid_input', 'What was kept of this change is not of the vault.');

async function current(vault: Vault, undo: NoteUndo, isForced: boolean): Promise<Result<Found, VaultFailure>> {
  const { path, to } = undo;
  const at = to ?? path;
  const read = await vault.read(at);
  if (!read.ok && read.failure.reason !== 'not_found') return read;
  const before = read.ok ? read.value.bytes : null;
  if (before === null && to !== undefined) {
    const back = await vault.read(path);
    const isBack = back.ok && versionOf(back.value.bytes) === undo.was;
    return ok({ note: null, conflict: isBack ? null : `"${at}" is not there any more` });
  }
  const text = undo.text ?? (await trashedText(vault, undo));
  if (text === null) return ok({ note: null, conflict: `"${path}" is not in the trash any more` });
  const after = noteBefore({ ...undo, text }, before, isForced);
  if (!after.ok) return ok({ note: null, conflict: after.failure });
  if (to !== undefined && path.toLowerCase() !== to.toLowerCase() && (await vault.has(path))) {
    return ok({ note: null, conflict: `There is another note at "${path}" now` });
  }
  if (to === undefined)
    return ok({ note: after.value === before ? null : { path, before, after: after.value }, conflict: null });
  return ok({ note: { path: to, to: path, before, after: after.value }, conflict: null });
}

/** The text of a deleted note that is only in the trash; undefined for any other change, null when it is gone. */
async function trashedText(vault: Vault, { path, trashId }: NoteUndo): Promise<string | undefined | null> {
  if (trashId === undefined) return undefined;
  return (await vault.trash.read(path, trashId))?.toString('latin1') ?? null;
}

/** The maximum number of notes that a conflict names. */
const maxNamed = 20;

function conflictOf(conflicts: readonly string[]): Outcome {
  const named = conflicts.slice(0, maxNamed).join('. ');
  const more = conflicts.length > maxNamed ? ` And ${conflicts.length - maxNamed} more.` : '';
  return failed('conflict', `${named}.${more} Nothing was taken back.`);
}
