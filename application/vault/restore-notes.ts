import type { VaultFiles } from '#application/ports/vault-folder.ts';
import { type NoteBytes, type OnNotesPlanned, oncePlanned } from '#application/vault/planned-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type Outcome<Value> = Result<Value, VaultFailure>;

/** What failed, and whether other files were written before. */
export type RestoreFailure = Readonly<{ failure: VaultFailure; isBegun: boolean }>;

const changed: VaultFailure = { reason: 'condition_failed', detail: 'It has changed meanwhile.' };

/**
 * Gives files the bytes that they had: each only as long as it is as it was read. A file with `to` is moved there first.
 * Fails at the first that cannot be written.
 */
export async function restoreNotes(
  files: VaultFiles,
  notes: readonly NoteBytes[],
  planned: OnNotesPlanned | undefined,
): Promise<Result<void, RestoreFailure>> {
  const going = await oncePlanned(planned, () => notes, undefined);
  if (!going.ok) return err({ failure: going.failure, isBegun: false });
  for (const [index, note] of notes.entries()) {
    const done = await restored(files, note);
    if (!done.ok) return err({ failure: done.failure, isBegun: index > 0 });
  }
  return ok(undefined);
}

async function restored(files: VaultFiles, { path, to, before, after, trashId }: NoteBytes): Promise<Outcome<unknown>> {
  const isAsRead = (current: Uint8Array | null): Outcome<void> =>
    (current === null ? null : versionOf(current)) === (before === null ? null : versionOf(before))
      ? ok(undefined)
      : err(changed);
  if (after === null) return files.remove<VaultFailure>(path, isAsRead, trashId);
  const moved = to === undefined ? ok(undefined) : await files.move<VaultFailure>(path, to, isAsRead);
  if (!moved.ok) return moved;
  return files.update<VaultFailure>(to ?? path, (current) => {
    const allowed = isAsRead(current);
    return allowed.ok ? ok(current !== null && versionOf(current) === versionOf(after) ? current : after) : allowed;
  });
}
