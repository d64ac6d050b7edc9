import { isObject } from '#adapters/mcp/json-rpc.ts';

/**
 * The value with the members that its schema declares first, in the schema's order, then what else came: what a person looks for stands
 * where it is not cut. Goes only as deep as the schema.
 */
export function inOrder(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    return isObject(schema['items']) ? value.map((item) => inOrder(item, schema['items'])) : value;
  }
  return isObject(value) ? membersInOrder(value, schema) : value;
}

/** The same of an object. */
export function membersInOrder(
  value: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  if (!isObject(properties)) return value;
  const declared = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return Object.fromEntries([
    ...declared.map((name) => [name, inOrder(value[name], properties[name])]),
    ...others.map((name) => [name, value[name]]),
  ]);
}
