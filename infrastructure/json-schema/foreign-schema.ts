import { filterMembers, isSchema, type JsonSchema, walkSchema } from '#infrastructure/json-schema/walk-schema.ts';

/** The keywords that are kept of a schema from outside; references are resolved, and identifiers mean nothing here. */
const kept = new Set([
  'type',
  'title',
  'description',
  'default',
  'examples',
  'enum',
  'const',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

/** The maximum number of references that are followed in one schema, and the maximum size of the result, as JSON. */
const maxReferences = 500;
const maxSize = 64 * 1024;
/** The maximum length of a text in it, in characters. */
const maxText = 1_000;

/**
 * Makes a schema from outside safe to be listed: references to its own definitions are replaced by what they mean, those
 * to anywhere else accept anything and are never fetched, and a recursive one accepts anything within itself. Keywords
 * that are not known are dropped. Null for a schema that is larger than 64 KB with its references replaced.
 */
export function foreignSchema(given: JsonSchema): JsonSchema | null {
  if (JSON.stringify(given).length > maxSize) return null;
  const within: string[] = [];
  let references = 0;
  const change = (schema: JsonSchema): JsonSchema => {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') return known(schema);
    references += 1;
    const target = within.includes(reference) || references > maxReferences ? null : targetOf(given, reference);
    if (target === null) return known(beside);
    within.push(reference);
    const whole = walkSchema({ ...target, ...beside }, change);
    within.pop();
    return whole;
  };
  const made = walkSchema(given, change);
  return references > maxReferences || JSON.stringify(made).length > maxSize ? null : made;
}

function known(schema: JsonSchema): JsonSchema {
  const texts = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    typeof value === 'string' ? plain(value) : value,
  ]);
  return filterMembers(Object.fromEntries(texts), (keyword) => kept.has(keyword));
}

/** The definition in the same schema that a reference names (RFC 6901); null for one that is not there. */
function targetOf(root: JsonSchema, reference: string): JsonSchema | null {
  if (!/^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference)) return null;
  const [, place, name = ''] = reference.split('/');
  const definitions = place === '$defs' ? root['$defs'] : root['definitions'];
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const target = isSchema(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : null;
  return isSchema(target) ? target : null;
}

/**
 * A text from outside as it is shown: without characters that are not seen, such as control characters, marks of
 * direction and tags, and at most so long.
 */
export function plain(text: string, maxLength = maxText): string {
  const seen = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu, (part) => (/[\n\t]/.test(part) ? '\n' : ''));
  return seen.length <= maxLength ? seen : `${seen.slice(0, maxLength).toWellFormed()} …`;
}
