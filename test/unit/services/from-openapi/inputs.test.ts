import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import { jsonIn, messageOf, providerOf, requestFor } from '#test/support/services/inner-api.ts';

const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: { type: 'string' }, ...more });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const json = (schema: object, required = true) => ({ required, content: { 'application/json': { schema } } });
const list = { type: 'array', items: { type: 'string' } };

describe('the inputs of an operation', () => {
  const provider = providerOf(
    {
      parameters: [inPath('id'), query('id'), { ...query('X-Request-Id'), in: 'header' }],
      requestBody: json({ type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: {} } }),
    },
    '/things/{id}',
    'put',
  );

  it('are its parameters and the members of its body; the first of one name keeps it (OAPI-002)', () => {
    const [info] = catalogOf([provider]).operations;
    expect(Object.keys(Object(info?.inputSchema['properties']))).toEqual([
      'id',
      'query_id',
      'x_request_id',
      'body_id',
      'name',
    ]);
    expect(info?.inputSchema['required']).toEqual(['id', 'body_id']);
  });

  it('are each sent in their place under their own name (OAPI-002, OAPI-003)', () => {
    const request = requestFor(provider, { id: 'a b/c', query_id: 'q', x_request_id: '7', body_id: 3, name: 'N' });
    expect(request).toMatchObject({ method: 'PUT', url: 'https://inner.example/v1/things/a%20b%2Fc?id=q' });
    expect(request.headers).toMatchObject({ 'x-request-id': '7', 'content-type': 'application/json' });
    expect(request.headers['authorization']).toBe('Bearer the-key');
    expect(jsonIn(request)).toEqual({ id: 3, name: 'N' });
  });

  it.each(['', '.', '..'])('stay within the path if a path parameter is "%s" (OAPI-012)', (id) => {
    expect(messageOf(provider, { id, body_id: 3 })).toMatch(/`id` must not be empty, nor dots alone/);
  });

  it('add no header by a line break in one (OAPI-012)', () => {
    expect(messageOf(provider, { id: 'a', body_id: 3, x_request_id: 'a\r\nb: c' })).toMatch(/printable ASCII/);
  });

  it('that are unknown are refused with the nearest known name', () => {
    expect(messageOf(provider, { id: 'a', body_id: 3, nmae: 'N' })).toMatch(/did you mean `name`/);
  });
});

describe('a query parameter is sent in its style (OAPI-003)', () => {
  it.each([
    [{ schema: list }, ['a', 'b c'], 'p=a&p=b+c'],
    [{ schema: list, explode: false }, ['a', 'b'], 'p=a%2Cb'],
    [{ schema: list, style: 'pipeDelimited' }, ['a', 'b'], 'p=a%7Cb'],
    [{ schema: list, style: 'spaceDelimited' }, ['a', 'b'], 'p=a+b'],
    [{ schema: { type: 'object' } }, { x: 1, y: 'z' }, 'x=1&y=z'],
    [{ schema: { type: 'object' }, explode: false }, { x: 1, y: 'z' }, 'p=x%2C1%2Cy%2Cz'],
    [{ schema: { type: 'object' }, style: 'deepObject' }, { x: { y: 1 } }, 'p%5Bx%5D%5By%5D=1'],
    [{ schema: undefined, content: { 'application/json': { schema: {} } } }, { x: [1] }, 'p=%7B%22x%22%3A%5B1%5D%7D'],
    [{ schema: { type: 'boolean' } }, false, 'p=false'],
  ])('in the document %j, with %j, as %s', (more, value, expected) => {
    const provider = providerOf({ parameters: [query('p', more)] }, '/things', 'get');
    expect(requestFor(provider, { p: value }).url).toBe(`https://inner.example/v1/things?${expected}`);
  });

  it('and a list in a path is joined by commas', () => {
    const provider = providerOf({ parameters: [{ ...inPath('ids'), schema: list }] }, '/things/{ids}:run', 'get');
    expect(requestFor(provider, { ids: ['a/b', 'c'] }).url).toBe('https://inner.example/v1/things/a%2Fb,c:run');
    expect(catalogOf([provider]).operations[0]?.route?.path).toBe('/things/{ids}/run');
  });
});

describe('a body is sent in the media type of its document (OAPI-003)', () => {
  const form = { type: 'object', properties: { name: { type: 'string' }, tags: list, at: { type: 'object' } } };

  it.each([
    ['application/x-www-form-urlencoded', form, { name: 'a&b', tags: ['x'] }, 'name=a%26b&tags%5B0%5D=x'],
    ['application/json', list, { body: ['x'] }, '["x"]'],
    [
      'application/json',
      { type: 'object', additionalProperties: { type: 'string' } },
      { body: { any: 'x' } },
      '{"any":"x"}',
    ],
    ['application/merge-patch+json', form, { name: 'x' }, '{"name":"x"}'],
    ['text/plain', { type: 'string' }, { body: 'Hello' }, 'Hello'],
  ])('%s %j', (mediaType, schema, input, body) => {
    const provider = providerOf({ requestBody: { required: true, content: { [mediaType]: { schema } } } });
    const request = requestFor(provider, input);
    expect(request.headers['content-type']).toBe(mediaType);
    expect(request.body).toBe(body);
  });

  it('but not if it is optional and not given', () => {
    const provider = providerOf({ requestBody: json(form, false) });
    expect(requestFor(provider, {})).not.toHaveProperty('body');
    expect(requestFor(providerOf({ requestBody: json(form) }), {}).body).toBe('{}');
  });

  const file = { name: 'a.txt', content_base64: Buffer.from('bytes').toString('base64'), media_type: 'text/plain' };

  it.each([
    ['3.0', { type: 'string', format: 'binary' }],
    ['3.1', { contentMediaType: 'image/png' }],
  ])('as an upload if it is a form with a file, as %s writes it (OAPI-008)', async (_, part) => {
    const schema = { type: 'object', properties: { picture: part, about: { type: 'string' } } };
    const provider = providerOf({ requestBody: { content: { 'multipart/form-data': { schema } } } });
    expect(catalogOf([provider]).operations[0]?.upload).toBe('picture');
    const request = requestFor(provider, { picture: file, about: 'A file' });
    const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
    const sent = await text(Object(request.body));
    expect(sent.split(`--${boundary}`)).toHaveLength(4);
    expect(sent).toContain('name="about"\r\n\r\nA file\r\n');
    expect(sent).toContain('name="picture"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nbytes\r\n');
    expect(Number(request.headers['content-length'])).toBe(sent.length);
    expect(await text(Object(requestFor(provider, { about: 'No file' }).body))).toMatch(
      /No file\r\n--portolan-.+--\r\n$/,
    );
  });

  it('as an upload if it is the bytes of a file (OAPI-008)', async () => {
    const provider = providerOf({ requestBody: { required: true, content: { 'application/octet-stream': {} } } });
    expect(catalogOf([provider]).operations[0]?.upload).toBe('file');
    const request = requestFor(provider, { file });
    expect(request.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-length': '5' });
    expect(await text(Object(request.body))).toBe('bytes');
  });
});
