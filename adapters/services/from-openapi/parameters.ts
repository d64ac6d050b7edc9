import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { type Json, listOr, textOrNull } from '#adapters/services/from-openapi/json.ts';
import type { PlainSchema } from '#adapters/services/from-openapi/plain-schema.ts';
import { readSchema } from '#adapters/services/from-openapi/read-schema.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Where a parameter is sent. */
export type ParameterPlace = 'path' | 'query' | 'header';

/** How a value that is not a string is serialised; `json` for a parameter with `content`. */
export type ParameterStyle = Readonly<{
  kind: 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';
  explode: boolean;
}>;

/** A parameter of an operation. */
export type Parameter = Readonly<{
  place: ParameterPlace;
  /** Its name in the document. */
  name: string;
  required: boolean;
  style: ParameterStyle;
  schema: PlainSchema;
}>;

const styles: Readonly<Record<ParameterPlace, readonly ParameterStyle['kind'][]>> = {
  path: ['simple'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
};

/**
 * Headers that are not parameters, whatever a document says (OpenAPI, Parameter Object): the request itself determines
 * them.
 */
const notParameters = new Set(['accept', 'content-type', 'authorization']);

/** Reads the parameters of an operation and of its path; the operation's take precedence. */
export function parametersOf(document: OpenApiDocument, found: FoundOperation): readonly Parameter[] {
  const shared = { list: found.item['parameters'], place: [...found.place.slice(0, -1), 'parameters'] };
  const own = { list: found.operation['parameters'], place: [...found.place, 'parameters'] };
  const parameters = new Map<string, Parameter>();
  for (const { list, place } of [shared, own]) {
    for (const [index, given] of listOr(list).entries()) {
      const at = [...place, String(index)];
      const parameter = parameterOf(document, document.resolved(given, at), at);
      if (parameter !== null) parameters.set(`${parameter.place} ${parameter.name}`, parameter);
    }
  }
  checkPath(document, found, [...parameters.values()]);
  return [...parameters.values()];
}

function parameterOf(document: OpenApiDocument, given: Json, at: readonly string[]): Parameter | null {
  const name = textOrNull(given['name']);
  const place = given['in'];
  if (name === null) throw document.fault(at, 'has no name');
  const required = given['required'] === true || place === 'path';
  if (place === 'cookie') {
    if (!required) return null;
    throw document.fault(at, `is the required cookie "${name}"; cookies are not sent, so leave the operation out`);
  }
  if (place !== 'path' && place !== 'query' && place !== 'header') {
    throw document.fault(at, `has "in": ${JSON.stringify(place)}; it must be "path", "query" or "header"`);
  }
  if (place === 'header' && notParameters.has(name.toLowerCase())) return null;
  const content = isObject(given['content']) ? Object.entries(given['content'])[0] : undefined;
  const schema = readSchema(
    document,
    content === undefined ? given['schema'] : document.resolved(content[1], at)['schema'],
    { place: [...at, 'schema'], use: 'input' },
  );
  const description = textOrNull(given['description']) ?? schema.description;
  return {
    place,
    name,
    required,
    style: content === undefined ? styleOf(document, given, { place, at }) : { kind: 'json', explode: false },
    schema: { ...schema, description },
  };
}

function styleOf(
  document: OpenApiDocument,
  given: Json,
  { place, at }: Readonly<{ place: ParameterPlace; at: readonly string[] }>,
): ParameterStyle {
  const [usual = 'form'] = styles[place];
  const style = given['style'] ?? usual;
  const kind = styles[place].find((known) => known === style);
  if (kind === undefined) {
    const known = styles[place].map((one) => `"${one}"`).join(', ');
    throw document.fault(
      at,
      `has the style ${JSON.stringify(style)}, which is not supported in a ${place}; ${known} would be`,
    );
  }
  return { kind, explode: typeof given['explode'] === 'boolean' ? given['explode'] : kind === 'form' };
}

const placeholder = /\{([^{}]+)\}/g;

/** Each name in a path requires a parameter, or the path could not be filled. */
function checkPath(document: OpenApiDocument, { path, place }: FoundOperation, parameters: readonly Parameter[]): void {
  for (const [, name = ''] of path.matchAll(placeholder)) {
    if (!parameters.some((one) => one.place === 'path' && one.name === name)) {
      throw document.fault(place, `has {${name}} in its path and no parameter "${name}" in "path" that describes it`);
    }
  }
}
