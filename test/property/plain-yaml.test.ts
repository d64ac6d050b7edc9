import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { plainValues, printPlainYaml, readPlainYaml } from '#infrastructure/yaml/plain-yaml.ts';
import { rounds } from '#test/support/form.ts';

const style = { lineWidth: 0, singleQuote: false, compat: 'yaml-1.1' } as const;

/** What stands in frontmatter, and all that is near to it. */
const words = fc.oneof(
  fc.constantFrom(
    'open',
    'In Progress',
    'https://a.example/b?c=1#d',
    'Ann Lee',
    'yes',
    'No',
    'null',
    '~',
    'True',
    '.inf',
    '0x1f',
  ),
  fc.constantFrom(
    '1',
    '-1',
    '007',
    '1.5',
    '1e3',
    '1_000',
    '12:30',
    '2026-01-23',
    '2026-01-23T12:53:18.084Z',
    'ENG-7',
    '=',
    '<<',
  ),
  fc.constantFrom(
    "'a'",
    '"a"',
    "it's",
    '"',
    '[a]',
    '{a: b}',
    '- a',
    '? a',
    '& a',
    '*a',
    '!a',
    '|',
    '>',
    '%a',
    '@a',
    '`a',
    'a: b',
    'a #b',
    'a:',
    '',
  ),
  fc.uuid(),
  fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9]{4}-[0-9e]{4}-[0-9e]{12}$/),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.stringMatching(/^[a-z:# '",[\]{}\\-]{0,10}$/),
  fc.stringMatching(/^[0-9.:TZ+-]{0,12}$/),
);
const scalars = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const values = fc.oneof(scalars, fc.array(scalars, { maxLength: 4 }), fc.dictionary(words, scalars, { maxKeys: 2 }));
const keys = fc.oneof(
  fc.constantFrom('status', 'tracker_id', 'tags', 'y', 'null', 'on', '__proto__', 'a b', '1'),
  words,
);

/** Lines that are YAML of a kind, broken ones among them. */
const texts = fc
  .array(
    fc.oneof(
      fc.tuple(keys, fc.constantFrom(': ', ':', ':  ', ' : '), words).map((parts) => parts.join('')),
      fc.tuple(fc.constantFrom('- ', '  - ', ' - ', '-', '    - '), words).map((parts) => parts.join('')),
      fc.tuple(keys, values).map(([key, value]) => stringify({ [key]: value }, style).trimEnd()),
      words,
    ),
    { maxLength: 6 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n', '\n\n').map((end) => lines.join(end)));

describe('plain YAML', () => {
  it('is read as the full parser reads it', () => {
    let plain = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const read = plainValues(text);
        if (read === null) return;
        plain += 1;
        const document = parseDocument(text, { logLevel: 'silent' });
        expect(document.errors).toEqual([]);
        expect(JSON.stringify(document.toJS() ?? {})).toBe(JSON.stringify(read));
      }),
      { numRuns: rounds(5_000, 20_000) },
    );
    expect(plain).toBeGreaterThan(rounds(250, 500));
  });

  it('is printed as the full printer prints it', () => {
    let plain = 0;
    fc.assert(
      fc.property(keys, values, (key, value) => {
        const printed = printPlainYaml(key, value);
        if (printed === null) return;
        plain += 1;
        expect(printed).toBe(stringify({ [key]: value }, style).trimEnd());
        expect(JSON.stringify(plainValues(printed) ?? { [key]: value })).toBe(JSON.stringify({ [key]: value }));
      }),
      { numRuns: rounds(5_000, 20_000) },
    );
    expect(plain).toBeGreaterThan(rounds(250, 500));
  });

  it('is located by the lines of each key', () => {
    const text = 'status: open\ntags:\n  - a\n  - b\nlast: 1\n';
    const read = readPlainYaml(text) ?? [];
    expect(read.map(({ from, to }) => text.slice(from, to))).toEqual([
      'status: open',
      'tags:\n  - a\n  - b',
      'last: 1',
    ]);
  });

  it.each([
    ['a common frontmatter', 'tracker_id: x-1\nurl: https://a.example/b\ntags:\n- issue\nempty:\nnone: []\n', true],
    ['an empty one', '', true],
    ['a comment', 'a: b # c', false],
    ['a key twice', 'a: b\na: c', false],
    ['text over several lines', 'a: b\n  c', false],
    ['a map', 'a:\n  b: c', false],
  ])('is recognized, or left to the full parser: %s', (_, text, isPlain) => {
    expect(readPlainYaml(text) !== null).toBe(isPlain);
  });
});
