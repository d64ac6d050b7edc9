import { describe, expect, it } from 'vitest';
import { readMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { findWords } from '#adapters/vault-folder/search/simple-search.ts';
import { matchesGlob } from '#domain/vault-queries/glob.ts';
import { queryWords } from '#domain/vault-queries/search-terms.ts';

describe('simple search', () => {
  it('uses the words of the query in lower case, each once', () => {
    expect(queryWords('  Red  green\tRED ')).toEqual(['red', 'green']);
    expect(queryWords(' ')).toEqual([]);
  });

  it('finds every occurrence of every word, in the order of the text', () => {
    expect(findWords(['gues'], 'Guestimate the number of guests')).toEqual([
      [0, 4],
      [25, 29],
    ]);
    expect(findWords(['b', 'a'], 'a b A')).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(findWords(['aa'], 'aaaaa')).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });

  it('finds nothing unless all words occur', () => {
    expect(findWords(['a', 'z'], 'abc')).toBeNull();
  });

  it('returns positions in the original text, even where lower case would be longer', () => {
    const text = 'İİİ needle';
    const [range] = findWords(['needle'], text) ?? [];
    expect(text.slice(...(range ?? [0, 0]))).toBe('needle');
  });
});

describe('a glob', () => {
  it.each([
    ['*.foo', 'bar.foo', true],
    ['*.bar', 'bar.foo', false],
    ['a*c', 'a/b/c', true],
    ['a?c', 'abc', false],
    ['(a|b)+', '(a|b)+', true],
    ['a.c', 'abc', false],
    ['', '', true],
  ])('%s matches %s as expected', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });
});

describe('tags', () => {
  it.each([
    ['#one and #two/three', ['one', 'two/three']],
    ['---\ntags: [a, "#b", 2024]\n---\n#c', ['a', 'b', '2024', 'c']],
    ['---\ntags: a, b\n---\n', ['a', 'b']],
    ['# Heading\n\n#tag.', ['tag']],
    ['a#b #123 #1a', ['1a']],
    ['`#code` #real\n```\n#fenced\n```\n#after', ['real', 'after']],
    ['~~~\n#open fence', []],
    ['#größe #emoji😀', ['größe', 'emoji😀']],
    ['---\ntags: {a: 1}\n---\n', []],
    ['---\n: [\n---\n#still', ['still']],
  ])('are found in %j', (text, tags) => {
    expect(readMetadata(text).tagUses).toEqual(tags);
  });
});
