import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { splitNote } from '#domain/notes/note-parts.ts';
import type { PatchInstruction } from '#domain/notes/patch/note-patch.ts';
import { rounds } from '#test/support/form.ts';
import { patchedFrontmatter } from '#test/support/vault/patched-frontmatter.ts';

function patch(text: string, key: string, content: unknown, more: Partial<PatchInstruction> = {}) {
  const result = patchedFrontmatter(text, key, content, more);
  return result.ok ? result.value : result.failure.reason;
}

const note = `---
# about the deal
title: "Acme"   # the customer
tags:
- a
- b # second

# state
status: open # for now
nested:
    deep: {x: 1}
empty:
long: >-
  folded
  text
last: 1
---
Body
`;

describe('patching frontmatter', () => {
  it('keeps comments, order, quotes and indentation of everything but the key (EMB-010, VAULT-006, NOTE-003)', () => {
    expect(patch(note, 'status', 'won')).toBe(note.replace('status: open', 'status: won'));
    expect(patch(note, 'tags', ['c'])).toBe(note.replace('tags:\n- a\n- b # second\n', 'tags:\n  - c\n'));
    expect(patch(note, 'empty', 5)).toBe(note.replace('empty:', 'empty: 5'));
    expect(patch(note, 'nested', 'x')).toBe(note.replace('nested:\n    deep: {x: 1}', 'nested: x'));
    expect(patch(note, 'long', 'short')).toBe(note.replace('long: >-\n  folded\n  text', 'long: short'));
    expect(patch(note, 'last', [1, { a: null }])).toBe(note.replace('last: 1', 'last:\n  - 1\n  - a: null'));
    expect(patch(note, 'new', true)).toBe(note.replace('last: 1', 'last: 1\nnew: true'));
  });

  it('adds it to a note that has none', () => {
    expect(patch('Body\n', 'a', 'b')).toBe('---\na: b\n---\nBody\n');
    expect(patch('---\n---\nBody\n', 'a', 'b')).toBe('---\na: b\n---\nBody\n');
  });

  it('gives the same result whether a full parser is needed or not', () => {
    const scalar = fc.constantFrom<unknown>('open', 'In Progress', '', 'yes', '2026-01-23', 7, -1.5, true, null);
    const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
    const key = fc.constantFrom('a', 'b', 'c', 'y');
    const operation = fc.constantFrom('replace' as const, 'append' as const, 'prepend' as const);
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 4 }),
        fc.record({ key, value, operation, createTargetIfMissing: fc.boolean() }),
        (before, { key: target, value: content, ...more }) => {
          const start = Object.keys(before).length === 0 ? '---\n---\nBody' : patch('---\n---\nBody', 'a', 1);
          const text = Object.entries(before).reduce((made, [name, one]) => patch(made, name, one), start);
          const comment = (plain: string) => plain.replace('---\n', '---\n# a comment\n');
          const changed = patch(text, target, content, more);
          const slow = patch(comment(text), target, content, more);
          expect(slow).toBe(changed.startsWith('---') ? comment(changed) : changed);
        },
      ),
      { numRuns: rounds(500, 2_000) },
    );
  });

  it('keeps CRLF', () => {
    expect(patch('---\r\na: 1\r\nb: 2\r\n---\r\nx\r\n', 'a', 3)).toBe('---\r\na: 3\r\nb: 2\r\n---\r\nx\r\n');
  });

  it('writes flow style as YAML that reads the same', () => {
    const text = patch('---\n{a: 1, b: 2}\n---\n', 'b', 3);
    expect(parse(splitNote(text).yaml ?? '')).toEqual({ a: 1, b: 3 });
  });

  it('is refused for a missing key without Create-Target-If-Missing', () => {
    expect(patch(note, 'none', 1, { createTargetIfMissing: false })).toBe('invalid-target');
    expect(patch(note, 'constructor', 1, { createTargetIfMissing: false })).toBe('invalid-target');
  });

  it('appends and prepends to lists, objects and texts, and nothing else', () => {
    const add = (text: string, content: unknown, operation: 'append' | 'prepend' = 'append') =>
      patch(`---\nk: ${text}\n---\n`, 'k', content, { operation });
    expect(add('[1]', [2])).toBe('---\nk:\n  - 1\n  - 2\n---\n');
    expect(add('[1]', [2], 'prepend')).toBe('---\nk:\n  - 2\n  - 1\n---\n');
    expect(add('{a: 1}', { b: 2 })).toBe('---\nk:\n  a: 1\n  b: 2\n---\n');
    expect(add('one', ' two')).toBe('---\nk: one two\n---\n');
    for (const [text, content] of [
      ['1', 2],
      ['[1]', 'x'],
      ['one', ['x']],
      ['{a: 1}', [1]],
    ] as const) {
      expect(add(text, content)).toBe('content-not-mergeable');
    }
    expect(patch('x', 'k', ['a'], { operation: 'append' })).toBe('---\nk:\n  - a\n---\nx');
  });

  it('is refused if it is broken, or not a list of keys', () => {
    expect(patch('---\na: [\n---\n', 'a', 1)).toBe('invalid-frontmatter');
    expect(patch('---\n- a\n---\n', 'a', 1)).toBe('invalid-frontmatter');
  });

  it('reads the key back as it was set, and keeps the other keys and the body', () => {
    const key = fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() === text && text !== '__proto__');
    fc.assert(
      fc.property(key, fc.jsonValue({ maxDepth: 2 }), fc.string(), (name, value, body) => {
        const text = patch(`---\ntitle: x # c\nz: [1]\n---\nB${body}`, name, value);
        const { yaml, bodyStart } = splitNote(text);
        const expected = { title: 'x', z: [1], [name]: value };
        expect(parse(yaml ?? '')).toEqual(expected);
        expect(text.slice(bodyStart)).toBe(`B${body}`);
      }),
      { numRuns: rounds(100, 300) },
    );
  });
});
