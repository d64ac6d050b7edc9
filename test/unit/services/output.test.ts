import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { done, listOf, pagesOf, recordOf } from '#adapters/services/output.ts';
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
} from '#adapters/services/output-members.ts';

const anyId = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

describe('the schema of what an operation answers', () => {
  it('of a record is open, requires nothing, and lists plain types together', () => {
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

  it('as it is for those who are handed on what a provider says allows null for every member', () => {
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

  it('of a record with names of the user declares no name', () => {
    expect(recordOf({}).contentSchema).toEqual({ type: 'object' });
  });

  it('of a list has it under `data`, which a failure need not have', () => {
    const { kind, contentSchema, dataSchema } = listOf(z.string());
    expect(kind).toBe('list');
    expect(contentSchema).toEqual({
      type: 'object',
      properties: { data: { type: 'array', items: { type: 'string' } }, truncated: { type: 'string' } },
    });
    expect(dataSchema).toEqual({ type: 'array', items: { type: 'string' } });
  });

  it('of a list in pages tells where it goes on', () => {
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

  it('of what answers nothing is that it is done, which a failure need not be', () => {
    const { contentSchema, dataSchema } = done;
    expect(contentSchema).toEqual({
      type: 'object',
      properties: { done: { type: 'boolean', const: true } },
    });
    expect(dataSchema).toEqual({ type: 'null' });
  });
});

describe('misfits', () => {
  const output = listOf({ id: ownId(), value: number(), owner: part({ name: text() }) });

  it('are none where all is as documented or missing, whatever else comes', () => {
    const data = [{ id: 1 }, { id: 'two', owner: { name: 'Ada', more: [] } }, { other: true }];
    expect(output.mismatchesIn({ data, more: 1 })).toEqual([]);
  });

  it('are told by their place, and by what is documented there', () => {
    const data = [{ id: false, value: '12' }, null, { owner: { name: 4 } }];
    expect(output.mismatchesIn({ data })).toEqual([
      { path: ['data', 0, 'id'], documented: 'a number or text' },
      { path: ['data', 0, 'value'], documented: 'a number' },
      { path: ['data', 1], documented: 'an object' },
      { path: ['data', 2, 'owner', 'name'], documented: 'text' },
    ]);
  });
});
