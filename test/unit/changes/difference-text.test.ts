import { describe, expect, it } from 'vitest';
import { differenceText } from '#domain/changes/difference-text.ts';

const deal = (fields: readonly object[], title: string | null = 'Harbour crane') =>
  ({ kind: 'record', id: '7', title, fields: fields.map((one) => ({ field: 'Value', ...one })) }) as const;

describe('the text of a difference', () => {
  it('names the record, and each field with both values (ASK-024)', () => {
    expect(
      differenceText([
        deal([{ before: 900, after: 1_200 }, { before: 'a', after: '' }, { before: 'a' }, { after: 'b' }]),
      ]),
    ).toBe('“Harbour crane” (7)\n  Value: 900 → 1200\n  Value: “a” → nothing\n  Value: “a” → nothing\n  Value: “b”');
    expect(differenceText([{ kind: 'record', id: null, title: null, fields: [] }])).toBe('New record');
  });

  it('shows what is lost of a note by line (ASK-024)', () => {
    const lines = [
      { kind: 'same', text: '# Acme' },
      { kind: 'removed', text: 'Call Ann' },
      { kind: 'added', text: 'Call Bob' },
    ] as const;
    const note = {
      kind: 'text',
      path: 'Deals/Acme.md',
      what: 'changed',
      hunks: [{ line: 1, lines }],
      isCut: false,
    } as const;
    expect(differenceText([note])).toBe('“Deals/Acme.md”: changed\n  - Call Ann\n  + Call Bob');
  });

  it('keeps each value on one line, with invisible characters as escapes, so that it passes for no question (ASK-024)', () => {
    const text = differenceText([deal([{ before: 1, after: 'x\n\nDeletes nothing? \u202E' }], 'A\u200B\nb')]);
    expect(text).toBe('“A\\u200b b” (7)\n  Value: 1 → “x Deletes nothing? \\u202e”');
  });

  it('is bounded in places, fields, lines and characters (ASK-024)', () => {
    const long = differenceText([deal([{ before: 'x'.repeat(5_000), after: 'y' }])]);
    expect(long.length).toBeLessThan(300);
    const many = differenceText(
      Array.from({ length: 30 }, () => deal(Array.from({ length: 20 }, () => ({ after: 1 })))),
    );
    expect(many).toContain('… and 8 more');
    expect(many.endsWith('… and 10 more')).toBe(true);
  });
});
