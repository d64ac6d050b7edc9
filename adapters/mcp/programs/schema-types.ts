import { isObject } from '#domain/json/json-data.ts';

/** How deep types are written out; below that they are `unknown`. */
const maxDepth = 4;

/** The maximum number of values that a type lists; longer lists are shown as their type. */
const maxValues = 40;

/** Returns the TypeScript type of what a JSON Schema accepts. */
export function typeAccepting(schema: unknown, depth = maxDepth): string {
  if (!isObject(schema)) return 'unknown';
  const { enum: values, const: value, anyOf, oneOf, type } = schema;
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values) && values.length <= maxValues) return unionOf(values.map((one) => JSON.stringify(one)));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return unionOf(branches.map((branch) => typeAccepting(branch, depth)));
  if (Array.isArray(type)) return unionOf(type.map((one) => typeAccepting({ ...schema, type: one }, depth)));
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(typeAccepting(schema['items'], depth - 1));
    case 'object':
      return objectOf(schema, depth);
    default:
      return 'unknown';
  }
}

function arrayOf(item: string): string {
  return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.includes('unknown') ? 'unknown' : different.join(' | ');
}

function objectOf(
  { properties, required, additionalProperties }: Readonly<Record<string, unknown>>,
  depth: number,
): string {
  if (!isObject(properties) || Object.keys(properties).length === 0 || depth <= 0) {
    return isObject(additionalProperties) && depth > 0
      ? `Record<string, ${typeAccepting(additionalProperties, depth - 1)}>`
      : 'Record<string, unknown>';
  }
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const members = Object.entries(properties).map(
    ([name, member]) => `${memberName(name)}${isRequired(name) ? '' : '?'}: ${typeAccepting(member, depth - 1)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** A member's name as it stands in a type. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
