type Schema = Readonly<Record<string, unknown>>;

/** The keywords that contain subschemas: in a map, in a list, or as the value itself. */
const inMaps = new Set(['properties', 'patternProperties', '$defs']);
const inLists = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const inValues = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);

/** Annotations, which do not restrict values: they stay beside `anyOf`, while the rest moves into its branches. */
const describing = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * Rewrites a JSON Schema for clients with limited support: a list of types becomes `anyOf` branches with one type each,
 * since some clients accept only a single type; an array always has `items`, without which some refuse all tools
 * (MCP-028); an `additionalProperties` that allows anything becomes `true`; and keywords that restrict nothing are
 * dropped.
 */
export function portableSchema<Given extends Schema>(schema: Given): Given;
export function portableSchema(schema: Schema): Schema {
  const parts = Object.entries(withItems(schema)).flatMap(([keyword, value]) => {
    if (isNeedless(keyword, value)) return [];
    return [[keyword, portablePart(keyword, value)] as const];
  });
  return withOneType(Object.fromEntries(parts));
}

/** Has an array say which items it takes: any, if nothing else is said. */
function withItems(schema: Schema): Schema {
  const { type, items } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && typeof items !== 'object' ? { ...schema, items: {} } : schema;
}

function portablePart(keyword: string, value: unknown): unknown {
  if (keyword === 'additionalProperties' && isEmpty(value)) return true;
  if (inValues.has(keyword)) return portableOrAsIs(value);
  if (inLists.has(keyword) && Array.isArray(value)) return value.map(portableOrAsIs);
  if (inMaps.has(keyword) && isSchema(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, portableOrAsIs(part)]));
  }
  return value;
}

/** Whether a keyword restricts nothing: `propertyNames` of type string are the default. */
function isNeedless(keyword: string, value: unknown): boolean {
  return keyword === 'propertyNames' && isSchema(value) && Object.keys(value).join() === 'type';
}

/** Splits a list of types into branches with one type each. A schema that already has branches is kept as it is. */
function withOneType({ type, ...rest }: Schema): Schema {
  if (!Array.isArray(type) || rest['anyOf'] !== undefined) return type === undefined ? rest : { ...rest, type };
  const entries = Object.entries(rest);
  const kept = Object.fromEntries(entries.filter(([keyword]) => describing.has(keyword)));
  const restricting = entries.filter(([keyword]) => !describing.has(keyword));
  // Only an enum restricts null.
  const ofNull = restricting.filter(([keyword]) => keyword === 'enum');
  const anyOf = type.map((one) => ({ type: one, ...Object.fromEntries(one === 'null' ? ofNull : restricting) }));
  return { ...kept, anyOf };
}

function portableOrAsIs(value: unknown): unknown {
  return isSchema(value) ? portableSchema(value) : value;
}

function isEmpty(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
