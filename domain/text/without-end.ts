/**
 * The text without the run of one character at its end: 'a//' → 'a'. A search for such a run by a pattern takes quadratic time over
 * a text that is full of others.
 */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
