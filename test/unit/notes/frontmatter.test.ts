import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { frontmatterBlock, hasValue } from '#domain/notes/frontmatter.ts';

const inner = (block: string) => block.replace(/^---\n/, '').replace(/---\n$/, '');

describe('a frontmatter block', () => {
  it('has a line for each key between its fences', () => {
    const values = { tracker_issue_id: '42', priority: null, tracker_priority: 2, done: false, labels: ['a', 'b: c'] };
    expect(frontmatterBlock(values)).toBe(
      '---\ntracker_issue_id: "42"\npriority: null\ntracker_priority: 2\ndone: false\nlabels: ["a", "b: c"]\n---\n',
    );
  });

  it.each([
    'x\n---\nadmin: true',
    '---',
    'a: b',
    '"',
    "'",
    '\\',
    '{{x}}',
    '!!js/function',
    '&a *a',
    '2026-01-23',
    'null',
  ])('reads back %j as that text and nothing else', (title) => {
    expect(parse(inner(frontmatterBlock({ title })))).toEqual({ title });
  });

  it('escapes what a reader of YAML may take for a line break or refuse', () => {
    expect(frontmatterBlock({ title: '\u007f\u0085\u2028\u2029\ufeff\uffff\n' })).toBe(
      '---\ntitle: "\\u007f\\u0085\\u2028\\u2029\\ufeff\\uffff\\n"\n---\n',
    );
  });

  it('stays one line a key and reads back as it was, whatever the texts hold', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.array(text), fc.integer(), (title, labels, tracker_priority) => {
        const block = frontmatterBlock({ title, labels, tracker_priority });
        expect(block.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(6);
        expect(parse(inner(block))).toEqual({ title, labels, tracker_priority });
      }),
    );
  });

  it('knows what a note has already', () => {
    const frontmatter = { status: 'Done', labels: ['a'], assignee: null };
    expect(hasValue(frontmatter, 'status', 'Done')).toBe(true);
    expect(hasValue(frontmatter, 'labels', ['a'])).toBe(true);
    expect(hasValue(frontmatter, 'assignee', null)).toBe(true);
    expect(hasValue(frontmatter, 'labels', ['b'])).toBe(false);
    expect(hasValue(frontmatter, 'project', null)).toBe(false);
    expect(hasValue(frontmatter, 'constructor', null)).toBe(false);
  });
});
