import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { type OpenApiDocument, openApiForm, operationsIn } from '#test/support/services/openapi-form.ts';

let server: WholeServer;
let document: OpenApiDocument;
let ask: (method: string, path: string, body?: unknown) => Promise<Response>;
/** What a schema of the document says of a value; null when it fits. */
let faultIn: (schema: object, value: unknown) => string | null;

beforeAll(async () => {
  server = await openWholeServer();
  const authorization = `Bearer ${await accessToken(server)}`;
  ask = (method, path, body) =>
    fetch(`${server.origin}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  document = openApiForm.parse(await (await ask('GET', '/openapi.json')).json());
  const validator = new AjvJsonSchemaValidator();
  faultIn = (schema, value) => {
    const whole: Readonly<Record<string, unknown>> = { ...schema, components: document.components };
    return validator.getValidator(whole)(value).errorMessage ?? null;
  };
});
afterAll(() => server[Symbol.asyncDispose]());

const successOf = (method: string, path: string) => {
  const found = operationsIn(document).find((one) => one.method === method.toLowerCase() && one.path === path);
  return found?.operation.responses['200']?.content['application/json']?.schema ?? null;
};

describe('/openapi.json', () => {
  it('requires a session', async () => {
    expect((await fetch(`${server.origin}/openapi.json`)).status).toBe(401);
  });

  it('has each operation once, by its service and name (REST-003)', () => {
    const ids = operationsIn(document).map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(['sales_crm.deals.list', 'signing.documents.send', 'vault.notes.read']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(180);
  });

  it('has no two paths that differ only in the names of their parameters', () => {
    const paths = Object.keys(document.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'));
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('declares the parameters in each path, and no others as such (REST-003)', () => {
    for (const { path, operation } of operationsIn(document)) {
      const inPath = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(inPath, path).toEqual([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]));
    }
  });

  it('declares no body for methods without one', () => {
    for (const { method, path, operation } of operationsIn(document)) {
      if (method === 'get' || method === 'delete') expect(operation.requestBody, path).toBeUndefined();
    }
  });

  it('has schemas that a validator accepts, and references only existing ones', () => {
    const schemas = operationsIn(document).flatMap(({ operation }) => [
      ...operation.parameters.flatMap(({ schema, content = {} }) => [
        schema ?? {},
        ...Object.values(content).map((one) => one.schema),
      ]),
      ...Object.values(operation.requestBody?.content ?? {}).map((one) => one.schema),
      ...Object.values(operation.responses['200'].content).map((one) => one.schema),
    ]);
    expect(schemas.length).toBeGreaterThan(500);
    // Many operations have the same schema: each is compiled once.
    const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
    for (const [text, schema] of distinct) expect(() => faultIn(schema, null), text).not.toThrow();
  });

  it('has a short summary of each operation, and a description if there is more', () => {
    const read = document.paths['/api/vault/vault/{path}']?.get;
    expect(read?.summary).toBe('Reads a note');
    expect(read?.description).toContain('not_found');
    const recipients = document.paths['/api/signing/documents/{id}/recipients']?.get;
    expect(recipients?.description).toBe(recipients?.summary);
  });

  it('declares an upload as a form, or as raw bytes with its other inputs in the query', () => {
    const upload = document.paths['/api/sales_crm/files']?.post;
    expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual(['application/json', 'multipart/form-data', '*/*']);
    const names = upload?.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['deal_id', 'file_name']));
    expect(names).not.toContain('file');
  });

  it('declares a download as bytes', () => {
    const answers = ['/api/signing/documents/{id}/download', '/api/suite_crm/bulk/read/{job_id}/result'].map(
      (path) => document.paths[path]?.get?.responses['200']?.content,
    );
    const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    expect(answers).toEqual([bytes, bytes]);
  });
});

// By hand: what is in the envelope of an operation of each service.
describe('the answer of an operation', () => {
  const shapeSchema = z.looseObject({ properties: z.looseObject({ data: z.looseObject({}) }) });
  const itemsSchema = z.looseObject({ items: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) });
  const recordSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

  it.each([
    ['/api/sales_crm/deals', ['data', 'pagination', 'warnings'], ['title', 'status', 'value', 'currency', 'id']],
    ['/api/signing/documents', ['data', 'pagination', 'warnings'], ['name', 'status', 'id']],
    ['/api/suite_crm/modules', ['data', 'warnings'], ['api_name', 'id']],
    ['/api/tracker/teams', ['data', 'pagination', 'warnings'], ['key', 'name', 'id']],
  ])('that lists has pages of records if it is paged: GET %s (REST-002)', (path, envelope, members) => {
    const { properties } = shapeSchema.parse(successOf('GET', path));
    expect(Object.keys(properties)).toEqual(envelope);
    expect(Object.keys(itemsSchema.parse(properties.data).items.properties)).toEqual(expect.arrayContaining(members));
  });

  it.each([
    ['GET', '/api/sales_crm/deals/{id}', ['title', 'value', 'id']],
    ['POST', '/api/tracker/issues', ['identifier', 'title', 'id']],
  ])('that returns one record has it as data: %s %s (REST-002)', (method, path, members) => {
    const { properties } = shapeSchema.parse(successOf(method, path));
    expect(Object.keys(properties)).toEqual(['data', 'warnings']);
    expect(Object.keys(recordSchema.parse(properties.data).properties)).toEqual(expect.arrayContaining(members));
  });

  it('that is undocumented may be anything', () => {
    expect(successOf('GET', '/api/vault/vault/{path}')).toEqual({ $ref: '#/components/schemas/Success' });
    expect(faultIn({ $ref: '#/components/schemas/Success' }, { data: null, warnings: ['One.'] })).toBeNull();
    expect(faultIn({ $ref: '#/components/schemas/Success' }, { warnings: [] })).toContain("required property 'data'");
  });
});

describe("an answer of the vault's operations over REST", () => {
  beforeAll(async () => {
    const note = { content: '---\nstatus: open\n---\n# Acme\n\nA fox.\n' };
    await ask('PUT', '/api/vault/vault/Deals/Acme.md', note);
  });

  it.each([
    ['GET', '/api/vault/vault/', '/api/vault/vault/', undefined],
    ['GET', '/api/vault/vault/{dir_path}/', '/api/vault/vault/Deals/', undefined],
    ['GET', '/api/vault/vault/{path}', '/api/vault/vault/Deals/Acme.md', undefined],
    ['GET', '/api/vault/vault/{path}', '/api/vault/vault/Deals/Acme.md?format=note', undefined],
    ['PUT', '/api/vault/vault/{path}', '/api/vault/vault/New.md', { content: 'text' }],
    ['POST', '/api/vault/search/simple/', '/api/vault/search/simple/', { query: 'fox' }],
    ['POST', '/api/vault/search/', '/api/vault/search/', { query: { '==': [{ var: 'frontmatter.status' }, 'open'] } }],
    ['GET', '/api/vault/commands/', '/api/vault/commands/', undefined],
    ['GET', '/api/vault/', '/api/vault/', undefined],
  ])('matches its documentation: %s %s: %s (REST-002)', async (method, path, address, body) => {
    const schema = successOf(method, path);
    const answer = await ask(method, address, body);
    expect(answer.status).toBe(200);
    expect(schema).not.toBeNull();
    expect(faultIn(schema ?? {}, await answer.json())).toBeNull();
  });

  it('has the members that the tools have, and is invalid without an envelope', () => {
    const schema = successOf('POST', '/api/vault/search/simple/') ?? {};
    const shape = z.looseObject({ properties: z.record(z.string(), z.unknown()) }).parse(schema);
    expect(Object.keys(shape.properties)).toEqual(['data', 'warnings']);
    expect(faultIn(schema, { data: [{ filename: 'A.md', score: -1 }] })).toBeNull();
    expect(faultIn(schema, { data: [{ filename: 1 }] })).toContain('must be string');
    expect(faultIn(schema, [{ filename: 'A.md' }])).toContain('must be object');
  });

  it('is an error by its status if it fails, which all operations share (REST-014)', () => {
    const statuses = ['400', '401', '403', '404', '409', '410', '413', '415', '422', '429', '502', '503', 'default'];
    for (const { path, operation } of operationsIn(document)) {
      const { '200': _, ...errors } = operation.responses;
      expect(Object.keys(errors), path).toEqual(statuses);
      const names = Object.values(errors).map(({ $ref }) => $ref.split('/').at(-1) ?? '');
      expect(Object.keys(document.components.responses)).toEqual(expect.arrayContaining(names));
    }
    const limited = document.components.responses['RateLimited'];
    expect(Object.keys(limited?.headers ?? {})).toEqual(['Retry-After']);
  });

  it('is a documented problem if it fails', async () => {
    const answer = await ask('GET', '/api/vault/vault/None.md');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const schema = document.components.responses['NotFound']?.content['application/problem+json']?.schema;
    expect(faultIn(schema ?? {}, await answer.json())).toBeNull();
    expect(faultIn(schema ?? {}, { reason: 'not_found' })).toContain('must have required property');
  });
});
