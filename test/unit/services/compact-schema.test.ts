import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputSchemaOf } from '#adapters/services/compact-schema.ts';

describe('the schema of what an operation takes', () => {
  it('has no bounds that every whole number keeps, no pattern beside a format, and no word on names', () => {
    const input = z.strictObject({
      id: z.int().min(1),
      change: z.int(),
      day: z.iso.date().describe('Such as "2026-03-31"'),
      custom: z.record(z.string(), z.unknown()),
    });
    expect(inputSchemaOf(input)).toEqual({
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
    expect(inputSchemaOf(input)['properties']).toEqual({
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

  it('has members that are called as keywords, and says that there are none', () => {
    const input = z.strictObject({ pattern: z.string(), format: z.string(), maximum: z.int(), properties: z.string() });
    expect(Object.keys(Object(inputSchemaOf(input)['properties']))).toEqual([
      'pattern',
      'format',
      'maximum',
      'properties',
    ]);
    expect(inputSchemaOf(z.strictObject({}))).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });
});
