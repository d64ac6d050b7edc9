import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { done, listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import {
  anything,
  byName,
  flag,
  idOf,
  many,
  number,
  ownId,
  part,
  text,
  texts,
} from '#adapters/services/answers/output-members.ts';

const anyId = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

describe('the output schema of an operation', () => {
  it('for a record is open, requires nothing, and lists plain types together', () => {
    const output = recordOf({
      title: text(),
      value: number('In `currency`'),
      isOpen: flag(),
      owner: part({ name: text(), id: ownId() }, 'Who has it'),
      labels: texts(),
      lines: many({ sum: number() }),
      custom: byName(),
      result: anything('What was found'),
      person_id: idOf('From the list of persons'),
      id: ownId(),
    });
    expect(output.contentSchema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string' },
        value: { type: 'number', description: 'In `currency`' },
        isOpen: { type: 'boolean' },
        owner: {
          type: 'object',
          description: 'Who has it',
          properties: { name: { type: 'string' }, id: anyId },
        },
        labels: { type: 'array', items: { type: 'string' } },
        lines: { type: 'array', items: { type: 'object', properties: { sum: { type: 'number' } } } },
        custom: { type: 'object' },
        result: { description: 'What was found' },
        person_id: { ...anyId, description: 'From the list of persons' },
        id: anyId,
        truncated: { type: 'string' },
      },
    });
    expect(Object.keys(Object(output.contentSchema['properties']))[0]).toBe('title');
  });

  it("for callers that get a provider's answer unchanged allows null for every member", () => {
    expect(listOf({ title: text(), owner: part({ id: ownId() }), result: anything() }).dataSchema).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: ['string', 'null'] },
          owner: { type: ['object', 'null'], properties: { id: { anyOf: [...anyId.anyOf, { type: 'null' }] } } },
          result: {},
        },
      },
    });
  });

  it("for a record with the user's own names declares no name", () => {
    expect(recordOf({}).contentSchema).toEqual({ type: 'object' });
  });

  it('for a list has it under `data`, which is optional in a failure', () => {
    const { kind, contentSchema, dataSchema } = listOf(z.string());
    expect(kind).toBe('list');
    expect(contentSchema).toEqual({
      type: 'object',
      properties: { data: { type: 'array', items: { type: 'string' } }, truncated: { type: 'string' } },
    });
    expect(dataSchema).toEqual({ type: 'array', items: { type: 'string' } });
  });

  it('for a paged list has the cursor of the next page', () => {
    expect(pagesOf({ id: ownId() }).contentSchema).toMatchObject({
      properties: {
        data: { type: 'array', items: { type: 'object', properties: { id: anyId } } },
        pagination: {
          type: 'object',
          properties: { next: { anyOf: [{ type: 'string' }, { type: 'null' }] }, hasMore: { type: 'boolean' } },
          required: ['next', 'hasMore'],
        },
      },
    });
  });

  it('for an operation without an answer is that it is done, which is optional in a failure', () => {
    const { contentSchema, dataSchema } = done;
    expect(contentSchema).toEqual({
      type: 'object',
      properties: { done: { type: 'boolean', const: true } },
    });
    expect(dataSchema).toEqual({ type: 'null' });
  });
});

describe('schema mismatches', () => {
  const output = listOf({ id: ownId(), value: number(), owner: part({ name: text() }) });

  it('are absent if everything is as documented or missing, whatever else is there', () => {
    const data = [{ id: 1 }, { id: 'two', owner: { name: 'Ada', more: [] } }, { other: true }];
    expect(output.mismatchesIn({ data, more: 1 })).toEqual([]);
    expect(output.isMatch({ data, more: 1 })).toBe(true);
  });

  it('are reported by their place, and by what is documented there', () => {
    const data = [{ id: false, value: '12' }, null, { owner: { name: 4 } }];
    expect(output.mismatchesIn({ data })).toEqual([
      { path: ['data', 0, 'id'], documented: 'a number or text' },
      { path: ['data', 0, 'value'], documented: 'a number' },
      { path: ['data', 1], documented: 'an object' },
      { path: ['data', 2, 'owner', 'name'], documented: 'text' },
    ]);
  });

  it('are none where a member is null, which counts as missing', () => {
    expect(output.isMatch({ data: [{ id: null, owner: { name: null } }, { owner: null }] })).toBe(true);
  });

  it.each([
    ['an item is null', [null]],
    ['a member has another type', [{ value: '12' }]],
    ['a member of a record inside has another type', [{ owner: { name: 4 } }]],
  ])('are found where %s', (_, data) => {
    expect(output.isMatch({ data })).toBe(false);
  });

  it('are found by the checks of a type', () => {
    const checked = recordOf({ tags: z.array(z.string()).min(1).optional() });
    expect(checked.isMatch({ tags: [] })).toBe(false);
    expect(checked.isMatch({ tags: null })).toBe(true);
  });
});
