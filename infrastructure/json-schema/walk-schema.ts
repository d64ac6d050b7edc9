/** A JSON Schema (draft 2020-12), or one inside another. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The keywords that contain schemas: in a map, in a list, or as the value itself. */
const inMaps = new Set(['properties', 'patternProperties', '$defs']);
const inLists = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const inValues = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);

/** Changes a schema and then, in the result, every schema inside it; other values are kept as they are. */
export function walkSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const below = (value: unknown) => (isSchema(value) ? walkSchema(value, change) : value);
  return mapMembers(change(schema), (value, keyword) => {
    if (inValues.has(keyword)) return below(value);
    if (inLists.has(keyword) && Array.isArray(value)) return value.map(below);
    return inMaps.has(keyword) && isSchema(value) ? mapMembers(value, below) : value;
  });
}

/** Maps the values of an object. */
export function mapMembers(object: JsonSchema, map: (value: unknown, name: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

/** The members of an object that satisfy a condition. */
export function filterMembers(object: JsonSchema, keep: (name: string, value: unknown) => boolean): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => keep(name, value)));
}

/** Whether a value is a schema as an object, as opposed to `true` and `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
