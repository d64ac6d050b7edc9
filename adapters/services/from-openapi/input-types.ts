import { z } from 'zod';
import { shortened } from '#adapters/services/from-openapi/names.ts';
import type { JsonType, PlainSchema } from '#adapters/services/from-openapi/plain-schema.ts';

/**
 * Creates the type that validates an input. Patterns and formats are shown but not enforced: regular expressions from
 * outside are not run here, providers interpret formats more widely than their names say, and the provider validates
 * both anyway.
 */
export function inputTypeOf(schema: PlainSchema): z.ZodType {
  const { description, format, pattern, assumed } = schema;
  const annotations = {
    ...(description === null ? {} : { description: shortened(description) }),
    ...(format === null || !shownFormats.has(format) ? {} : { format }),
    ...(pattern === null || pattern.length > maxPattern ? {} : { pattern }),
    ...(assumed === undefined || typeof assumed === 'object' ? {} : { default: assumed }),
  };
  const type = bareTypeOf(schema);
  return Object.keys(annotations).length === 0 ? type : type.meta(annotations);
}

/** Formats that are informative for a model. */
const shownFormats = new Set(['date', 'date-time', 'time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'byte']);
/** The maximum length of a pattern that is shown, in characters. */
const maxPattern = 100;

function bareTypeOf(schema: PlainSchema): z.ZodType {
  const { anyOf, values, types } = schema;
  if (anyOf.length > 0) return z.union(anyOf.map(inputTypeOf));
  if (values !== null) return valuesType(values, types);
  const isNullable = types.includes('null');
  const others = types.filter((type) => type !== 'null');
  const [first = null] = others;
  if (first === null) return isNullable ? z.null() : z.unknown();
  const type = others.length === 1 ? typeFor(first, schema) : z.union(others.map((one) => typeFor(one, schema)));
  return isNullable ? z.nullable(type) : type;
}

/**
 * A type of the listed values. Null is a value if it is also a type, since OpenAPI 3.0 documents list it in only one of
 * the two places.
 */
function valuesType(values: readonly unknown[], types: readonly JsonType[]): z.ZodType {
  const texts = values.filter((value) => typeof value === 'string');
  const isNullable = types.includes('null') || values.includes(null);
  const [first, ...others] = texts;
  if (first !== undefined && texts.length === values.filter((value) => value !== null).length) {
    const choice = z.enum([first, ...others]);
    return isNullable ? z.nullable(choice) : choice;
  }
  const plain = values.filter((value) => typeof value === 'number' || typeof value === 'boolean' || isText(value));
  if (plain.length === 0) return isNullable ? z.null() : z.unknown();
  const choice = z.literal(plain);
  return isNullable ? z.nullable(choice) : choice;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function typeFor(type: JsonType, schema: PlainSchema): z.ZodType {
  switch (type) {
    case 'string':
      return textType(schema);
    case 'integer':
      return numberType(z.int(), schema);
    case 'number':
      return numberType(z.number(), schema);
    case 'boolean':
      return z.boolean();
    case 'array':
      return listType(schema);
    case 'object':
      return objectType(schema);
    case 'null':
      return z.null();
  }
}

function textType({ bounds: { minLength, maxLength } }: PlainSchema): z.ZodType {
  const least = minLength === undefined || minLength <= 0 ? z.string() : z.string().min(minLength);
  return maxLength === undefined ? least : least.max(maxLength);
}

function numberType(type: z.ZodNumber, { bounds }: PlainSchema): z.ZodType {
  let bounded = type;
  if (bounds.minimum !== undefined) bounded = bounded.min(bounds.minimum);
  if (bounds.maximum !== undefined) bounded = bounded.max(bounds.maximum);
  if (bounds.exclusiveMinimum !== undefined) bounded = bounded.gt(bounds.exclusiveMinimum);
  if (bounds.exclusiveMaximum !== undefined) bounded = bounded.lt(bounds.exclusiveMaximum);
  return bounds.multipleOf === undefined || bounds.multipleOf <= 0 ? bounded : bounded.multipleOf(bounds.multipleOf);
}

function listType({ items, bounds: { minItems, maxItems } }: PlainSchema): z.ZodType {
  const list = z.array(items === null ? z.unknown() : inputTypeOf(items));
  const least = minItems === undefined || minItems <= 0 ? list : list.min(minItems);
  return maxItems === undefined ? least : least.max(maxItems);
}

function objectType({ properties, required, additional }: PlainSchema): z.ZodType {
  if (properties.size === 0) {
    const value = typeof additional === 'object' && additional !== null ? inputTypeOf(additional) : z.unknown();
    return z.record(z.string(), value);
  }
  const shape = Object.fromEntries(
    [...properties].map(([name, part]) => {
      const type = inputTypeOf(part);
      return [name, required.has(name) ? type : type.optional()];
    }),
  );
  return additional === false ? z.strictObject(shape) : z.looseObject(shape);
}
