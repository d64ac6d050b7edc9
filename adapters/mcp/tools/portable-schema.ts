type Schema = Readonly<Record<string, unknown>>;

/** Where a schema has others: under names, in a list, or as the value itself. */
const inMaps = new Set(['properties', 'patternProperties', '$defs']);
const inLists = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const inValues = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);

/** What describes a value and restricts none: it stays beside `anyOf`, and the rest goes into its branches. */
const describing = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * The same JSON Schema in words that more clients take: several types are branches of `anyOf` with one each, since some clients
 * know one type alone; what allows anything is not an empty schema; and names of members are not said to be texts.
 */
export function portableSchema<Given extends Schema>(schema: Given): Given;
export function portableSchema(schema: Schema): Schema {
  const parts = Object.entries(schema).flatMap(([keyword, value]) => {
    if (isNeedless(keyword, value)) return [];
    return [[keyword, portablePart(keyword, value)] as const];
  });
  return withOneType(Object.fromEntries(parts));
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

/** Items that may be anything, and names that are texts: every schema without a word about them says so. */
function isNeedless(keyword: string, value: unknown): boolean {
  if (keyword === 'items') return isEmpty(value);
  return keyword === 'propertyNames' && isSchema(value) && Object.keys(value).join() === 'type';
}

/** A list of types as branches with one type each. Where there are branches already, it is left. */
function withOneType({ type, ...rest }: Schema): Schema {
  if (!Array.isArray(type) || rest['anyOf'] !== undefined) return type === undefined ? rest : { ...rest, type };
  const entries = Object.entries(rest);
  const kept = Object.fromEntries(entries.filter(([keyword]) => describing.has(keyword)));
  const restricting = entries.filter(([keyword]) => !describing.has(keyword));
  // Nothing but a list of values says anything of null.
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
