import type { Route } from '#adapters/http/route.ts';
import type { JsonObjectSchema, OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { serviceTitles } from '#domain/services/service-key.ts';

/** What the document says of the server as a whole. */
export type ApiFacts = Readonly<{ version: string; baseUrl: string }>;

/** `/openapi.json`: an OpenAPI 3.1 document of every REST operation, made from the operation tables, once. */
export function openApiRoute(catalog: OperationCatalog, facts: ApiFacts): Route {
  const document = JSON.stringify(openApiDocument(catalog, facts));
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'granted',
    body: 'none',
    run: (ctx) => {
      ctx.type = 'application/json';
      ctx.body = document;
    },
  };
}

/** The OpenAPI document. Input schemas are the operations' own: OpenAPI 3.1 takes JSON Schema 2020-12 as it is. */
export function openApiDocument(catalog: OperationCatalog, { version, baseUrl }: ApiFacts): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of catalog.operations) {
    if (operation.route === null) continue;
    const path = `/api/${operation.service}${operation.route.path.replaceAll('{+', '{')}`;
    paths[path] = {
      ...paths[path],
      [operation.route.method.toLowerCase()]: operationObject(operation, operation.route),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portolan',
      version,
      description: "The outbound operations of the five services, under the caller's own accounts.",
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(serviceTitles).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'user' },
      },
      schemas: { Success: successSchema, Problem: problemSchema },
    },
  };
}

function operationObject(operation: OperationInfo, route: NonNullable<OperationInfo['route']>): object {
  const inPath = [...route.path.matchAll(/\{\+?([^}]+)\}/g)].map((match) => match[1] ?? '');
  const properties = propertiesOf(operation.inputSchema);
  const required = requiredOf(operation.inputSchema);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  });
  const body = {
    required: rest.some((name) => required.includes(name)),
    content: { 'application/json': { schema: without(operation.inputSchema, inPath) } },
  };
  return {
    operationId: `${operation.service}.${operation.name}`,
    summary: operation.summary,
    tags: [operation.service],
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(hasBody ? [] : rest.map((name) => parameter(name, 'query'))),
    ],
    ...(hasBody && rest.length > 0 ? { requestBody: body } : {}),
    responses: {
      '200': {
        description: 'It worked',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Success' } } },
      },
      default: {
        description: 'It did not',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function propertiesOf(schema: JsonObjectSchema): Readonly<Record<string, unknown>> {
  const properties: unknown = schema['properties'];
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
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

const successSchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {},
    pagination: {
      type: 'object',
      required: ['next', 'hasMore'],
      properties: { next: { type: ['string', 'null'] }, hasMore: { type: 'boolean' } },
    },
    warnings: { type: 'array', items: { type: 'string' } },
  },
};

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'reason'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    reason: { type: 'string' },
    details: {},
  },
};
