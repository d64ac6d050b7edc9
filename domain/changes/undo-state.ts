import type { KeptState } from '#domain/changes/kept-change.ts';

/**
 * Whether a change can be taken back, for people: it can; it was; nothing was kept for it; or it is being made, so that
 * nobody knows yet.
 */
export type UndoState = 'possible' | 'taken_back' | 'impossible' | 'running';

/** Whether a change was taken back in part: what somebody changed since is as they left it. */
export function isPartlyTakenBack({
  state,
  undoneAt,
}: Readonly<{ state: KeptState; undoneAt: number | null }>): boolean {
  return state === 'kept' && undoneAt !== null;
}

/** How long a change may be under way, in ms; after that it counts as made, and its taking back compares values. */
const maxMakingMs = 60_000;

/** Returns whether a change can be taken back; `irreversible` is null when something was kept for it. */
export function undoStateOf(
  { state, at, irreversible }: Readonly<{ state: KeptState; at: number; irreversible: string | null }>,
  now: number,
): UndoState {
  if (state === 'undone') return 'taken_back';
  if (state === 'begun' && now - at < maxMakingMs) return 'running';
  return irreversible === null ? 'possible' : 'impossible';
}
