import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import { innerApi, innerProvider, jsonIn, messageOf, requestFor } from '#test/support/services/inner-api.ts';

const taking = (schema: object, { openapi = '3.1.0', schemas = {} }: { openapi?: string; schemas?: object } = {}) =>
  innerProvider(
    innerApi(
      {
        '/things': {
          post: {
            operationId: 'call',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { type: 'object', properties: { value: schema } } } },
            },
            responses: {},
          },
        },
      },
      { openapi, components: { schemas } },
    ),
  );
const refused = (schema: object, value: unknown, more?: Parameters<typeof taking>[1]) =>
  messageOf(taking(schema, more), { value });

describe('a schema is checked before anything is sent (OAPI-005)', () => {
  it.each([
    [{ type: 'integer', minimum: 1, exclusiveMaximum: 10 }, [1, 9], [0, 10, 1.5, '1']],
    [{ type: ['string', 'null'], maxLength: 3 }, ['abc', null], ['abcd', 1]],
    [{ const: 'a' }, ['a', null], ['b']],
    [{ type: ['string', 'null'], enum: ['a', null] }, ['a', null], ['b']],
    [{ enum: [1, 'a', true] }, [1, 'a', true], [2, 'b', false]],
    [{ type: 'array', items: { type: 'integer' }, minItems: 1 }, [[1]], [[], ['a'], 1]],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, ['a', 1, null], [true]],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    [{ type: 'object', properties: { a: {} }, required: ['a'] }, [{ a: 1, b: 2 }], [{ b: 2 }, []]],
    [{ type: 'object', properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 2 }]],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, [{ any: 1 }], [{ any: 'a' }]],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
      [{ a: 'x', b: 1 }, { a: 'x' }],
      [{ b: 1 }, { a: 'x', b: 'y' }],
    ],
    [
      { properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      [{ a: 1 }, { b: 1 }],
      [{}, { c: 1 }],
    ],
    [{}, [1, 'a', null, {}], []],
    [true, ['a'], []],
  ])('%j', (schema, good, bad) => {
    for (const value of good) expect(refused(Object(schema), value), JSON.stringify(value)).toBeNull();
    for (const value of bad) expect(refused(Object(schema), value), JSON.stringify(value)).not.toBeNull();
  });

  it.each([
    [{ type: 'string', nullable: true }, ['a', null], [1]],
    [{ type: 'string', enum: ['a'], nullable: true }, ['a', null], ['b']],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true }, ['a', 1, null], [true]],
    [{ type: 'integer', minimum: 1, exclusiveMinimum: true }, [2], [1]],
  ])('as written in OpenAPI 3.0: %j', (schema, good, bad) => {
    const old = { openapi: '3.0.3' };
    for (const value of good) expect(refused(schema, value, old), JSON.stringify(value)).toBeNull();
    for (const value of bad) expect(refused(schema, value, old), JSON.stringify(value)).not.toBeNull();
  });

  it('except for patterns and formats, which the API checks (OAPI-006)', () => {
    const schema = { type: 'string', pattern: '^(a+)+$', format: 'uuid' };
    expect(refused(schema, `${'a'.repeat(50)}!`)).toBeNull();
    const [info] = catalogOf([taking(schema)]).operations;
    expect(info?.inputSchema['properties']).toMatchObject({ value: { type: 'string', format: 'uuid' } });
  });

  it('without members that occur only in answers, which are not required', () => {
    const schema = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
    };
    expect(refused(schema, { name: 'N' })).toBeNull();
    expect(JSON.stringify(catalogOf([taking(schema)]).operations[0]?.inputSchema)).not.toContain('"id"');
  });
});

describe('references of a schema', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/components/schemas/tree' } } },
  };

  it('are followed, through steps with any characters (OAPI-004)', () => {
    const schemas = { 'a/b~c d': { $ref: '#/components/schemas/number' }, number: { type: 'integer' } };
    expect(refused({ $ref: '#/components/schemas/a~1b~0c%20d' }, 'x', { schemas })).toMatch(/whole number/);
  });

  it('to itself end after it was read once more (OAPI-004)', () => {
    const provider = taking({ $ref: '#/components/schemas/tree' }, { schemas: { tree } });
    const schema = JSON.stringify(catalogOf([provider]).operations[0]?.inputSchema);
    expect(schema).not.toContain('$ref');
    expect(schema.match(/"name"/g)).toHaveLength(2);
    const deep = { name: 'a', parts: [{ name: 'b', parts: [{ name: 'c', parts: [] }] }] };
    expect(jsonIn(requestFor(provider, { value: deep }))).toEqual({ value: deep });
    expect(messageOf(provider, { value: { name: 'a', parts: [{ name: 1 }] } })).toMatch(/`value.parts.0.name`/);
  });

  it('that is large are followed as deeply as it stays small enough (OAPI-004)', () => {
    const wide = (to: string) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`m${at}`, { $ref: `#/components/schemas/${to}` }]),
      ),
    });
    const schemas = { a: wide('b'), b: wide('c'), c: wide('d'), d: wide('e'), e: { type: 'string' } };
    const text = JSON.stringify(
      catalogOf([taking({ $ref: '#/components/schemas/a' }, { schemas })]).operations[0]?.inputSchema,
    );
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('"m8"');
  });
});
