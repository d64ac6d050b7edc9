import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  contentSchemaOf,
  fullSchemaOf,
  inLists,
  jsonSchemaOf,
  listedSchemaOf,
} from '#infrastructure/json-schema/tool-schema.ts';

const fullOf = (type: z.ZodType) => fullSchemaOf(jsonSchemaOf(type));
/** The whole schema of one input, and the schema by which it is listed. */
const full = (value: object) => Object(fullSchemaOf({ type: 'object', properties: { value } })['properties']).value;
const listed = (value: object) => Object(listedSchemaOf({ type: 'object', properties: { value } })['properties']).value;

describe('the whole schema of a tool’s arguments', () => {
  it('has no bounds that every whole number keeps, no pattern beside a format, and no rule for names', () => {
    const input = z.strictObject({
      id: z.int().min(1),
      change: z.int(),
      day: z.iso.date().describe('Such as "2026-03-31"'),
      custom: z.record(z.string(), z.unknown()),
    });
    expect(fullOf(input)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        change: { type: 'integer' },
        day: { type: 'string', format: 'date', description: 'Such as "2026-03-31"' },
        custom: { type: 'object' },
      },
      required: ['id', 'change', 'day', 'custom'],
      additionalProperties: false,
    });
  });

  it('keeps what restricts: bounds, patterns of its own, choices, names that are restricted', () => {
    const input = z.strictObject({
      count: z.int().max(500),
      module: z.string().regex(/^[A-Z]/),
      value: z.union([z.string().min(1), z.record(z.string(), z.string())]),
      by: z.record(z.string().regex(/^f_/), z.string()),
    });
    expect(fullOf(input)['properties']).toEqual({
      count: { type: 'integer', maximum: 500 },
      module: { type: 'string', pattern: '^[A-Z]' },
      value: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'object', additionalProperties: { type: 'string' } },
        ],
      },
      by: {
        type: 'object',
        propertyNames: { type: 'string', pattern: '^f_' },
        additionalProperties: { type: 'string' },
      },
    });
  });

  it('has members whose names are keywords, and says so if there are none', () => {
    const input = z.strictObject({ pattern: z.string(), format: z.string(), maximum: z.int(), properties: z.string() });
    expect(Object.keys(Object(fullOf(input)['properties']))).toEqual(['pattern', 'format', 'maximum', 'properties']);
    expect(fullOf(z.strictObject({}))).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('has a branch for each type, with the annotations beside them', () => {
    expect(full({ type: ['string', 'null'], minLength: 1, description: 'Null clears it' })).toEqual({
      description: 'Null clears it',
      anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }],
    });
  });

  it('has items for every array, also for one of any items (MCP-028)', () => {
    const any = { type: 'array', items: {} };
    expect(full(any)).toEqual(any);
    expect(full({ type: 'array' })).toEqual(any);
    expect(full({ type: 'array', items: true })).toEqual(any);
    expect(full({ anyOf: [{ type: 'array' }] })).toEqual({ anyOf: [any] });
    const pair = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    expect(full(pair)).toEqual({ ...pair, items: {} });
    expect(full({ type: ['array', 'null'] })).toMatchObject({ anyOf: [any, { type: 'null' }] });
  });

  it('is rewritten at every depth, and leaves values alone that look like schemas', () => {
    const nullable = { type: ['integer', 'null'] };
    const branches = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
    const properties = { type: nullable, items: {}, list: { type: 'array', items: { anyOf: [nullable] } } };
    expect(full({ type: 'object', properties, required: ['type'] })).toEqual({
      type: 'object',
      properties: { type: branches, items: {}, list: { type: 'array', items: { anyOf: [branches] } } },
      required: ['type'],
    });
    const values = { type: 'object', default: { items: {}, type: ['a'] }, enum: [{ additionalProperties: {} }] };
    expect(full(values)).toEqual(values);
  });

  const schemas = [
    { type: ['string', 'null'], minLength: 2 },
    { type: ['string', 'null'], enum: ['on', null] },
    { type: ['string', 'null'], enum: ['on'] },
    { type: ['string', 'number', 'boolean'], maximum: 3 },
    { type: ['object', 'array'], required: ['a'], additionalProperties: {}, items: {} },
  ];
  const values = [null, '', 'on', 'off', 3, 4, true, {}, { a: 1 }, [], [1]];

  it.each(schemas)('accepts and refuses what %j does', (schema) => {
    const verdicts = (of: object) => {
      const validate = new AjvJsonSchemaValidator().getValidator(of);
      return values.map((value) => validate(value).valid);
    };
    expect(verdicts(full(schema))).toEqual(verdicts(schema));
  });
});

describe('the schema by which arguments are listed', () => {
  it.each([
    [{ type: 'array', items: {} }],
    [{ type: 'array', items: { description: 'Anything' } }],
    [{ type: 'array', items: true }],
    [{ type: 'array' }],
  ])('lists %j as strings (MCP-028)', (value) => {
    const strings = { type: 'array', items: { type: 'string' } };
    expect(listed(value)).toEqual(strings);
    expect(listed({ anyOf: [value] })).toEqual({ anyOf: [strings] });
    expect(listed({ type: ['array', 'null'], items: {} })).toEqual({ anyOf: [strings, { type: 'null' }] });
  });

  it('omits custom fields by key, and formats that a client may refuse (MCP-028)', () => {
    const open = listedSchemaOf({ type: 'object', properties: {}, patternProperties: { '^[0-9a-f]{40}$': {} } });
    expect(open).toEqual({ type: 'object', properties: {} });
    expect(listed({ type: 'string', format: 'uri' })).toEqual({ type: 'string' });
    expect(listed({ type: 'string', format: 'date-time' })).toEqual({ type: 'string', format: 'date-time' });
  });

  it('uses the short descriptions, and omits inputs that another one replaces', () => {
    const schema = jsonSchemaOf(
      z.strictObject({
        owner: z.string().describe('Name, e-mail or id of the owner').meta(inLists('Owner')),
        page: z.int().min(1).optional().describe('The page').meta(inLists('')),
        any: z
          .unknown()
          .describe('Any JSON')
          .meta(inLists({ type: 'string' })),
        old: z.string().optional().meta(inLists(false)),
        owner_id: z.int().optional(),
      }),
    );
    expect(listedSchemaOf(schema, ['owner_id'])['properties']).toEqual({
      owner: { type: 'string', description: 'Owner' },
      page: { type: 'integer' },
      any: { type: 'string', description: 'Any JSON' },
    });
    expect(JSON.stringify(fullSchemaOf(schema))).not.toContain('"listed"');
  });
});

it('the schema of structured content allows other members', () => {
  expect(contentSchemaOf(jsonSchemaOf(z.looseObject({ id: z.int().optional() })))).toEqual({
    type: 'object',
    properties: { id: { type: 'integer' } },
  });
});
