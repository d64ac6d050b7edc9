import { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of what is answered, without what says nothing to a reader: each goes to a model with every list of tools. Choices
 * between plain types become one list of types, and whole numbers have no bounds but those that were asked for.
 */
export function compactSchemaOf(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return compact(schema);
}

function compact(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(flattened(schema)).flatMap(([keyword, value]) => kept(keyword, value)));
}

function kept(keyword: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (keyword === 'propertyNames') return [];
  if (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) return [];
  if (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) return [];
  if (keyword === 'items') return [[keyword, compactAny(value)]];
  if (keyword === 'additionalProperties') return isEmpty(value) ? [] : [[keyword, compactAny(value)]];
  if (keyword === 'anyOf' && Array.isArray(value)) return [[keyword, value.map(compactAny)]];
  if (keyword === 'properties' && isSchema(value)) {
    if (isEmpty(value)) return [];
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, compactAny(part)]))]];
  }
  return [[keyword, value]];
}

/** `anyOf` as one schema with a list of types, where at most one of its branches says more than its type. */
function flattened(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.filter(isSchema).map(compact);
  const types = branches.flatMap(({ type }) => (typeof type === 'string' || Array.isArray(type) ? type : []));
  const telling = branches.filter((branch) => Object.keys(branch).some((keyword) => keyword !== 'type'));
  const isTold = branches.every(({ type }) => type !== undefined) && telling.length <= 1;
  return isTold && !telling.some((branch) => 'const' in branch || 'enum' in branch)
    ? { ...telling[0], ...rest, type: [...new Set(types)] }
    : schema;
}

const compactAny = (value: unknown): unknown => (isSchema(value) ? compact(value) : value);

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0;
}
