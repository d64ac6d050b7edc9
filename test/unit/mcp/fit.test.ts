import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateJson, truncateText } from '#adapters/mcp/results/truncate.ts';

describe('a text', () => {
  it('stays whole within the limit', () => {
    expect(truncateText('four', 4)).toEqual({ value: 'four', text: 'four', truncated: null });
  });

  it('is never cut in the middle of a character', () => {
    expect(truncateText('abc😀def', 4).text).toBe('abc');
    expect(truncateText('abc😀def', 5).text).toBe('abc😀');
  });
});

describe('an object', () => {
  it('stays whole within the limit', () => {
    expect(truncateJson({ a: 1 })).toEqual({ value: { a: 1 }, text: '{"a":1}', truncated: null });
  });

  it('loses the ends of its long texts first', () => {
    const { value, truncated } = truncateJson({ data: [{ id: 1, body: 'x'.repeat(9000) }] }, 8000);
    expect(value['data']).toEqual([{ id: 1, body: `${'x'.repeat(4000)}… [9000 characters]` }]);
    expect(value['truncated']).toBe(truncated);
  });

  it('loses the last items of its list next, and keeps the pagination', () => {
    const data = Array.from({ length: 1000 }, (_, id) => ({ id, title: 'some deal' }));
    const { value, text, truncated } = truncateJson({ data, pagination: { next: 'c2', hasMore: true } }, 5000);
    const kept: unknown = value['data'];
    expect(Array.isArray(kept) && kept.length).toBeGreaterThan(100);
    expect(kept).toEqual(data.slice(0, Array.isArray(kept) ? kept.length : 0));
    expect(value['pagination']).toEqual({ next: 'c2', hasMore: true });
    expect(truncated).toMatch(/^Only the first \d+ of 1000 items are shown/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('loses the last items of its longest list when that has another name', () => {
    const files = Array.from({ length: 1000 }, (_, n) => `note ${n}.md`);
    const { value, truncated } = truncateJson({ files, tags: ['one'] }, 1000);
    expect(value['tags']).toEqual(['one']);
    expect(value['files']).toEqual(files.slice(0, Array.isArray(value['files']) ? value['files'].length : 0));
    expect(truncated).toMatch(/^Only the first \d{2} of 1000 items of `files` are shown/);
  });

  it('loses its longest members at last, and says which', () => {
    const long = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`member ${n}`, n]));
    const { value, text, truncated } = truncateJson({ name: 'Acme', long, id: 7 }, 500);
    expect(value).toMatchObject({ name: 'Acme', id: 7, long: { 'member 1': 1 }, truncated });
    expect(text).toBe(JSON.stringify(value));
    expect(truncated).toMatch(
      /^Left out or cut for their length: `long`, `long\.member \d+`.* and \d+ more\. Ask for less/,
    );
  });

  it('keeps a part of the first item when no item of the list has room', () => {
    const item = { id: 1, title: 'Acme', ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, n])) };
    const { value } = truncateJson({ data: [item, item], pagination: { next: null, hasMore: false } }, 500);
    expect(value).toMatchObject({ data: [{ id: 1, title: 'Acme' }], pagination: { next: null, hasMore: false } });
  });

  it('fits whatever it holds, stays JSON, and what is said to be whole is whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 50, max: 500 }), (object, limit) => {
        const plain = { ...object };
        const { value, text, truncated } = truncateJson(plain, limit);
        expect(text.length).toBeLessThanOrEqual(limit + 1000);
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
        fc.integer({ min: 50, max: 500 }),
        (json, text, limit) => {
          const { value } = truncateJson({ json, text, list: [json, text], inside: { json, text } }, limit);
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
