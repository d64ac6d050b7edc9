import { type InputError, quoted } from '#domain/operations/input-error.ts';

/** Aliases of inputs, each mapped to the operation's own name for the input. */
export type Aliases = Readonly<Record<string, string>>;

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Renames aliases to the operation's own input names; reports inputs given under both. A value that is not an object is
 * returned unchanged.
 */
export function withOwnNames(
  aliases: Aliases,
  input: unknown,
): Readonly<{ input: unknown; errors: readonly InputError[] }> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { input, errors: [] };
  }
  const given = new Map<string, unknown>(Object.entries(input));
  const errors: InputError[] = [];
  for (const [alias, name] of Object.entries(aliases)) {
    if (!given.has(alias)) continue;
    if (given.has(name)) {
      errors.push({ path: [alias], message: `${quoted(alias)} is the same as ${quoted(name)}: give one of them.` });
    } else given.set(name, given.get(alias));
    given.delete(alias);
  }
  return { input: Object.fromEntries(given), errors };
}

/**
 * Adds aliases to a JSON Schema. An input with an alias is no longer `required`, since "one of the two" cannot be
 * expressed in the schemas that clients support; its description says so instead.
 */
export function schemaWithAliases(schema: JsonSchema, aliases: Aliases | undefined): JsonSchema {
  if (aliases === undefined) return schema;
  const { properties, required, ...rest } = schema;
  const own = new Map(Object.entries(Object(properties)).map(([name, property]) => [name, { ...Object(property) }]));
  const needed = Array.isArray(required) ? required.map(String) : [];
  const replaceable = needed.filter((name) => Object.values(aliases).includes(name));
  for (const name of replaceable) {
    const property = own.get(name) ?? {};
    own.set(name, { ...property, description: `${String(property.description)}; required` });
  }
  const others = Object.entries(aliases).map(([alias, name]) => {
    return [alias, { ...own.get(name), description: `Same as ${name}` }] as const;
  });
  const left = needed.filter((name) => !replaceable.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries([...own, ...others]),
    ...(left.length === 0 ? {} : { required: left }),
  };
}
