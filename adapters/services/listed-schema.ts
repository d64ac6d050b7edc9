import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * How an input appears in lists of tools, where every word takes up a model's context: `false` omits it, since another
 * input serves the same purpose; a string replaces its description, '' removes it where the server's instructions cover
 * it; a schema replaces its own.
 */
type Listed = false | string | JsonSchema;

/** The metadata that says how an input is listed: `z.string().meta(inLists('Owner: name, e-mail, id or "me"'))`. */
export const inLists = (as: Listed) => ({ listed: as });

/**
 * Keywords that only reject values: the server's error for an invalid value says the same when needed. Custom fields by
 * their keys (`patternProperties`) may also be given in an input of their own.
 */
const rejecting = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'propertyNames',
  'patternProperties',
]);

/** Removes the list metadata; the result is the schema by which inputs are documented and validated. */
export function fullSchemaOf(schema: JsonSchema): JsonObjectSchema {
  return { ...mapped(schema, (part) => without(part, 'listed')), type: 'object' };
}

/**
 * Shortens an operation's input schema to what a model needs for a call: omits inputs that another one replaces (and
 * those in `unlisted`), uses the short descriptions, and drops keywords that only reject values. For the remaining
 * inputs it accepts whatever the full schema accepts.
 */
export function listedSchemaOf(schema: JsonSchema, unlisted: readonly string[] = []): JsonObjectSchema {
  const properties = Object.entries(Object(schema['properties'])).filter(([name]) => !unlisted.includes(name));
  return { ...mapped({ ...schema, properties: Object.fromEntries(properties) }, shortened), type: 'object' };
}

function shortened({ listed: as, additionalProperties, ...schema }: JsonSchema): JsonSchema {
  if (isSchema(as))
    return { ...(schema['description'] === undefined ? {} : { description: schema['description'] }), ...as };
  const described = as === '' ? undescribed(schema) : typeof as === 'string' ? { ...schema, description: as } : schema;
  const entries = Object.entries(described).flatMap(([keyword, value]) => {
    if (rejecting.has(keyword) || isDescribedAnyway(keyword, value, described)) return [];
    if (keyword === 'properties' && isSchema(value)) return [[keyword, withoutUnlisted(value)] as const];
    if (keyword === 'items') return [[keyword, listedItems(value)] as const];
    return [[keyword, value] as const];
  });
  if (schema['type'] === 'array' && schema['items'] === undefined) entries.push(['items', anyItems]);
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties } : {}) };
}

/** Items of any kind are listed as strings, since strict clients refuse items without a type (MCP-028). */
const anyItems: JsonSchema = { type: 'string' };

function listedItems(items: unknown): JsonSchema {
  const schema = isSchema(items) ? undescribed(items) : {};
  return Object.keys(schema).length === 0 ? anyItems : schema;
}

function withoutUnlisted(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).filter(([, property]) => !isSchema(property) || property['listed'] !== false),
  );
}

/** The schema without its description, which its list or the server's instructions cover. */
function undescribed(item: JsonSchema): JsonSchema {
  return without(item, 'description');
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** Whether a keyword repeats its description, is obvious (ids and page numbers start at 1), or ends some clients. */
function isDescribedAnyway(keyword: string, value: unknown, { description = '', maximum }: JsonSchema): boolean {
  const text = String(description);
  if (keyword === 'minimum') return value === 0 || value === 1 || text.includes(String(maximum));
  if (keyword === 'maximum') return text.includes(String(value)) || Number(value) >= 1_000_000;
  // Gemini refuses other formats of strings.
  if (keyword === 'format') return value !== 'date-time' || /this (?:moment|time)|\d{4}-\d\d-\d\d/.test(text);
  return false;
}

/** Maps a schema and all its subschemas: properties, items, branches and additional properties. */
function mapped(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const below = (value: unknown) => (isSchema(value) ? mapped(value, change) : value);
  const inside = Object.entries(change(schema)).map(([keyword, value]) => {
    if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, below(value)] as const;
    if (keyword === 'anyOf' && Array.isArray(value)) return [keyword, value.map(below)] as const;
    if ((keyword !== 'properties' && keyword !== 'patternProperties') || !isSchema(value))
      return [keyword, value] as const;
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, below(part)]))] as const;
  });
  return Object.fromEntries(inside);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
