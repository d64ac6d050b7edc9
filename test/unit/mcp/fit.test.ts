import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitJson, fitText } from '#adapters/mcp/fit.ts';

describe('a text', () => {
  it('stays whole within the limit', () => {
    expect(fitText('four', 4)).toEqual({ value: 'four', text: 'four', truncated: null });
  });

  it('is never cut in the middle of a character', () => {
    expect(fitText('abc😀def', 4).text).toBe('abc');
    expect(fitText('abc😀def', 5).text).toBe('abc😀');
  });
});

describe('an object', () => {
  it('stays whole within the limit', () => {
    expect(fitJson({ a: 1 })).toEqual({ value: { a: 1 }, text: '{"a":1}', truncated: null });
  });

  it('loses the ends of its long texts first', () => {
    const { value, truncated } = fitJson({ data: [{ id: 1, body: 'x'.repeat(9000) }] }, 8000);
    expect(value?.['data']).toEqual([{ id: 1, body: `${'x'.repeat(4000)}… [9000 characters]` }]);
    expect(value?.['truncated']).toBe(truncated);
  });

  it('loses the last items of its list next, and keeps the pagination', () => {
    const data = Array.from({ length: 1000 }, (_, id) => ({ id, title: 'some deal' }));
    const { value, text, truncated } = fitJson({ data, pagination: { next: 'c2', hasMore: true } }, 5000);
    const kept: unknown = value?.['data'];
    expect(Array.isArray(kept) && kept.length).toBeGreaterThan(100);
    expect(kept).toEqual(data.slice(0, Array.isArray(kept) ? kept.length : 0));
    expect(value?.['pagination']).toEqual({ next: 'c2', hasMore: true });
    expect(truncated).toMatch(/^Only the first \d+ of 1000 items are shown/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('is cut as text at last, and is no structured content then', () => {
    const { value, text, truncated } = fitJson(Object.fromEntries(Array.from({ length: 999 }, (_, n) => [n, n])), 100);
    expect(value).toBeNull();
    expect(text).toHaveLength(100);
    expect(truncated).toContain('Only the first 100 of');
  });

  it('fits whatever it holds, and what is said to be whole is whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 50, max: 500 }), (object, limit) => {
        const plain = { ...object };
        const { value, text, truncated } = fitJson(plain, limit);
        expect(text.length).toBeLessThanOrEqual(limit + 200);
        if (truncated === null) expect(text).toBe(JSON.stringify(plain));
        else if (value !== null) expect(JSON.parse(text)).toHaveProperty('truncated', truncated);
      }),
    );
  });
});
