import { inNfc } from '#domain/text/nfc.ts';

const maxTerms = 50;

/** The distinct words of a query, lower-cased; the first 50. */
export const queryWords = (query: string): readonly string[] => distinct(query.toLowerCase().split(/\s+/));

/** What a query looks for, lower-cased: its words, and the phrases that are in quotes; the first 50. */
export function searchTerms(query: string): readonly string[] {
  const parts = inNfc(query)
    .toLowerCase()
    .matchAll(/["“”„]([^"“”„]+)["“”„]|[^\s"“”„]+/g);
  return distinct([...parts].map(([word, phrase]) => (phrase === undefined ? word : inOneLine(phrase))));
}

/** A text with its runs of white space as single spaces. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const distinct = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms)].filter((term) => term !== '').slice(0, maxTerms);
