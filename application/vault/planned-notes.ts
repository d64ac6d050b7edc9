import type { VaultFailure } from '#application/vault/problems.ts';
import { type Awaitable, err, ok, type Result } from '#domain/shared/result.ts';

/**
 * One file that is about to change: its bytes before and after, null where there is none; `to` is where it is moved,
 * `trashId` what it is called in the trash when it is deleted.
 */
export type NoteBytes = Readonly<{
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  to?: string;
  trashId?: string;
}>;

/**
 * Receives all files that a call changes before any of them is written; false ends the call. It is called again when
 * a file changed in between.
 */
export type OnNotesPlanned = (notes: readonly NoteBytes[]) => Promise<boolean>;

/** The failure of a call that was ended by its plan. */
export const endedByPlan: VaultFailure = { reason: 'not_allowed' };

/** Goes on with what a change writes, once its plan lets it; without a plan at once. */
export function oncePlanned<Value>(
  planned: OnNotesPlanned | undefined,
  notes: () => readonly NoteBytes[],
  value: Value,
): Awaitable<Result<Value, VaultFailure>> {
  if (planned === undefined) return ok(value);
  return planned(notes()).then((goesOn) => (goesOn ? ok(value) : err(endedByPlan)));
}
