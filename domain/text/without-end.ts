/**
 * Removes the run of one character at a text's end: 'a//' → 'a'. A regular expression for that takes quadratic time
 * over a text that is full of other such runs.
 */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
