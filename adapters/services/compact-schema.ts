import { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of an output type, without keywords that do not inform a reader, since every list of tools sends it
 * to a model. Unions of plain types become one list of types, and integers have only the bounds that were declared.
 */
export function compactSchemaOf(type: z.ZodType): JsonSchema {
  return compact(jsonSchemaOf(type), flattened);
}

/**
 * The JSON Schema of an input type, compacted in the same way: a format needs no equivalent pattern. Unions are kept.
 */
export function inputSchemaOf(type: z.ZodObject): JsonSchema {
  const { properties = {}, ...schema } = compact(jsonSchemaOf(type), (one) => one);
  return { ...schema, properties };
}

const known = new WeakMap<z.ZodType, JsonSchema>();

/** Cached per type: a process that opens a catalog repeatedly, as tests do, needs the same schemas. */
function jsonSchemaOf(type: z.ZodType): JsonSchema {
  const made = known.get(type);
  if (made !== undefined) return made;
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  known.set(type, schema);
  return schema;
}

/** Transforms a schema before its keywords are compacted. */
type Change = (schema: JsonSchema) => JsonSchema;

function compact(schema: JsonSchema, change: Change): JsonSchema {
  const changed = change(schema);
  return Object.fromEntries(
    Object.entries(changed)
      .filter(([keyword, value]) => !isNeedless(keyword, value, changed))
      .map(([keyword, value]) => [keyword, compactPart(keyword, value, change)]),
  );
}

function isNeedless(keyword: string, value: unknown, schema: JsonSchema): boolean {
  switch (keyword) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'pattern':
      return schema['format'] !== undefined;
    case 'propertyNames':
      return isSchema(value) && Object.keys(value).join() === 'type';
    case 'additionalProperties':
    case 'properties':
      return isEmpty(value);
    default:
      return false;
  }
}

function compactPart(keyword: string, value: unknown, change: Change): unknown {
  const compactAny = (part: unknown) => (isSchema(part) ? compact(part, change) : part);
  if (keyword === 'items' || keyword === 'additionalProperties') return compactAny(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(compactAny);
  if (keyword !== 'properties' || !isSchema(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, compactAny(part)]));
}

/** Allows null for every member, since providers send null for empty fields. */
export function withEmptyMembers(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isSchema(items) ? { items: withEmptyMembers(items) } : {}),
    ...(isSchema(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, orNull(part)])) }
      : {}),
  };
}

function orNull(part: unknown): unknown {
  if (!isSchema(part)) return part;
  const schema = withEmptyMembers(part);
  return schema['type'] === undefined ? schema : { ...schema, type: [schema['type'], 'null'].flat() };
}

/** Converts `anyOf` to one schema with a list of types, if at most one branch says more than its type. */
function flattened(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.filter(isSchema).map((branch) => compact(branch, flattened));
  const types = branches.flatMap(({ type }) => (typeof type === 'string' || Array.isArray(type) ? type : []));
  const describing = branches.filter((branch) => Object.keys(branch).some((keyword) => keyword !== 'type'));
  const isReported = branches.every(({ type }) => type !== undefined) && describing.length <= 1;
  return isReported && !describing.some((branch) => 'const' in branch || 'enum' in branch)
    ? { ...describing[0], ...rest, type: [...new Set(types)] }
    : schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0;
}
