import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { frontmatterBlock, textWithFrontmatter, yamlEntry } from '#infrastructure/yaml/yaml-entry.ts';
import { rounds } from '#test/support/form.ts';

const inner = (block: string) => block.replace(/^---\n/, '').replace(/---\n$/, '');

describe('a key and its value in YAML', () => {
  it.each([
    ['status', 'won', 'status: won'],
    ['title', '2nd meeting, with Ann’s team', 'title: 2nd meeting, with Ann’s team'],
    ['url', 'https://crm.test/deal/8#notes', 'url: https://crm.test/deal/8#notes'],
    ['value', 112.5, 'value: 112.5'],
    ['done', false, 'done: false'],
    ['assignee', null, 'assignee: null'],
    ['labels', ['Bug', 'b: c'], 'labels:\n  - Bug\n  - "b: c"'],
    ['labels', [], 'labels: []'],
    ['summary', 'one\n\ntwo: three', 'summary: |-\n  one\n\n  two: three'],
  ])('is written as plainly as YAML allows: %s %j', (key, value, text) => {
    expect(yamlEntry(key, value)).toBe(text);
  });

  it.each([
    '42',
    '-1.5',
    '1e3',
    '0777',
    '0x1F',
    '1_000',
    '.inf',
    'true',
    'False',
    'yes',
    'off',
    'n',
    'null',
    '~',
    '',
    '2026-01-23',
    '2026-01-23T12:53:00Z',
    '12:30',
    '=',
    '<<',
    'Acme: 20 desks',
    'Acme #1',
    '- a',
    '[a]',
    '"a"',
    ' a',
    'a ',
    'a\tb',
    'a\rb',
    'x\n---\nadmin: true',
    '---\nx',
  ])('is quoted if a reader may take it for something else: %j', (value) => {
    expect(yamlEntry('key', value)).toBe(`key: ${JSON.stringify(value)}`);
    expect(parse(yamlEntry('key', value), { version: '1.1' })).toEqual({ key: value });
  });

  it('is escaped if a reader may take it for a line break or reject it', () => {
    expect(yamlEntry('title', '\u007f\u0085\u2028\u2029\ufeff\uffff\n')).toBe(
      'title: "\\u007f\\u0085\\u2028\\u2029\\ufeff\\uffff\\n"',
    );
  });
});

describe('a frontmatter block', () => {
  it('quotes keys that are not plain words', () => {
    expect(frontmatterBlock({ no: 1, 'a: b': '\t', '7': true, plain_key: '\t' })).toBe(
      '---\n"7": true\n"no": 1\n"a: b": "\\t"\nplain_key: "\\t"\n---\n',
    );
  });

  it('has its entries between two fences, followed by the body', () => {
    const frontmatter = { tracker_issue_id: '42', priority: null, labels: ['a'] };
    expect(frontmatterBlock(frontmatter)).toBe('---\ntracker_issue_id: "42"\npriority: null\nlabels:\n  - a\n---\n');
    expect(textWithFrontmatter({ frontmatter: { status: 'won' }, body: '\n# Deal\n' })).toBe(
      '---\nstatus: won\n---\n\n# Deal\n',
    );
  });

  it.each([
    'x\n---\nadmin: true',
    '---',
    '---\n',
    '...',
    'a: b',
    '"',
    "'",
    '\\',
    'C:\\new\\u0041',
    '{{x}}',
    '!!js/function',
    '&a *a',
    '|',
    '\n  deep\n more',
  ])('reads %j back as the same text', (title) => {
    expect(parse(inner(frontmatterBlock({ title, status: 'open' })))).toEqual({ title, status: 'open' });
  });

  it('reads back unchanged in YAML 1.1 and 1.2, with only its fences as bare dashes, whatever the texts contain', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[-\n\r \t:#|>a-c0-9."']{0,20}$/),
      fc.constantFrom('yes', '1', '2026-01-01', '1:2', '0b1', '+.5'),
    );
    fc.assert(
      fc.property(text, fc.array(text), fc.integer(), (title, labels, priority) => {
        const block = frontmatterBlock({ title, labels, priority });
        const lines = block.split(/[\n\r\u0085\u2028\u2029]/);
        expect(lines.filter((line) => /^\s*---\s*$/.test(line))).toHaveLength(2);
        expect(lines.filter((line) => /^(?:title|"title"|labels|"labels"|priority):/.test(line))).toHaveLength(3);
        expect(parse(inner(block))).toEqual({ title, labels, priority });
        expect(parse(inner(block), { version: '1.1' })).toEqual({ title, labels, priority });
      }),
      { numRuns: rounds(250, 1_000) },
    );
  });
});
