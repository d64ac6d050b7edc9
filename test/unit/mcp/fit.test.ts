import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateJson, truncateText } from '#adapters/mcp/results/truncate.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';

const within = (maxTokens: number) => ({ maxTokens, pageInput: () => 'limit' });

describe('a text', () => {
  it('stays whole within the limit', () => {
    expect(truncateText('four', 4)).toEqual({ value: 'four', text: 'four', truncated: null });
  });

  it('is never cut in the middle of a character', () => {
    expect(truncateText('abc 😀😀😀😀😀😀', 5).text.isWellFormed()).toBe(true);
    expect(truncateText('abc 😀😀😀😀😀😀', 5).truncated).toContain('of 16 characters');
  });
});

describe('an object', () => {
  it('stays whole within the limit', () => {
    expect(truncateJson({ a: 1 }, within(100))).toEqual({ value: { a: 1 }, text: '{"a":1}', truncated: null });
  });

  it('loses the ends of its long texts first', () => {
    const body = 'a word '.repeat(2000);
    const { value, truncated } = truncateJson({ data: [{ id: 1, body }] }, within(2000));
    expect(value['data']).toEqual([
      { id: 1, body: expect.stringMatching(/^(?:a word ){400,}.*… \[14000 characters\]$/) },
    ]);
    expect(value['truncated']).toBe(truncated);
  });

  it('loses the last items of its list next, and the place after them, and says with which page to go on (TOOL-009)', () => {
    const data = Array.from({ length: 1000 }, (_, id) => ({ id, title: 'some deal' }));
    const { value, text, truncated } = truncateJson({ data, pagination: { next: 'c2', hasMore: true } }, within(2000));
    const kept: unknown = value['data'];
    expect(Array.isArray(kept) && kept.length).toBeGreaterThan(100);
    expect(kept).toEqual(data.slice(0, Array.isArray(kept) ? kept.length : 0));
    expect(value['pagination']).toEqual({ next: null, hasMore: true });
    expect(truncated).toMatch(
      /^Only the first (\d+) of 1000 items are shown.* Call again with `limit`: \1; its `next` /,
    );
    expect(JSON.parse(text)).toEqual(value);
  });

  it('loses the last items of its longest list when that has another name', () => {
    const files = Array.from({ length: 1000 }, (_, n) => `note ${n}.md`);
    const { value, truncated } = truncateJson({ files, tags: ['one'] }, within(500));
    expect(value['tags']).toEqual(['one']);
    expect(value['files']).toEqual(files.slice(0, Array.isArray(value['files']) ? value['files'].length : 0));
    expect(truncated).toMatch(/^Only the first \d{2} of 1000 items of `files` are shown/);
  });

  it('loses the end of its long text, and no more than its limit asks for', () => {
    const { value } = truncateJson({ path: 'a.md', content: 'a word '.repeat(9000), tags: ['one'] }, within(5000));
    expect(value).toMatchObject({ path: 'a.md', tags: ['one'], truncated: expect.stringContaining('`content`') });
    expect(estimateTokens(String(value['content']))).toBeGreaterThan(4500);
  });

  it('loses its longest members at last, and says which', () => {
    const long = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`member ${n}`, n]));
    const { value, text, truncated } = truncateJson({ name: 'Acme', long, id: 7 }, within(300));
    expect(value).toMatchObject({ name: 'Acme', id: 7, long: { 'member 1': 1 }, truncated });
    expect(text).toBe(JSON.stringify(value));
    expect(truncated).toMatch(
      /^Left out or cut for their length: `long`, `long\.member \d+`.* and \d+ more\. Ask for less/,
    );
  });

  it('keeps a part of the first item when no item of the list has room', () => {
    const item = { id: 1, title: 'Acme', ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, n])) };
    const { value } = truncateJson({ data: [item, item], pagination: { next: 'c2', hasMore: true } }, within(300));
    expect(value).toMatchObject({ data: [{ id: 1, title: 'Acme' }], pagination: { next: null, hasMore: true } });
  });

  it('fits whatever it holds, stays JSON, and what is said to be whole is whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 200, max: 500 }), (object, limit) => {
        const plain = { ...object };
        const { value, text, truncated } = truncateJson(plain, within(limit));
        expect(estimateTokens(text)).toBeLessThanOrEqual(limit + 400);
        expect(text).toBe(JSON.stringify(value));
        if (truncated === null) expect(value).toEqual(plain);
        else expect(value['truncated']).toBe(truncated);
      }),
    );
  });

  it('keeps the type of what is left', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ maxLength: 300 }),
        fc.integer({ min: 200, max: 500 }),
        (json, text, limit) => {
          const { value } = truncateJson({ json, text, list: [json, text], inside: { json, text } }, within(limit));
          const { json: left = json, text: textLeft = '', list = [], inside = {} } = value;
          expect([kindOf(left), kindOf(textLeft), kindOf(list), kindOf(inside)]).toEqual([
            kindOf(json),
            'string',
            'list',
            'object',
          ]);
        },
      ),
    );
  });
});

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
