import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import { type Json, jsonOr, listOr, textOrNull } from '#adapters/services/from-openapi/json.ts';
import {
  anySchema,
  type Bounds,
  type JsonType,
  merged,
  type PlainSchema,
  sizeOf,
} from '#adapters/services/from-openapi/plain-schema.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The use of a schema: inputs have no `readOnly` members, answers no `writeOnly` ones. */
export type SchemaUse = 'input' | 'answer';

/** The depths that are tried, deepest first, until the schema is small enough. */
const depths = [8, 6, 5, 4, 3, 2, 1];
/** The maximum number of subschemas of an input or answer, since every list of tools sends them to a model. */
const maxSize: Readonly<Record<SchemaUse, number>> = { input: 250, answer: 150 };
/** The maximum number of schemas read for one, as `allOf` and branches take several reads each. */
const maxReads = 2_500;
/** How often a recursive schema is expanded within itself. */
const maxWithinItself = 1;

/**
 * Reads a schema of a document. A recursive schema is expanded once more and then accepts anything; one that is too
 * large accepts anything below the greatest depth at which it is small enough. The provider validates what is not
 * validated here.
 */
export function readSchema(
  document: OpenApiDocument,
  given: unknown,
  { place, use }: Readonly<{ place: readonly string[]; use: SchemaUse }>,
): PlainSchema {
  for (const depth of depths) {
    const reader = new SchemaReader(document, use, maxReads);
    const schema = reader.read(given, { place, depth, within: [] });
    if (!reader.isExhausted && sizeOf(schema) <= maxSize[use]) return schema;
  }
  return new SchemaReader(document, use, maxReads).read(given, { place, depth: 0, within: [] });
}

/** Where a schema is read; `within` holds the references that led there. */
type At = Readonly<{ place: readonly string[]; depth: number; within: readonly string[] }>;

class SchemaReader {
  readonly #document: OpenApiDocument;
  readonly #hidden: 'readOnly' | 'writeOnly';
  readonly #isOld: boolean;
  #readsLeft: number;

  constructor(document: OpenApiDocument, use: SchemaUse, reads: number) {
    this.#readsLeft = reads;
    this.#document = document;
    this.#hidden = use === 'input' ? 'readOnly' : 'writeOnly';
    this.#isOld = String(document.root['openapi']).startsWith('3.0');
  }

  /** Whether the limit on reads was exceeded. */
  get isExhausted(): boolean {
    return this.#readsLeft < 0;
  }

  read(given: unknown, at: At): PlainSchema {
    this.#readsLeft -= 1;
    if (!isObject(given) || this.isExhausted) return anySchema;
    const reference = textOrNull(given['$ref']);
    if (reference === null) return this.#whole(given, at);
    const target = this.#document.resolved(given, at.place);
    if (at.within.filter((one) => one === reference).length > maxWithinItself) return this.#outline(target);
    return this.#whole(target, { ...at, within: [...at.within, reference] });
  }

  /** The outline of a schema whose parts are not read: its types and description. */
  #outline(schema: Json): PlainSchema {
    return { ...anySchema, types: this.#typesOf(schema), description: textOrNull(schema['description']) };
  }

  #whole(schema: Json, at: At): PlainSchema {
    const all = listOr(schema['allOf']).map((part, index) => this.read(part, inside(at, 'allOf', index)));
    const base = all.reduceRight((whole, part) => merged(part, whole), this.#own(schema, at));
    const choices = ['oneOf', 'anyOf'].flatMap((keyword) =>
      listOr(own(schema, keyword)).map((part, index) => this.read(part, inside(at, keyword, index))),
    );
    return choices.length === 0 ? base : withChoices(base, choices, schema['nullable'] === true);
  }

  #own(schema: Json, at: At): PlainSchema {
    const types = this.#typesOf(schema);
    const isDeepest = at.depth === 0;
    const deeper = { ...at, depth: at.depth - 1 };
    const additional = schema['additionalProperties'];
    return {
      types,
      anyOf: [],
      values: this.#valuesOf(schema),
      properties: isDeepest ? new Map() : this.#propertiesOf(schema, deeper),
      required: new Set(isDeepest ? [] : this.#requiredOf(schema, at)),
      additional:
        isObject(additional) && !isDeepest
          ? this.read(additional, inside(deeper, 'additionalProperties'))
          : additional === false && isDeepest
            ? null
            : typeof additional === 'boolean'
              ? additional
              : null,
      items: isDeepest || !isObject(schema['items']) ? null : this.read(schema['items'], inside(deeper, 'items')),
      bounds: this.#boundsOf(schema),
      format: textOrNull(schema['format']),
      pattern: textOrNull(schema['pattern']),
      description: textOrNull(schema['description']) ?? textOrNull(schema['title']),
      assumed: schema['default'],
    };
  }

  #propertiesOf(schema: Json, at: At): ReadonlyMap<string, PlainSchema> {
    return new Map(
      Object.entries(jsonOr(schema['properties']))
        .filter(([name, part]) => !this.#isHidden(part, [...at.place, 'properties', name]))
        .map(([name, part]) => [name, this.read(part, inside(at, 'properties', name))]),
    );
  }

  #requiredOf(schema: Json, at: At): readonly string[] {
    const properties = jsonOr(schema['properties']);
    return listOr(schema['required'])
      .map(String)
      .filter((name) => !this.#isHidden(properties[name], [...at.place, 'properties', name]));
  }

  #isHidden(part: unknown, place: readonly string[]): boolean {
    return isObject(part) && this.#document.resolved(part, place)[this.#hidden] === true;
  }

  #typesOf(schema: Json): readonly JsonType[] {
    const named = [schema['type']].flat().filter(isJsonType);
    const types = named.length > 0 ? named : impliedTypes(schema);
    return schema['nullable'] === true && types.length > 0 ? [...types, 'null'] : types;
  }

  #valuesOf(schema: Json): readonly unknown[] | null {
    if (Object.hasOwn(schema, 'const')) return [schema['const']];
    const values = schema['enum'];
    return Array.isArray(values) && values.length > 0 ? values : null;
  }

  #boundsOf(schema: Json): Bounds {
    const bounds = Object.fromEntries(
      boundKeywords.flatMap((keyword) => {
        const value = own(schema, keyword);
        return typeof value === 'number' && Number.isFinite(value) ? [[keyword, value]] : [];
      }),
    );
    return this.#isOld ? withOldBounds(schema, bounds) : bounds;
  }
}

const jsonTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const isJsonType = (value: unknown): value is JsonType => jsonTypes.has(value);

const boundKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** The type that keywords imply where none is given. */
function impliedTypes(schema: Json): readonly JsonType[] {
  if (isObject(schema['properties']) || schema['additionalProperties'] !== undefined) return ['object'];
  return schema['items'] === undefined ? [] : ['array'];
}

/** Converts OpenAPI 3.0 bounds, where `exclusiveMinimum: true` makes `minimum` exclusive. */
function withOldBounds(schema: Json, { minimum, maximum, ...bounds }: Bounds): Bounds {
  const [isOver, isUnder] = [schema['exclusiveMinimum'] === true, schema['exclusiveMaximum'] === true];
  return {
    ...bounds,
    ...(minimum === undefined ? {} : { [isOver ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined ? {} : { [isUnder ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

/** Adds choices of which one must match; a choice of null alone becomes a type. */
function withChoices(base: PlainSchema, choices: readonly PlainSchema[], isNullable: boolean): PlainSchema {
  const others = choices.filter(({ types, values }) => types.join() !== 'null' && values?.join() !== '');
  const takesNull = isNullable || others.length < choices.length;
  const branches = others.map((choice) => {
    const branch = merged({ ...base, description: null }, choice);
    return takesNull && branch.types.length > 0 && !branch.types.includes('null')
      ? { ...branch, types: [...branch.types, 'null'] as const }
      : branch;
  });
  const [only] = branches;
  if (branches.length === 1 && only !== undefined)
    return { ...only, description: base.description ?? only.description };
  return { ...anySchema, anyOf: branches, description: base.description, assumed: base.assumed };
}

function inside(at: At, ...steps: readonly (string | number)[]): At {
  return { ...at, place: [...at.place, ...steps.map(String)] };
}
