import { z } from 'zod';
import {
  filterMembers,
  isSchema,
  type JsonSchema,
  mapMembers,
  walkSchema,
} from '#infrastructure/json-schema/walk-schema.ts';

/** The schema of a tool's arguments or structured content. */
type ObjectSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>;

/**
 * How an input appears in lists of tools, where every word takes up a model's context: `false` omits it, since another
 * input serves the same purpose; a string replaces its description, '' removes it where the server's instructions cover
 * it; a schema replaces its own.
 */
type Listed = false | string | JsonSchema;

/** The metadata that says how an input is listed: `z.string().meta(inLists('Owner: name, e-mail, id or "me"'))`. */
export const inLists = (as: Listed) => ({ listed: as });

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema of a type as zod makes it, made once. */
export function jsonSchemaOf(type: z.ZodType): JsonSchema {
  const made = known.get(type);
  if (made !== undefined) return made;
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  known.set(type, schema);
  return schema;
}

/** The whole schema of a tool's arguments, which documents and validates them. */
export function fullSchemaOf(schema: JsonSchema): ObjectSchema {
  return objectOf(walkSchema(schema, (part) => portable(without(part, 'listed'))));
}

/**
 * The schema of a tool's arguments, reduced to what a model needs for a call: omits inputs that another one replaces
 * (and those in `unlisted`), uses the short descriptions, and drops keywords that only reject values. For the remaining
 * inputs it accepts whatever the full schema accepts.
 */
export function listedSchemaOf(schema: JsonSchema, unlisted: readonly string[] = []): ObjectSchema {
  const properties = filterMembers(Object(schema['properties']), (name) => !unlisted.includes(name));
  return objectOf(walkSchema({ ...schema, properties }, (part) => portable(shortened(compact(part)))));
}

/** The schema of a tool's structured content. */
export function contentSchemaOf(schema: JsonSchema): ObjectSchema {
  return { ...walkSchema(schema, portable), type: 'object' };
}

/** The schema of an answer as a provider sent it: null is allowed for every member, since providers send it for empty ones. */
export function answerSchemaOf(schema: JsonSchema): JsonSchema {
  return walkSchema(schema, (part) => {
    const { properties, ...rest } = compact(part);
    return isSchema(properties) ? { ...rest, properties: mapMembers(properties, orNull) } : rest;
  });
}

function orNull(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  return type === undefined ? schema : { ...schema, type: [type, 'null'].flat() };
}

function objectOf({ properties = {}, ...schema }: JsonSchema): ObjectSchema {
  return { ...schema, properties, type: 'object' };
}

/**
 * Rewrites a schema for clients with limited support: keywords that restrict nothing are dropped, an array always has
 * `items`, without which some clients refuse all tools (MCP-028), and each schema has one type.
 */
function portable(schema: JsonSchema): JsonSchema {
  return withOneType(withItems(compact(schema)));
}

/** Drops the keywords that restrict nothing: bounds of every integer, a pattern beside a format, names of any text. */
function compact(schema: JsonSchema): JsonSchema {
  return filterMembers(schema, (keyword, value) => {
    if (keyword === 'minimum') return value !== Number.MIN_SAFE_INTEGER;
    if (keyword === 'maximum') return value !== Number.MAX_SAFE_INTEGER;
    if (keyword === 'pattern') return schema['format'] === undefined;
    if (!isSchema(value)) return true;
    if (keyword === 'propertyNames') return Object.keys(value).join() !== 'type';
    return (keyword !== 'additionalProperties' && keyword !== 'properties') || Object.keys(value).length > 0;
  });
}

/** Has an array say which items it takes: any, if nothing else is said. */
function withItems(schema: JsonSchema): JsonSchema {
  const isArray = [schema['type']].flat().includes('array');
  return isArray && !isSchema(schema['items']) ? { ...schema, items: {} } : schema;
}

/** Annotations, which do not restrict values: they stay beside `anyOf`, while the rest moves into its branches. */
const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** Splits a list of types into branches with one type each. A schema that already has branches is kept as it is. */
function withOneType(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || rest['anyOf'] !== undefined) return schema;
  const restricting = filterMembers(rest, (keyword) => !annotations.has(keyword));
  // Only an enum restricts null.
  const ofNull = filterMembers(restricting, (keyword) => keyword === 'enum');
  const anyOf = type.map((one) => ({ type: one, ...(one === 'null' ? ofNull : restricting) }));
  return { ...filterMembers(rest, (keyword) => annotations.has(keyword)), anyOf };
}

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

function shortened({ listed: as, ...schema }: JsonSchema): JsonSchema {
  if (isSchema(as)) return { ...filterMembers(schema, (keyword) => keyword === 'description'), ...as };
  const described =
    as === '' ? without(schema, 'description') : typeof as === 'string' ? { ...schema, description: as } : schema;
  const kept = filterMembers(
    described,
    (keyword, value) => !rejecting.has(keyword) && !isDescribedAnyway(keyword, value, described),
  );
  const { properties, items } = kept;
  return {
    ...kept,
    ...(isSchema(properties) ? { properties: filterMembers(properties, isListed) } : {}),
    ...(kept['type'] === 'array' || items !== undefined ? { items: listedItems(items) } : {}),
  };
}

function isListed(_: string, property: unknown): boolean {
  return !isSchema(property) || property['listed'] !== false;
}

/** Items without their description, which their list has. Those of any kind are listed as strings (MCP-028). */
function listedItems(items: unknown): JsonSchema {
  const schema = isSchema(items) ? without(items, 'description') : {};
  return Object.keys(schema).length === 0 ? { type: 'string' } : schema;
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return filterMembers(schema, (name) => name !== keyword);
}

/** Whether a keyword repeats its description, is obvious (ids and page numbers start at 1), or ends some clients. */
function isDescribedAnyway(keyword: string, value: unknown, { description = '', maximum }: JsonSchema): boolean {
  const text = String(description);
  if (keyword === 'minimum') return value === 0 || value === 1 || text.includes(String(maximum));
  if (keyword === 'maximum') return text.includes(String(value)) || Number(value) >= 1_000_000;
  if (keyword === 'additionalProperties') return value === false;
  // Gemini refuses other formats of strings.
  if (keyword === 'format') return value !== 'date-time' || /this (?:moment|time)|\d{4}-\d\d-\d\d/.test(text);
  return false;
}
