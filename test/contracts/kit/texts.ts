/**
 * Texts that stores spoil: umlauts in both spellings of Unicode, blanks and line ends at the edges, characters beyond
 * 16 bits, quotes and wildcards of query languages, and words that every object inherits.
 */
export const oddTexts = [
  '  blanks around, umlauts Äöü ß  ',
  'decomposed: u\u0308 e\u0301',
  'composed: \u00FC \u00E9',
  '日本語 🎉 👩‍👩‍👧',
  `quotes ' " \` \\ ; -- /* %_?`,
  'lines\r\n\tand tabs\n',
  '\u2028\u2029\uFEFF',
  '__proto__',
  'constructor',
  '',
] as const;

/** All of them in one text, for a field that takes any. */
export const oddText: string = oddTexts.join('|');

/** A text with U+0000 in its middle. A store may give U+FFFD back for the character, and never cuts what follows. */
export const nulText = 'before\u0000after';

/** Replaces each U+0000 of a text by U+FFFD, as stores do that cannot hold it. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
