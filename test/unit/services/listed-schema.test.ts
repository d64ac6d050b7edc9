import { expect, it } from 'vitest';
import { listedSchemaOf } from '#adapters/services/listed-schema.ts';

const listed = (value: object) => listedSchemaOf({ type: 'object', properties: { value } })['properties'];

it.each([
  [{ type: 'array', items: {} }],
  [{ type: 'array', items: { description: 'Anything' } }],
  [{ type: 'array', items: true }],
  [{ type: 'array' }],
])('%j is listed as strings (MCP-028)', (value) => {
  expect(listed(value)).toEqual({ value: { type: 'array', items: { type: 'string' } } });
  expect(listed({ anyOf: [value] })).toEqual({ value: { anyOf: [{ type: 'array', items: { type: 'string' } }] } });
});

it('custom fields by key, and formats that a client may refuse, are not listed (MCP-028)', () => {
  const open = listedSchemaOf({ type: 'object', properties: {}, patternProperties: { '^[0-9a-f]{40}$': {} } });
  expect(open).toEqual({ type: 'object', properties: {} });
  expect(listed({ type: 'string', format: 'uri' })).toEqual({ value: { type: 'string' } });
  expect(listed({ type: 'string', format: 'date-time' })).toEqual({ value: { type: 'string', format: 'date-time' } });
});
