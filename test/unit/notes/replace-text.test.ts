import { expect, it } from 'vitest';
import { type Replacement, replaceText } from '#domain/notes/edits/replace-text.ts';
import { isYamlMap } from '#infrastructure/yaml/yaml-map.ts';

const replaced = (text: string, given: Partial<Replacement>) =>
  replaceText(text, { find: 'a', replace: 'b', expected: 1, ...given }, isYamlMap);

it('text is replaced where it is, with its lines in the new text (VAULT-014)', () => {
  const text = 'one\ntwo\none two\n';
  expect(replaced(text, { find: 'two', replace: 'x\ny', expected: 2 })).toEqual({
    ok: true,
    value: {
      text: 'one\nx\ny\none x\ny\n',
      count: 2,
      lines: [2, 4],
      splices: [
        { start: 4, end: 7, text: 'x\ny' },
        { start: 12, end: 15, text: 'x\ny' },
      ],
    },
  });
  expect(replaced(text, { find: 'one', replace: '', expected: 0 })).toMatchObject({
    value: { text: '\ntwo\n two\n', count: 2, lines: [1, 3] },
  });
});

it('signs of patterns and of replacements are text (VAULT-014)', () => {
  expect(replaced('a.c abc $1', { find: '.c', replace: '$& $1' })).toMatchObject({ value: { text: 'a$& $1 abc $1' } });
});

it('text that overlaps itself is counted once for each place (VAULT-014)', () => {
  expect(replaced('aaaa', { find: 'aa', replace: 'b', expected: 2 })).toMatchObject({ value: { text: 'bb' } });
});

it('text that is there another number of times changes nothing, and is counted with its lines (VAULT-014)', () => {
  expect(replaced('b', {})).toMatchObject({ ok: false, failure: { reason: 'text_not_there' } });
  expect(replaced('a\n\na a', {})).toMatchObject({
    ok: false,
    failure: { reason: 'text_count', detail: expect.stringContaining('3 times (lines 1, 3), and 1 expected') },
  });
});

it('text of several lines is found and put in with the line ends of the note (VAULT-014)', () => {
  expect(replaced('one\r\ntwo\r\nthree\r\n', { find: 'one\ntwo', replace: '1\n2' })).toMatchObject({
    value: { text: '1\r\n2\r\nthree\r\n' },
  });
});

it.each([
  ['its end is replaced', { find: '\n---\ntext', replace: '\ntext' }],
  ['its start is replaced', { find: '---\nkey', replace: 'key' }],
  ['it would be no YAML', { find: 'key: 1', replace: 'key: [1' }],
  ['it would have a key twice', { find: 'key: 1', replace: 'key: 1\nkey: 2' }],
  ['it would be a text', { find: 'key: 1', replace: 'text' }],
])('frontmatter stays readable: nothing is replaced when %s (VAULT-014)', (_, given) => {
  expect(replaced('---\nkey: 1\n---\ntext\n', given)).toMatchObject({ failure: { reason: 'frontmatter_broken' } });
});

it('values of the frontmatter are replaced like other text (VAULT-014)', () => {
  expect(replaced('---\nkey: Acme\n---\nAcme\n', { find: 'Acme', replace: 'Apex', expected: 2 })).toMatchObject({
    value: { text: '---\nkey: Apex\n---\nApex\n' },
  });
});
