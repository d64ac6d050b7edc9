import { describe, expect, it } from 'vitest';
import { withoutNestedIds } from '#adapters/mcp/results/nested-ids.ts';

const record = (...names: string[]) => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const schema = {
  type: 'array',
  items: {
    properties: {
      id: {},
      state: record('name'),
      stage: record('name', 'id'),
      labels: { type: 'array', items: record('name') },
      parent: record('title'),
    },
  },
};
const item = {
  id: '1',
  state: { id: 's', name: 'Done' },
  stage: { id: 't', name: 'Won' },
  labels: [{ id: 'l', name: 'Bug' }],
  parent: { id: 'p' },
  custom: { id: 'c', name: 'As it is' },
};
const short = { ...item, state: { name: 'Done' }, labels: [{ name: 'Bug' }] };

describe('the ids of records inside the items of a list (TOOL-022)', () => {
  it('are left out where the schema documents the record without one, and something else names it', () => {
    expect(withoutNestedIds([item], schema, undefined)).toEqual([short]);
  });

  it('stay if they are asked for by their paths', () => {
    expect(withoutNestedIds([item], schema, ['id', 'state.id'])).toEqual([{ ...short, state: item.state }]);
    expect(withoutNestedIds([item], schema, ['labels', 'labels.id'])).toEqual([{ ...short, labels: item.labels }]);
  });

  it('stay in what is no list, and in items that are no records', () => {
    expect(withoutNestedIds(item, schema, undefined)).toBe(item);
    expect(withoutNestedIds(['a', null], schema, undefined)).toEqual(['a', null]);
  });
});
