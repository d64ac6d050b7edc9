/**
 * Strips trailing repetitions of one character: 'a//' → 'a'. A regular expression would take quadratic time on text
 * with many such runs elsewhere.
 */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
