/** The id at the end of a block's text (`text ^id`): its name, the end of the text before it, and its own end. */
export type BlockId = Readonly<{ name: string; textEnd: number; end: number }>;

const caret = 94;

/** Reads the block id at the end of `text` between `start` and `end`, scanning backwards; null when there is none. */
export function blockIdAt(text: string, start: number, end: number): BlockId | null {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last -= 1;
  let first = last;
  while (first > start && isNamePart(text.charCodeAt(first - 1))) first -= 1;
  if (first === last || first === start || text.charCodeAt(first - 1) !== caret) return null;
  let textEnd = first - 1;
  while (textEnd > start && isSpace(text.charCodeAt(textEnd - 1))) textEnd -= 1;
  return { name: text.slice(first, last), textEnd, end: last };
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

const isNamePart = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 45 || code === 95;
