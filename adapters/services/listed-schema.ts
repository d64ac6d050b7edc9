import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * How an input stands in the lists of tools, where each word costs a model's context: `false` leaves it out, since another
 * input serves as well; a text is its shorter description, '' none, where the server's instructions say it once for all
 * tools; a schema stands in place of its own.
 */
type Listed = false | string | JsonSchema;

/** The metadata of an input that says how it is listed: `z.string().meta(inLists('Owner: name, e-mail, id or "me"'))`. */
export const inLists = (as: Listed) => ({ listed: as });

/** Keywords that only reject values: the server's answer to a bad value says the same, where it matters. */
const rejecting = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'propertyNames']);

/** Removes what is for lists of tools only: the schema by which inputs are documented and checked. */
export function fullSchemaOf(schema: JsonSchema): JsonObjectSchema {
  return { ...mapped(schema, (part) => without(part, 'listed')), type: 'object' };
}

/**
 * Shortens the schema of an operation's input to what a model needs for a call: inputs that another one stands for are
 * left out (those named in `unlisted` too), descriptions are the short ones, and keywords that only reject values are
 * dropped. Whatever the full schema takes under the names that are left, this one takes.
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
    if (keyword === 'items' && isSchema(value)) return [[keyword, undescribed(value)] as const];
    return [[keyword, value] as const];
  });
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties } : {}) };
}

function withoutUnlisted(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).filter(([, property]) => !isSchema(property) || property['listed'] !== false),
  );
}

/** The schema without its description: an item's list, or the server's instructions, say it. */
function undescribed(item: JsonSchema): JsonSchema {
  return without(item, 'description');
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** Whether a keyword repeats what its description says, or what goes without saying: ids and numbers of pages begin at 1. */
function isDescribedAnyway(keyword: string, value: unknown, { description = '', maximum }: JsonSchema): boolean {
  const text = String(description);
  if (keyword === 'minimum') return value === 0 || value === 1 || text.includes(String(maximum));
  if (keyword === 'maximum') return text.includes(String(value)) || Number(value) >= 1_000_000;
  return keyword === 'format' && /this (?:moment|time)|YYYY-MM-DD|\d{4}-\d\d-\d\d/.test(text);
}

/** Changes a schema and, in it, those of properties, items, branches and further properties. */
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
