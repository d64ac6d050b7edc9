import type { SentNames } from '#adapters/input/check-input.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import type { Failure } from '#domain/operations/outcome.ts';

/** Aliases of inputs, each mapped to the operation's own name for the input. */
export type Aliases = Readonly<Record<string, string>>;

type JsonSchema = Readonly<Record<string, unknown>>;

/** An input under the operation's own names, the names under which it was sent, and the names that it repeats. */
type Renamed = Readonly<{ input: unknown; sent: SentNames; errors: readonly InputError[] }>;

const none: SentNames = new Map();

/**
 * Renames aliases to the operation's own input names; reports inputs given under both, unless one of them is null. A
 * value that is not an object is returned unchanged.
 */
export function withOwnNames(aliases: Aliases, input: unknown): Renamed {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { input, sent: none, errors: [] };
  const used = Object.entries(aliases).filter(([alias]) => Object.hasOwn(input, alias));
  if (used.length === 0) return { input, sent: none, errors: [] };
  const given = new Map<string, unknown>(Object.entries(input));
  const sent = new Map<string, string>();
  const errors: InputError[] = [];
  for (const [alias, name] of used) {
    const value = given.get(alias);
    given.delete(alias);
    if ((given.get(name) ?? null) !== null) {
      if (value === null) continue;
      const same = sent.get(name) ?? name;
      errors.push({ path: [alias], message: `${quoted(alias)} is the same as ${quoted(same)}: give one of them.` });
      continue;
    }
    given.set(name, value);
    sent.set(name, alias);
  }
  return { input: Object.fromEntries(given), sent, errors };
}

/** The failure with its input errors at the names that the caller sent. */
export function atSentNames(failure: Failure, aliases: Aliases | undefined, input: unknown): Failure {
  const { inputErrors } = failure;
  if (inputErrors === undefined || aliases === undefined) return failure;
  const { sent } = withOwnNames(aliases, input);
  return { ...failure, inputErrors: inputErrors.map((error) => ({ ...error, path: placeSent(error.path, sent) })) };
}

function placeSent([first, ...rest]: readonly string[], sent: SentNames): readonly string[] {
  return first === undefined ? [] : [sent.get(first) ?? first, ...rest];
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
