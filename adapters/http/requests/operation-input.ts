import { parametersOf } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { jsonOrAsIs } from '#adapters/input/texts.ts';
import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Inputs that arrive as text: fields of a form. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Builds the reader of a call's input. Query, path and form fields are text, converted to numbers or booleans by the
 * schema. Path takes precedence over body, body over query.
 */
export function inputReader(schema: JsonObjectSchema): (visit: Visit, body: unknown, texts?: Texts) => unknown {
  const properties: unknown = schema['properties'];
  const readers = new Map(
    Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [name, textReader(property)]),
  );
  const readText = (values: Iterable<readonly [string, unknown]>) =>
    Object.fromEntries([...values].map(([name, value]) => [name, readers.get(name)?.(value) ?? value]));
  return (visit, body = {}, texts = {}) => {
    if (!isObject(body)) return body;
    const [query, fields, path] = [visit.query, texts, parametersOf(visit)].map((given) =>
      readText(Object.entries(given)),
    );
    return { ...query, ...fields, ...body, ...path };
  };
}

/** The texts of numbers: as in JSON, and a whole one only in its one spelling, so that no record has two addresses. */
const wholeNumeral = /^-?(?:0|[1-9]\d*)$/;
const anyNumeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a text to the type of the property's schema; leaves it unchanged when it does not parse. Of several
 * branches, the first that parses it applies.
 */
function textReader(property: unknown): (value: unknown) => unknown {
  const { type, anyOf, items: itemSchema } = isObject(property) ? property : {};
  if (Array.isArray(anyOf)) {
    const readers = anyOf.map(textReader);
    return (value) => readers.map((read) => read(value)).find((read) => read !== value) ?? value;
  }
  if (type === 'integer' || type === 'number') {
    const numeral = type === 'integer' ? wholeNumeral : anyNumeral;
    return (value) => (typeof value === 'string' && numeral.test(value) ? Number(value) : value);
  }
  if (type === 'boolean') return (value) => (value === 'true' ? true : value === 'false' ? false : value);
  if (type === 'array') {
    const readItem = textReader(itemSchema);
    return (value) => {
      const items = typeof value === 'string' ? listIn(value) : value;
      return Array.isArray(items) ? items.map(readItem) : items;
    };
  }
  if (type === 'object') return jsonOrAsIs;
  return (value) => value;
}

/** Parses a list in a text: as JSON, else comma-separated. */
function listIn(text: string): unknown {
  const parsed = text.trimStart().startsWith('[') ? jsonOrAsIs(text) : null;
  return Array.isArray(parsed) ? parsed : text.split(',');
}
