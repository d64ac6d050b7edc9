import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { portableSchema } from '#adapters/mcp/tools/portable-schema.ts';

describe('a portable schema', () => {
  it('has a branch for each type, and what describes the value beside them', () => {
    expect(portableSchema({ type: ['string', 'null'], minLength: 1, description: 'Null clears it' })).toEqual({
      description: 'Null clears it',
      anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }],
    });
  });

  it('says of free members that they are free', () => {
    const free = { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} };
    expect(portableSchema(free)).toEqual({ type: 'object', additionalProperties: true });
  });

  it('has items for every array, also for one of any items (MCP-028)', () => {
    const any = { type: 'array', items: {} };
    expect(portableSchema(any)).toEqual(any);
    expect(portableSchema({ type: 'array' })).toEqual(any);
    expect(portableSchema({ type: 'array', items: true })).toEqual(any);
    expect(portableSchema({ anyOf: [{ type: 'array' }] })).toEqual({ anyOf: [any] });
    const pair = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    expect(portableSchema(pair)).toEqual({ ...pair, items: {} });
    expect(portableSchema({ type: ['array', 'null'] })).toMatchObject({ anyOf: [any, { type: 'null' }] });
  });

  it('is portable all through, and takes members that are called as keywords for what they are', () => {
    const nullable = { type: ['integer', 'null'] };
    const branches = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
    const properties = { type: nullable, items: {}, list: { type: 'array', items: { anyOf: [nullable] } } };
    expect(portableSchema({ type: 'object', properties, required: ['type'] })).toEqual({
      type: 'object',
      properties: { type: branches, items: {}, list: { type: 'array', items: { anyOf: [branches] } } },
      required: ['type'],
    });
  });

  it('leaves values alone, also those that look like schemas', () => {
    const schema = { type: 'object', default: { items: {}, type: ['a'] }, enum: [{ additionalProperties: {} }] };
    expect(portableSchema(schema)).toEqual(schema);
  });

  const schemas = [
    { type: ['string', 'null'], minLength: 2 },
    { type: ['string', 'null'], enum: ['on', null] },
    { type: ['string', 'null'], enum: ['on'] },
    { type: ['string', 'number', 'boolean'], maximum: 3 },
    { type: ['object', 'array'], required: ['a'], additionalProperties: {}, items: {} },
  ];
  const values = [null, '', 'on', 'off', 3, 4, true, {}, { a: 1 }, [], [1]];

  it.each(schemas)('takes and refuses what %j does', (schema) => {
    const verdicts = (of: object) => {
      const validate = new AjvJsonSchemaValidator().getValidator(of);
      return values.map((value) => validate(value).valid);
    };
    expect(verdicts(portableSchema(schema))).toEqual(verdicts(schema));
  });
});
