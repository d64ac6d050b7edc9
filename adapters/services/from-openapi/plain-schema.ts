/** A JSON type. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** Bounds of numbers, strings and lists, by keyword. */
export type Bounds = Readonly<
  Partial<
    Record<
      | 'minimum'
      | 'maximum'
      | 'exclusiveMinimum'
      | 'exclusiveMaximum'
      | 'multipleOf'
      | 'minLength'
      | 'maxLength'
      | 'minItems'
      | 'maxItems',
      number
    >
  >
>;

/**
 * A normalised schema, whatever the version of its document: references and `allOf` are resolved, `nullable` is a type,
 * and `const` is a list of one value.
 */
export type PlainSchema = Readonly<{
  /** The types that are accepted; empty accepts every type. */
  types: readonly JsonType[];
  /** The branches of `oneOf` or `anyOf`, one of which must match; empty when there are none. */
  anyOf: readonly PlainSchema[];
  /** The values that are accepted; null accepts every value. */
  values: readonly unknown[] | null;
  properties: ReadonlyMap<string, PlainSchema>;
  required: ReadonlySet<string>;
  /** What additional members of an object must match; true accepts any, null when unspecified. */
  additional: PlainSchema | boolean | null;
  items: PlainSchema | null;
  bounds: Bounds;
  format: string | null;
  pattern: string | null;
  description: string | null;
  /** The default value that the provider assumes; undefined when there is none. */
  assumed: unknown;
}>;

/** A schema that accepts anything. */
export const anySchema: PlainSchema = {
  types: [],
  anyOf: [],
  values: null,
  properties: new Map(),
  required: new Set(),
  additional: null,
  items: null,
  bounds: {},
  format: null,
  pattern: null,
  description: null,
  assumed: undefined,
};

/** The maximum number of branches that are combined with others. */
const maxBranches = 16;

/** Merges two schemas into one that accepts what both accept (`allOf`). */
export function merged(left: PlainSchema, right: PlainSchema): PlainSchema {
  const properties = new Map(left.properties);
  for (const [name, schema] of right.properties) {
    const other = properties.get(name);
    properties.set(name, other === undefined ? schema : merged(other, schema));
  }
  return {
    types: bothTypes(left.types, right.types),
    anyOf: bothBranches(left.anyOf, right.anyOf),
    values: bothValues(left.values, right.values),
    properties,
    required: new Set([...left.required, ...right.required]),
    additional: left.additional === false || right.additional === false ? false : (right.additional ?? left.additional),
    items: left.items !== null && right.items !== null ? merged(left.items, right.items) : (right.items ?? left.items),
    bounds: { ...left.bounds, ...right.bounds },
    format: right.format ?? left.format,
    pattern: right.pattern ?? left.pattern,
    description: right.description ?? left.description,
    assumed: right.assumed === undefined ? left.assumed : right.assumed,
  };
}

function bothTypes(left: readonly JsonType[], right: readonly JsonType[]): readonly JsonType[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const both = left.filter((type) => right.includes(type) || (type === 'integer' && right.includes('number')));
  return both.length === 0 ? right : both;
}

function bothValues(left: readonly unknown[] | null, right: readonly unknown[] | null): readonly unknown[] | null {
  if (left === null || right === null) return left ?? right;
  const both = left.filter((value) => right.includes(value));
  return both.length === 0 ? right : both;
}

/**
 * Combines two lists of branches pairwise; when that would be too many, only the first list is kept, and the provider
 * validates the second.
 */
function bothBranches(left: readonly PlainSchema[], right: readonly PlainSchema[]): readonly PlainSchema[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  if (left.length * right.length > maxBranches) return left;
  return left.flatMap((one) => right.map((other) => merged(one, other)));
}

/** Counts a schema and all its subschemas. */
export function sizeOf({ anyOf, properties, additional, items }: PlainSchema): number {
  const parts = [...anyOf, ...properties.values()];
  if (items !== null) parts.push(items);
  if (typeof additional === 'object' && additional !== null) parts.push(additional);
  return parts.reduce((sum, part) => sum + sizeOf(part), 1);
}

/**
 * Merges the branches of an object schema into one object with the members of all; a member is required when every
 * branch requires it. Returns the schema unchanged when it has no branches, or one that is not an object.
 */
export function withoutBranches(schema: PlainSchema): PlainSchema {
  const { anyOf, ...base } = schema;
  const branches = anyOf.map(withoutBranches);
  if (branches.length === 0 || !branches.every(isObjectSchema)) return schema;
  const names = new Set(branches.flatMap(({ properties }) => [...properties.keys()]));
  const properties = new Map(
    [...names].map((name) => [name, eitherOf(branches.flatMap((one) => one.properties.get(name) ?? []))]),
  );
  const required = [...names].filter((name) => branches.every((one) => one.required.has(name)));
  const [first] = branches;
  const additional = branches.every((one) => one.additional === first?.additional) ? (first?.additional ?? null) : null;
  const whole = { ...anySchema, types: ['object'] as const, properties, required: new Set(required), additional };
  return merged({ ...base, anyOf: [] }, whole);
}

/** Whether a schema accepts objects, and nothing else but null. */
export function isObjectSchema({ types, properties, anyOf }: PlainSchema): boolean {
  const others = types.filter((type) => type !== 'null');
  return anyOf.length === 0 && (others.length === 0 ? properties.size > 0 : others.join() === 'object');
}

/** Returns a schema that accepts what any of the schemas accepts. */
function eitherOf(schemas: readonly PlainSchema[]): PlainSchema {
  const different = new Map(schemas.map((schema) => [JSON.stringify(comparable(schema)), schema]));
  const [first, ...others] = [...different.values()];
  if (first === undefined) return anySchema;
  if (others.length === 0) return first;
  return { ...anySchema, anyOf: [...different.values()], description: first.description };
}

/** Converts a schema to plain JSON for comparison. */
function comparable(schema: PlainSchema): unknown {
  const { properties, required, anyOf, additional, items, ...rest } = schema;
  return {
    ...rest,
    anyOf: anyOf.map(comparable),
    properties: [...properties].map(([name, one]) => [name, comparable(one)]),
    required: [...required],
    additional: typeof additional === 'object' && additional !== null ? comparable(additional) : additional,
    items: items === null ? null : comparable(items),
  };
}
