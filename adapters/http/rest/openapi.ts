import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerSchemas, errorResponses, responsesOf } from '#adapters/http/rest/openapi-answers.ts';
import type { Route } from '#adapters/http/route.ts';
import type { JsonObjectSchema, OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

/** The document's facts about the server as a whole. */
type ApiFacts = Readonly<{ version: string; baseUrl: string }>;

/**
 * Serves `/openapi.json`: an OpenAPI 3.1 document of every REST operation, generated from the operation tables on the
 * first request, among others.
 */
export function openApiRoute(catalog: OperationCatalog, facts: ApiFacts): Route {
  const document = lazy(async () => Buffer.from(JSON.stringify(await openApiDocument(catalog, facts))));
  return {
    method: 'GET',
    path: '/openapi.json',
    who: 'granted',
    body: 'none',
    run: async (ctx) => {
      const body = await document();
      ctx.type = 'application/json';
      ctx.body = body;
    },
  };
}

/**
 * Builds the OpenAPI document, a turn of the event loop for each operation, since all of them take a quarter of a second. Input schemas are the operations' own, since OpenAPI 3.1 accepts JSON Schema 2020-12.
 */
async function openApiDocument(catalog: OperationCatalog, { version, baseUrl }: ApiFacts): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of catalog.operations) {
    if (operation.route === null) continue;
    await nextTurn();
    const path = `/api/${operation.service}${operation.route.path.replaceAll('{+', '{')}`;
    paths[path] = {
      ...own(paths, path),
      [operation.route.method.toLowerCase()]: operationObject(operation, operation.route),
    };
  }
  const services = [...new Set(catalog.operations.map(({ service }) => service))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portolan',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The administrators of this server', url: baseUrl },
      description:
        "The outbound operations of the services, under the caller's own accounts. What a service answers is handed on as it came: it may lack members that are described here, and have others.",
    },
    servers: [{ url: baseUrl }],
    tags: services.map((name) => ({ name, description: catalog.names.of(name) })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'user' },
      },
      schemas: answerSchemas,
      responses: errorResponses,
    },
  };
}

function operationObject(operation: OperationInfo, route: NonNullable<OperationInfo['route']>): object {
  const { service, name, title, summary, inputSchema, upload } = operation;
  const inPath = [...route.path.matchAll(/\{\+?([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const rest = Object.keys(propertiesOf(inputSchema)).filter((input) => !inPath.includes(input));
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && rest.length > 0;
  const inQuery = hasBody ? rest.filter((input) => upload !== null && input !== upload) : rest;
  return {
    operationId: `${service}.${name}`,
    summary: title,
    description: summary,
    tags: [service],
    parameters: [
      ...inPath.map((input) => parameter(inputSchema, input, { in: 'path', required: true })),
      // Where the operation has a body, they may be in it, or beside a raw one in the query.
      ...inQuery.map((input) =>
        parameter(inputSchema, input, { in: 'query', required: !hasBody && requiredOf(inputSchema).includes(input) }),
      ),
      ...(upload === null ? [] : [fileName]),
    ],
    ...(hasBody ? { requestBody: bodyOf(without(inputSchema, inPath), upload) } : {}),
    responses: responsesOf(operation),
  };
}

const fileName = {
  name: 'file_name',
  in: 'query',
  required: false,
  description: 'The name of a file whose bytes are the whole body',
  schema: { type: 'string' },
};

/** Declares a path or query parameter; an object is encoded as JSON. */
function parameter(schema: JsonObjectSchema, name: string, place: Readonly<{ in: string; required: boolean }>): object {
  const property = propertiesOf(schema)[name] ?? { type: 'string' };
  const isObject = typeof property === 'object' && 'type' in property && property.type === 'object';
  return isObject
    ? { name, ...place, content: { 'application/json': { schema: property } } }
    : { name, ...place, schema: property };
}

/** The request body: JSON; for an upload also a form, and the file's raw bytes. */
function bodyOf(schema: JsonObjectSchema, upload: string | null): object {
  const more = upload === null ? {} : uploadKinds(schema, upload);
  return {
    required: requiredOf(schema).length > 0,
    content: { 'application/json': { schema }, ...more },
  };
}

const binary = { type: 'string', format: 'binary' };

/**
 * The media types of an upload. A form's fields are the inputs by name, with the file as it is; lists and objects are
 * JSON.
 */
function uploadKinds(schema: JsonObjectSchema, upload: string): object {
  const properties = propertiesOf(schema);
  const form = { ...schema, properties: { ...properties, [upload]: binary } };
  const encoding = Object.entries(properties).flatMap(([name, property]) =>
    name !== upload && isStructured(property) ? [[name, { contentType: 'application/json' }]] : [],
  );
  return {
    'multipart/form-data': {
      schema: form,
      ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
    },
    '*/*': { schema: binary },
  };
}

function isStructured(property: unknown): boolean {
  if (typeof property !== 'object' || property === null || !('type' in property)) return false;
  return property.type === 'object' || property.type === 'array';
}

function propertiesOf(schema: JsonObjectSchema): Readonly<Record<string, unknown>> {
  const properties: unknown = schema['properties'];
  return isObject(properties) ? properties : {};
}

function requiredOf(schema: JsonObjectSchema): readonly string[] {
  const required: unknown = schema['required'];
  return Array.isArray(required) ? required.map(String) : [];
}

function without(schema: JsonObjectSchema, names: readonly string[]): JsonObjectSchema {
  const properties = Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name));
  const required = requiredOf(schema).filter((name) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties), required };
}
