import { z } from 'zod';
import { linesOf, mergedHunks, withHunks } from '#adapters/services/vault/details/line-hunks.ts';
import { versionOf } from '#domain/notes/conditions.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const hunk = z.object({ at: z.int(), count: z.int(), lines: z.array(z.string()) });

const noteUndo = z.object({
  path: z.string(),
  was: z.string().nullable(),
  is: z.string().nullable(),
  to: z.string().optional(),
  text: z.string().optional(),
  trashId: z.string().optional(),
  whole: z.string().optional(),
  lines: z.int().optional(),
  hunks: z.array(hunk).optional(),
  ids: z.string().optional(),
});

/**
 * How the change of one note is taken back: its revisions before and after, null where there was none, and where it was
 * moved; the text of a deleted note, and what it is called in the trash; else the lines that were changed, and what identifies each line as the change left
 * it. Each character is a byte. For the versions of the note there are also its whole text before (`whole`: base64 of
 * raw deflate), if that is short, and how many lines one has that was made or deleted.
 */
export type NoteUndo = z.output<typeof noteUndo>;

/** What is kept of a change of notes. */
export const notesUndo = z.object({ notes: z.array(noteUndo).min(1) });

/** Why a note is not taken back: a clause with the note's path. */
type Conflict = string;

/**
 * Returns what a note is to be again, given what it is now, null for none: later edits of other lines stay. Fails where
 * the same lines were changed since, unless it is forced.
 */
export function noteBefore(
  { path, to = path, was, is, text, hunks = [], ids = '' }: NoteUndo,
  current: Uint8Array | null,
  isForced: boolean,
): Result<Uint8Array | null, Conflict> {
  const now = current === null ? null : versionOf(current);
  if (now === was && to === path) return ok(current);
  if (was === null) return now === is || isForced ? ok(null) : err(`"${to}" was changed since it was made`);
  if (text !== undefined) {
    return now === null || isForced ? ok(Buffer.from(text, 'latin1')) : err(`There is another note at "${path}" now`);
  }
  if (current === null) return err(`"${to}" is not there any more`);
  const lines = linesOf(Buffer.from(current).toString('latin1'));
  if (now === is) return ok(bytesOf(withHunks(lines, hunks)));
  if (hunks.length === 0) return ok(current);
  const merged = mergedHunks(ids, lines, hunks);
  if (merged === null) return err(`"${to}" was changed since, in too many places`);
  if (merged.conflicts.length > 0 && !isForced) {
    return err(`"${to}" was changed since in the same lines: ${lineRanges(merged.conflicts)}`);
  }
  return ok(bytesOf(merged.lines));
}

const bytesOf = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join('\n'), 'latin1');

/** The maximum number of ranges that are named. */
const maxRanges = 20;

/** Names lines as ranges: `3, 7-9`. */
function lineRanges(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && line <= last.to + 1) last.to = Math.max(last.to, line);
    else ranges.push({ from: line, to: line });
  }
  const named = ranges.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return `${named.join(', ')}${ranges.length > maxRanges ? ' …' : ''}`;
}
