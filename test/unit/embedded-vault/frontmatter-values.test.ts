import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { rounds } from '#test/support/form.ts';
import { patchedFrontmatter } from '#test/support/vault/patched-frontmatter.ts';

/** The note after the key is set, as PATCH does it; throws where it is refused. */
function set(text: string, key: string, content: unknown): string {
  const result = patchedFrontmatter(text, key, content);
  if (!result.ok) throw new Error(result.failure.reason);
  return result.value;
}

const got = (text: string, key: string): unknown => {
  const { frontmatter } = readMetadata(text);
  return Object.hasOwn(frontmatter, key) ? frontmatter[key] : undefined;
};

/** As JSON carries it: -0 is 0. */
const json = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const special = fc.constantFrom(
  'a:b',
  'a b',
  'a: b',
  '# a',
  'über',
  '日本',
  '🎉',
  '- a',
  '? a',
  '"a"',
  "'a'",
  '{a}',
  '[a]',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a',
  'null',
  'true',
  'no',
  '1',
  '1.5',
  '0x1f',
  '2026-01-02',
  '~',
  '<<',
  '...',
  '---',
  'a\nb',
  'a\tb',
  ' a ',
  '|',
  '>',
  'constructor',
);
const text = fc.oneof(
  special,
  word,
  fc.stringMatching(/^[ \t\r\n#:|>"'a-c-]{0,40}$/),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const value = fc.oneof(
  json,
  text,
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(special, fc.oneof(text, json), { maxKeys: 4 }),
);
const key = fc.oneof(special, word).filter((name) => name !== '__proto__' && name !== 'first' && name !== 'last');

const lines = [
  '# about',
  'first: "Acme"   # kept',
  'list:',
  '- a',
  '- b # second',
  '',
  'nested:',
  '    deep: {x: 1}',
  '# near the end',
  "last: 'x'  ",
];

describe('a frontmatter value comes back as it was set', () => {
  it.each([
    [''],
    ['one\ntwo\n'],
    ['one\n\n\ntwo'],
    ['  indented\nmore'],
    ['\n'],
    ['a: b'],
    ['2026-01-02'],
    ['2026-01-02T03:04:05Z'],
    ['12:30'],
    ['yes'],
    ['null'],
    ['1e3'],
    ['0777'],
    ['#tag'],
    ['a\r\nb'],
    ['a\u2028b'],
    ['a\u0085b'],
    ['\uFEFFa'],
    ['\u0000'],
    [' '],
    ['---'],
    ['...'],
    [[]],
    [{}],
    [[[], {}]],
    [{ 'a:b': { 'c d': ['e', { f: null }] } }],
    [1e21],
    [-0.5],
    [1e-7],
    [9_007_199_254_740_992],
    [false],
    [null],
    ['x'.repeat(300_000)],
    [Array.from({ length: 2_000 }, (_, index) => `item ${index}`)],
  ])('%j', (given) => {
    for (const before of [
      'body\n',
      '---\nother: 1\nkey: old # why\nlast: 2\n---\nbody\n',
      '---\r\nkey: old\r\nlast: 2\r\n---\r\nbody\r\n',
    ]) {
      const after = set(before, 'key', given);
      expect(got(after, 'key')).toEqual(given);
      expect(after.endsWith('body\n') || after.endsWith('body\r\n')).toBe(true);
    }
  });

  it('for any key and any JSON value, in a note of any kind, and all other lines stay byte for byte (EMB-010)', () => {
    const shape = fc.record({
      mark: fc.constantFrom('', '\uFEFF'),
      end: fc.constantFrom('\n', '\r\n'),
      dashes: fc.constantFrom('---', '--- ', '---\t'),
      body: fc.constantFrom('', 'body', '# A\n\nbody\n', 'one\r\ntwo\n---\nthree'),
    });
    fc.assert(
      fc.property(shape, key, value, value, ({ mark, end, dashes, body }, name, first, second) => {
        const head = [dashes, ...lines, dashes].map((line) => line + end).join('');
        const before = mark + head + body;
        const once = set(before, name, first);
        expect(got(once, name)).toEqual(first);
        const twice = set(once, name, second);
        expect(got(twice, name)).toEqual(second);
        for (const after of [once, twice]) {
          expect(after.startsWith(`${mark}${dashes}${end}${lines.map((line) => line + end).join('')}`)).toBe(true);
          expect(after.endsWith(end + dashes + end + body)).toBe(true);
        }
      }),
      { numRuns: rounds(100, 400) },
    );
  });

  it('when its key is between others, and the lines above and below stay byte for byte (EMB-010)', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n'), key, value, value, (end, name, first, second) => {
        const entry = set('', name, first).split('\n').slice(1, -2).join(end);
        const [above, below] = [`a a: "1" # one${end}`, `${end}# two${end}z z: [ 1,2 ]${end}`];
        const after = set(`---${end}${above}${entry}${below}---${end}body`, name, second);
        expect(got(after, name)).toEqual(second);
        expect(after.startsWith(`---${end}${above}`)).toBe(true);
        expect(after.endsWith(`${below}---${end}body`)).toBe(true);
      }),
      { numRuns: rounds(100, 400) },
    );
  });

  it('in a note that had no frontmatter, whose text stays byte for byte', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', '\uFEFF'),
        key,
        value,
        fc.constantFrom('', 'a', 'a\n', '\n', '# A\r\n', '--', ' ---\n'),
        (mark, name, given, body) => {
          const after = set(mark + body, name, given);
          expect(got(after, name)).toEqual(given);
          expect(after.startsWith(`${mark}---`)).toBe(true);
          expect(after.endsWith(body)).toBe(true);
        },
      ),
    );
  });
});
