import type { NoteSplices, VaultChange } from '#application/ports/change-journal.ts';
import type { VaultFiles } from '#application/ports/vault-folder.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { spliced } from '#domain/notes/edits/edited-note.ts';
import type { FileFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** What came of a change: the notes that were written, those that changed meanwhile, and those that could not be written. */
export type AppliedChange = Readonly<{
  written: readonly string[];
  changed: readonly string[];
  failed: readonly Readonly<{ path: string; failure: FileFailure }>[];
}>;

type NoteOutcome = FileFailure | Readonly<{ reason: 'condition_failed'; detail: string }>;

const changed = err({ reason: 'condition_failed', detail: 'It has changed meanwhile.' });

/**
 * Applies a change of several notes, or the rest of it: a note that has its new revision is done, and one that has
 * neither its old one nor its new one is left. Fails only where nothing was changed.
 */
export async function applyChange(
  files: VaultFiles,
  { move, notes }: VaultChange,
): Promise<Result<AppliedChange, VaultFailure>> {
  const moved = move === null ? ok(undefined) : await applyMove(files, move);
  if (!moved.ok) return moved;
  const written: string[] = [];
  const left: string[] = [];
  const failed: Readonly<{ path: string; failure: FileFailure }>[] = [];
  for (const note of notes) {
    const { path } = note;
    const done = await files.update<NoteOutcome>(path, (current) => changeOf(current, note));
    if (done.ok) written.push(path);
    else if (done.failure.reason === 'condition_failed' || isGone(done.failure.reason)) left.push(path);
    else failed.push({ path, failure: done.failure });
  }
  return ok({ written, changed: left, failed });
}

const isGone = (reason: FileFailure['reason']): boolean => reason === 'not_found' || reason === 'outside';

function changeOf(current: Buffer | null, { before, after, splices }: NoteSplices): Result<Uint8Array, NoteOutcome> {
  if (current === null) return err({ reason: 'not_found' });
  const revision = versionOf(current);
  if (revision === after) return ok(current);
  return revision === before ? ok(Buffer.from(spliced(current.toString('utf8'), splices).text)) : changed;
}

/** Moves the file, unless it has moved already. */
async function applyMove(
  files: VaultFiles,
  { from, to, revision }: NonNullable<VaultChange['move']>,
): Promise<Result<void, VaultFailure>> {
  const moved = await files.move<VaultFailure>(from, to, (current) =>
    versionOf(current) === revision ? ok(undefined) : changed,
  );
  if (moved.ok || moved.failure.reason !== 'not_found') return moved;
  return (await files.has(to)) ? ok(undefined) : moved;
}
