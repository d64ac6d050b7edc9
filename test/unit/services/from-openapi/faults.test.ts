import { describe, expect, it } from 'vitest';
import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import type { OpenApiOptions } from '#adapters/services/from-openapi/options.ts';
import { innerApi } from '#test/support/services/inner-api.ts';

const usual: OpenApiOptions = { operations: ['call'], auth: { kind: 'bearer' }, probe: 'ping' };
const faultOf = (document: unknown, options: Partial<OpenApiOptions> = {}): string => {
  try {
    fromOpenApi(document, { ...usual, ...options });
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const calling = (operation: object, path = '/things', method = 'post', more: object = {}) =>
  innerApi({ [path]: { [method]: { operationId: 'call', responses: {}, ...operation } } }, more);
const at = (parameter: object) => calling({ parameters: [{ name: 'p', in: 'query', schema: {}, ...parameter }] });
const body = (content: object) => calling({ requestBody: { content } });
const binary = { type: 'string', format: 'binary' };

describe('an invalid document or option is reported in a sentence, with its place and what would be right (OAPI-010)', () => {
  it.each([
    ['a text', '{}', /the document is no object.*JSON\.parse/],
    ['Swagger 2', { swagger: '2.0', info: { title: 'Old' }, paths: {} }, /"Old": swagger is 2\.0; convert.*OpenAPI 3/],
    ['another version', innerApi({}, { openapi: '4.0.0' }), /openapi is "4\.0\.0"; it must be a version 3/],
    ['no paths', { openapi: '3.1.0', info: { title: 'T' } }, /paths is missing/],
    ['a style', at({ style: 'matrix' }), /paths\.\/things\.post\.parameters\[0\] has the style "matrix".*"form"/],
    ['a place', at({ in: 'body' }), /has "in": "body"; it must be "path", "query" or "header"/],
    ['a cookie', at({ in: 'cookie', required: true }), /required cookie "p".*leave the operation out/],
    ['a path name', calling({}, '/things/{id}'), /has \{id\} in its path and no parameter "id"/],
    ['a body', body({ 'application/xml': {} }), /content has application\/xml; JSON, a form, text or a file/],
    [
      'two files',
      body({ 'multipart/form-data': { schema: { type: 'object', properties: { a: binary, b: binary } } } }),
      /has the files "a" and "b"; one file is supported/,
    ],
    [
      'a reference outside',
      at({ schema: { $ref: 'other.json#/a' } }),
      /\$ref to another document \(other\.json#\/a\); bundle/,
    ],
    [
      'a reference to nothing',
      at({ schema: { $ref: '#/components/no' } }),
      /parameters\[0\]\.schema has a \$ref to #\/components\/no/,
    ],
    [
      'a circle of references',
      calling({ parameters: [{ $ref: '#/components/parameters/a' }] }, '/things', 'post', {
        components: { parameters: { a: { $ref: '#/components/parameters/a' } } },
      }),
      /leads in a circle/,
    ],
  ])('%s', (_, document, sentence) => {
    expect(faultOf(document)).toMatch(sentence);
  });

  it.each([
    ['an unknown operationId', { operations: ['cal'] }, /paths has no operation "cal"; did you mean "call"\?*\.$/],
    [
      'an unknown address',
      { operations: ['POST /thing'] },
      /no operation "POST \/thing"; did you mean "POST \/things"/,
    ],
    ['another method', { operations: ['HEAD /things'] }, /GET, POST, PUT, PATCH and DELETE, not "HEAD \/things"/],
    ['nothing picked', { operations: [] }, /`operations` is empty; pick at least one/],
    [
      'one name twice',
      { operations: ['call', { pick: 'ping', name: 'call' }] },
      /has the name "call", as "call" has; give one/,
    ],
    [
      'a long tool',
      { operations: [{ pick: 'call', name: 'x'.repeat(70) }] },
      /at most 64 letters, digits, _ and -; give it a shorter `name`/,
    ],
    ['no scheme', { auth: undefined }, /securitySchemes has nothing that is supported.*\{ kind: 'bearer' \}/],
    ['an unknown scheme', { auth: 'barer' }, /securitySchemes has no "barer"; it has none/],
    ['no probe', { probe: undefined }, /by which credentials could be tried; name one as `probe`/],
    ['a key', { key: 'Inner-1' }, /The service "Inner-1" does not fit. `key` must be lower-case words/],
    ['an address', { server: 'inner' }, /`server` is "inner"; it must be an address such as https/],
  ])('%s in the options', (_, options, sentence) => {
    const document = calling({ requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } });
    expect(faultOf(document, options)).toMatch(sentence);
  });

  it('for a probe with required inputs', () => {
    const document = calling(
      { parameters: [{ name: 'p', in: 'query', required: true, schema: {} }] },
      '/things',
      'get',
    );
    expect(faultOf(document, { probe: 'call' })).toMatch(/is the probe and has required inputs/);
  });

  it('for an operation at another address, where the credentials are not sent (OAPI-011)', () => {
    const document = calling({ servers: [{ url: 'https://uploads.example' }] });
    expect(faultOf(document)).toMatch(/post is at https:\/\/uploads\.example, and not at https:\/\/inner\.example\/v1/);
    const uploads = { server: 'https://uploads.example', probe: 'call', operations: ['call'] };
    expect(faultOf(document, uploads)).toBe('none');
  });
});
