import { z } from 'zod';
import { failed, type Outcome, type Success } from '#domain/operations/outcome.ts';

/** The most of a note that one call answers, in UTF-16 units; the rest comes with further calls. */
const maxPart = 100_000;

/** Where a long note is read on. */
export const from = z
  .int()
  .min(0)
  .default(0)
  .describe('Character to begin at, for the rest of a long note; its last part says which');

/** Cuts the part of a long text that begins at `from`, and warns of where the rest begins. */
export function partOf(read: Success, from: number): Outcome {
  const { data: text } = read;
  if (typeof text !== 'string' || (from === 0 && text.length <= maxPart)) return read;
  if (from >= text.length && from > 0)
    return failed('invalid_input', `"from" is beyond the end: the note has ${text.length} characters.`);
  const end = wholeAt(text, Math.min(from + maxPart, text.length));
  const begin = wholeAt(text, from);
  const rest = end < text.length ? [`There is more: go on with "from": ${end}.`] : [];
  const warnings = [`Characters ${begin} to ${end} of ${text.length}.`, ...rest].join(' ');
  return { ...read, data: text.slice(begin, end), warnings: [...(read.warnings ?? []), warnings] };
}

/** The place itself, or the one before it where it would part two halves of one character. */
function wholeAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
