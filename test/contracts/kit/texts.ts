/**
 * Texts that stores tend to corrupt: umlauts in both Unicode normal forms, leading and trailing whitespace, characters outside the
 * BMP, quotes and wildcards of query languages, and names that every object inherits.
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

/** A text that contains U+0000. A store may return U+FFFD in its place, but must not truncate the text. */
export const nulText = 'before\u0000after';

/** Replaces each U+0000 of a text by U+FFFD, as stores do that cannot store it. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}
