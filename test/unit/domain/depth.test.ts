import { describe, expect, it } from 'vitest';
import { isTooDeep } from '#domain/json/json-data.ts';

/** Lists in lists, so many levels. */
const lists = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** Objects in objects, so many levels. */
const objects = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('data is nested too deeply', () => {
  it.each([lists, objects])('from 101 levels on', (nested) => {
    expect(isTooDeep(nested(100))).toBe(false);
    expect(isTooDeep(nested(101))).toBe(true);
  });

  it('wherever the depth occurs', () => {
    expect(isTooDeep([{ id: 1 }, { id: 2, more: [0, 'text', objects(100)] }])).toBe(true);
    expect(isTooDeep([{ id: 1 }, { id: 2, more: [0, 'text', objects(97)] }])).toBe(false);
  });

  it('at any depth beyond that', () => {
    expect(isTooDeep(lists(1_000_000))).toBe(true);
  });

  it.each([null, undefined, 'text', 7, true])('but not if it is %j', (value) => {
    expect(isTooDeep(value)).toBe(false);
  });

  it('but not if it is not data, such as streamed bytes', () => {
    const bytes = (async function* () {
      yield new Uint8Array(1);
    })();
    expect(isTooDeep({ file: { name: 'a.pdf', bytes }, made: new Date(0) })).toBe(false);
  });
});
