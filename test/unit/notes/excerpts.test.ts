import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWords } from '#adapters/vault-folder/search/simple-search.ts';
import { excerptsOf } from '#domain/vault-queries/excerpts.ts';
import { searchTerms } from '#domain/vault-queries/search-terms.ts';

/** The excerpts of a text for words, as a search of the vault makes its matches. */
function excerpts(text: string, words: readonly string[], contextLength: number) {
  const ranges = findWords(words, text) ?? [];
  const matches = ranges.map(([start, end]) => ({
    start,
    end,
    context: text.slice(Math.max(start - contextLength, 0), end + contextLength),
  }));
  return excerptsOf(matches, contextLength);
}

describe('what a query looks for', () => {
  it.each([
    ['  Acme renewal ACME', ['acme', 'renewal']],
    ['"Security  Review" acme', ['security review', 'acme']],
    ['„alter Preis“ x”y', ['alter preis', 'x', 'y']],
    ['"one" "two', ['one', 'two']],
    ['"" " "', []],
    ['Cafe\u0301', ['café']],
  ])('in %j is %j (VAULT-021)', (query, terms) => {
    expect(searchTerms(query)).toEqual(terms);
  });
});

describe('a phrase', () => {
  it('is found where its words follow each other, also over a line end, and nowhere else (VAULT-021)', () => {
    expect(
      findWords(['security review'], 'review, security; Security Review; security\nreview; securityreview'),
    ).toEqual([
      [18, 33],
      [35, 50],
    ]);
    expect(findWords(['security review'], 'security, review')).toBeNull();
  });
});

describe('excerpts', () => {
  it('are the lines of the matches, cut where they are long (VAULT-021)', () => {
    const text = `# Plan\n\n- The budget is open\n${'a'.repeat(30)} budget ${'b'.repeat(30)}\n`;
    expect(excerpts(text, ['budget'], 10)).toEqual({
      shown: ['- The budget is open', '…aaaaaaaaa budget bbbbbbbbb…'],
      more: 0,
    });
  });

  it('overlap nowhere: matches near each other are one (VAULT-021)', () => {
    expect(excerpts('We moved the security review to May.', ['security', 'review'], 40)).toEqual({
      shown: ['We moved the security review to May.'],
      more: 0,
    });
    expect(excerpts('the '.repeat(12), ['the'], 40).shown).toHaveLength(1);
  });

  it('are the three with the most different words, in the order of the text, with the number of the others (VAULT-021)', () => {
    const text = ['a one', 'b one', 'c two one', 'd one', 'e one two', 'f two'].join(`\n${'-'.repeat(50)}\n`);
    expect(excerpts(text, ['one', 'two'], 20)).toEqual({ shown: ['a one', 'c two one', 'e one two'], more: 3 });
  });

  it('show each text once (VAULT-021)', () => {
    expect(excerpts(`- a call\n${'-'.repeat(50)}\n`.repeat(5), ['call'], 20)).toEqual({ shown: ['- a call'], more: 4 });
  });

  it('property: at most three are shown, each is bounded, and each has a match', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é'), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 30 }), (given, around) => {
        const { shown, more } = excerpts(given, ['a'], around);
        expect(shown.length).toBeLessThanOrEqual(3);
        expect(new Set(shown).size).toBe(shown.length);
        expect(more).toBeGreaterThanOrEqual(0);
        for (const one of shown) {
          expect(one.length).toBeLessThanOrEqual(4 * around + 62);
          expect(one).toContain('a');
        }
        expect(shown.length > 0).toBe(given.includes('a'));
      }),
    );
  });
});
