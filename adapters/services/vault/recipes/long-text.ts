import { z } from 'zod';
import { failed, type Outcome, type Success } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** The maximum length of a note that one call returns, in UTF-16 code units; further calls return the rest. */
const maxPart = 100_000;

/** The offset at which to continue reading a long note. */
export const from = z
  .int()
  .min(0)
  .default(0)
  .describe('Character to start at, for the rest of a long note; each part ends with the next')
  .meta(inLists('Character to start at'));

/** Returns the part of a text that starts at `from`, at most 100,000 characters of it, with its place in the text. */
export function partOf(read: Success, from: number): Outcome {
  const { data: text } = read;
  if (typeof text !== 'string') return read;
  if (from >= text.length && from > 0)
    return failed('invalid_input', `"from" is beyond the end: the note has ${text.length} characters.`);
  const end = wholeAt(text, Math.min(from + maxPart, text.length));
  const begin = wholeAt(text, from);
  return { ...read, data: text.slice(begin, end), part: { begin, end, of: text.length } };
}

/** The offset itself, or the one before it where it would split a surrogate pair. */
function wholeAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
