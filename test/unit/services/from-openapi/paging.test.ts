import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import { answerTo, innerApi, innerProvider, requestFor } from '#test/support/services/inner-api.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const flag = { type: 'boolean' };
const things = { type: 'array', items: { type: 'object', properties: { id: text } } };
const object = (properties: object) => ({ type: 'object', properties });

const listing = (parameters: Readonly<Record<string, object>>, schema: object, more: object = {}, paging?: never) =>
  innerProvider(
    innerApi({
      '/things': {
        get: {
          operationId: 'call',
          parameters: Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema })),
          responses: { 200: { description: '', content: { 'application/json': { schema } }, ...more } },
        },
      },
    }),
    paging === undefined ? {} : { operations: [{ pick: 'call', paging }] },
  );

const link = { headers: { Link: { schema: text } } };
const five = ['a', 'b', 'c', 'd', 'e'];

describe('a list is paged as the names in its document indicate (OAPI-007)', () => {
  it.each([
    [
      'a cursor',
      { cursor: text },
      object({ items: things, next_cursor: text }),
      { items: five, next_cursor: 'n' },
      {},
      'n',
    ],
    [
      'a cursor within the part for the next page',
      { after: text },
      object({ results: things, paging: object({ next: object({ after: text, link: text }) }) }),
      { results: five, paging: { next: { after: '5', link: '?after=5' } } },
      {},
      '5',
    ],
    [
      'its end',
      { cursor: text },
      object({ items: things, next_cursor: text }),
      { items: five, next_cursor: '' },
      {},
      null,
    ],
    [
      'one deeper',
      { after: text },
      object({ data: things, page_info: object({ end_cursor: text }) }),
      { data: five, page_info: { end_cursor: 'n' } },
      {},
      'n',
    ],
    [
      'an address',
      { page: number },
      object({ data: things, links: object({ next: text }) }),
      { data: five, links: { next: 'https://x.example/a?q=1&page=3' } },
      { page: 2 },
      '3',
    ],
    [
      'an address without it',
      { page: number },
      object({ data: things, links: object({ next: text }) }),
      { data: five, links: { next: 'https://x.example/a' } },
      { page: 2 },
      null,
    ],
    [
      'a next number',
      { offset: number },
      object({ data: things, next_offset: number }),
      { data: five, next_offset: 5 },
      {},
      '5',
    ],
    [
      'pages in all',
      { page: number },
      object({ data: things, meta: object({ total_pages: number }) }),
      { data: five, meta: { total_pages: 2 } },
      {},
      '2',
    ],
    [
      'the last of them',
      { page: number },
      object({ data: things, total_pages: number }),
      { data: five, total_pages: 2 },
      { page: 2 },
      null,
    ],
    [
      'pages from 0',
      { pageNumber: { ...number, default: 0 } },
      object({ data: things, totalPages: number }),
      { data: five, totalPages: 2 },
      {},
      '1',
    ],
    [
      'more',
      { page: number },
      object({ data: things, has_more: flag }),
      { data: five, has_more: true },
      { page: 4 },
      '5',
    ],
    [
      'a last page',
      { page: number },
      object({ data: things, page: object({ lastPage: flag }) }),
      { data: five, page: { lastPage: true } },
      {},
      null,
    ],
    [
      'a total and a size',
      { page: number, per_page: { ...number, default: 5 } },
      object({ total_count: number, items: things }),
      { total_count: 11, items: five },
      { page: 2 },
      '3',
    ],
    [
      'the end of them',
      { page: number, per_page: number },
      object({ total_count: number, items: things }),
      { total_count: 11, items: five },
      { page: 2, per_page: 6 },
      null,
    ],
    ['an offset', { offset: number, limit: number }, things, five, { offset: 10 }, '15'],
    ['an offset past all', { offset: number, limit: number }, things, [], { offset: 10 }, null],
    [
      'an offset and a total',
      { skip: number },
      object({ total: number, results: things }),
      { total: 5, results: five },
      {},
      null,
    ],
  ])('%s', (_, parameters, schema, body, inputs, next) => {
    const provider = listing(Object(parameters), schema);
    expect(catalogOf([provider]).operations[0]?.output?.kind).toBe('list');
    expect(answerTo(provider, body, { inputs })).toMatchObject({
      ok: true,
      pagination: { next, hasMore: next !== null },
    });
  });

  it.each([
    ['<https://x.example/things?page=2>; rel="next", <https://x.example/things?page=9>; rel="last"', '2'],
    ['<https://x.example/things?page=1>; rel="prev"', null],
    [undefined, null],
  ])('by a Link header: %s', (header, next) => {
    const headers: Record<string, string> = header === undefined ? {} : { link: header };
    expect(answerTo(listing({ page: number }, things, link), five, { headers })).toMatchObject({
      data: five,
      pagination: { next, hasMore: next !== null },
    });
  });

  it('and its next page is requested with what was answered', () => {
    const provider = listing({ page: number }, things, link);
    expect(requestFor(provider, { page: '2' }).url).toBe('https://inner.example/v1/things?page=2');
  });

  it('and the requested page is never the next one', () => {
    const provider = listing({ cursor: text }, object({ items: things, next_cursor: text }));
    const body = { items: five, next_cursor: 'same' };
    expect(answerTo(provider, body, { inputs: { cursor: 'same' } })).toMatchObject({ pagination: { next: null } });
  });

  it.each([
    ['nothing to page by', {}, things],
    ['no end that could be recognized', { page: number }, object({ data: things })],
    ['two lists', { page: number }, object({ these: things, those: things, total_pages: number })],
  ])('but not at all with %s', (_, parameters, schema) => {
    expect(answerTo(listing(Object(parameters), schema), five)).not.toHaveProperty('pagination');
  });
});

describe('paging that the options give takes precedence (OAPI-007)', () => {
  const document = innerApi({
    '/things': {
      get: { operationId: 'call', responses: { 200: { description: '', content: { 'application/json': {} } } } },
    },
  });

  it('and adds the parameter that a document leaves out', () => {
    const paging = { kind: 'cursor', input: 'page', list: 'data', next: 'links.next' } as const;
    const provider = innerProvider(document, { operations: [{ pick: 'call', paging }] });
    expect(answerTo(provider, { data: five, links: { next: '/things?page=2' } })).toMatchObject({
      data: five,
      pagination: { next: '2', hasMore: true },
    });
    expect(requestFor(provider, { page: '2' }).url).toBe('https://inner.example/v1/things?page=2');
  });

  it('and is null for a list without pages', () => {
    const provider = innerProvider(
      innerApi({
        '/things': {
          get: {
            operationId: 'call',
            parameters: [{ name: 'offset', in: 'query', schema: number }],
            responses: { 200: { description: '', content: { 'application/json': { schema: things } } } },
          },
        },
      }),
      { operations: [{ pick: 'call', paging: null }] },
    );
    expect(answerTo(provider, five)).toEqual({ ok: true, data: five });
  });
});
