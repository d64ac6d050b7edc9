import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import type { OpenApiOptions, PickedOperation } from '#adapters/services/from-openapi/options.ts';
import { answerTo, innerApi, innerProvider, jsonIn, requestFor, rowOf } from '#test/support/services/inner-api.ts';

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const page = object({
  results: { type: 'array', items: object({ id: text }) },
  paging: object({ next: object({ after: text, link: text }) }),
});
const answer = { 200: { description: '', ...json(page) } };
const key = { in: 'path', name: 'id', required: true, schema: text };

/** A document of records as a CRM publishes one for each kind: names made of its paths, and one word as a summary. */
const records = (title: string, number: string, more: object = {}) => {
  const path = `/crm/v3/objects/${number}`;
  return {
    openapi: '3.0.1',
    info: { title },
    servers: [{ url: 'https://crm.example' }],
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://crm.example/authorize',
              tokenUrl: 'https://crm.example/token',
              scopes: { [`${title.toLowerCase()}.read`]: '' },
            },
          },
        },
      },
    },
    paths: {
      [path]: {
        get: {
          operationId: `get-${path}_getPage`,
          summary: 'List',
          description: `Reads a page of ${title.toLowerCase()}.`,
          parameters: [{ in: 'query', name: 'after', schema: text }],
          responses: answer,
        },
        post: { operationId: `post-${path}_create`, responses: { 201: { description: '', ...json(object({})) } } },
      },
      [`${path}/{id}`]: {
        get: { operationId: `get-${path}/{id}_getById`, parameters: [key], responses: {} },
        patch: { operationId: `patch-${path}/{id}_update`, parameters: [key], responses: {} },
        delete: { operationId: `delete-${path}/{id}_archive`, parameters: [key], responses: {} },
      },
      [`${path}/search`]: {
        post: {
          operationId: `post-${path}/search_doSearch`,
          requestBody: json(object({ after: text, query: text })),
          responses: answer,
        },
      },
      [`${path}/batch/read`]: { post: { operationId: `post-${path}/batch/read_read`, responses: answer } },
    },
    ...more,
  };
};

const crm = (documents: unknown, operations: readonly PickedOperation[], more: Partial<OpenApiOptions> = {}) =>
  fromOpenApi(documents, { key: 'crm', operations, ...more });
const providerOf = (...given: Parameters<typeof crm>): Provider =>
  crm(...given)
    .configure({})
    .provider();
const namesOf = (...given: Parameters<typeof crm>): readonly string[] => Object.keys(providerOf(...given).operations);
const faultOf = (...given: Parameters<typeof crm>): string => {
  try {
    crm(...given);
    return 'none';
  } catch (error) {
    return String(error);
  }
};

const deals = (path = '') => `/crm/v3/objects/0-3${path}`;
const allOfThem = [
  `GET ${deals()}`,
  `POST ${deals()}`,
  `GET ${deals('/{id}')}`,
  `PATCH ${deals('/{id}')}`,
  `DELETE ${deals('/{id}')}`,
  `POST ${deals('/search')}`,
];

describe('an operation whose id only repeats its path gets a readable name', () => {
  it('of what it is of and what it does (OAPI-016)', () => {
    expect(namesOf(records('Deals', '0-3'), allOfThem)).toEqual([
      'deals_list',
      'deals_create',
      'deals_get',
      'deals_update',
      'deals_delete',
      'deals_search',
    ]);
  });

  it('which stays when other operations are picked, or picked in another order (OAPI-016)', () => {
    const document = records('Deals', '0-3');
    expect(namesOf(document, [`POST ${deals()}`, `GET ${deals()}`])).toEqual(['deals_create', 'deals_list']);
  });

  it('of more words of the path where operations would share one (OAPI-016)', () => {
    const paths = {
      '/v1/teams/{id}/members': { get: { parameters: [key], responses: answer } },
      '/v1/rooms/{id}/members': { get: { parameters: [key], responses: answer } },
    };
    const picks = Object.keys(paths).map((path) => `GET ${path}`);
    expect(Object.keys(innerProvider(innerApi(paths), { operations: picks }).operations)).toEqual([
      'teams_members_list',
      'rooms_members_list',
      'ping',
    ]);
    expect(Object.keys(innerProvider(innerApi(paths), { operations: picks.slice(1) }).operations)).toEqual([
      'rooms_members_list',
      'ping',
    ]);
  });

  it('of a bounded length, which tells two long paths apart (OAPI-016)', () => {
    const long = 'very-long-segment-'.repeat(5);
    const paths = { [`/${long}a/{id}`]: {}, [`/${long}b/{id}`]: {} };
    const operation = { get: { parameters: [key], responses: answer } };
    const document = innerApi(Object.fromEntries(Object.keys(paths).map((path) => [path, operation])));
    const picks = Object.keys(paths).map((path) => `GET ${path}`);
    const names = Object.keys(innerProvider(document, { operations: picks }).operations).slice(0, 2);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^very_long_segment[a-z_]{0,16}_[\da-f]{6}$/);
  });

  it('unless the id is a name already (OAPI-016)', () => {
    const document = innerApi({ '/v1/trips': { get: { operationId: 'get-trips', responses: answer } } });
    expect(Object.keys(innerProvider(document, { operations: ['get-trips'] }).operations)[0]).toBe('get_trips');
  });

  it('and a summary of one word is followed by the description (OAPI-016)', () => {
    expect(rowOf(providerOf(records('Deals', '0-3'), [`GET ${deals()}`]), 'deals_list').summary).toBe(
      'List: Reads a page of deals.',
    );
  });
});

describe('a POST that only searches', () => {
  const provider = providerOf(records('Deals', '0-3'), [`POST ${deals('/search')}`, `GET ${deals()}`]);

  it('reads, as its path and its only answer say (OAPI-017)', () => {
    const { operations } = catalogOf([provider]);
    expect(operations.find(({ name }) => name === 'deals_search')?.effect).toBe('read');
  });

  it.each([
    ['its path ends otherwise', '/v1/search/jobs', { responses: answer }],
    ['it answers that something was created', '/v1/search', { responses: { 201: answer[200] } }],
    ['it may also answer so', '/v1/search', { responses: { ...answer, 202: { description: '' } } }],
    ['nothing says what it answers', '/v1/search', { responses: {} }],
    ['its body holds a statement', '/v1/query', { requestBody: json(object({ sql: text })), responses: answer }],
    ['its body may hold one', '/v1/query', { requestBody: json({}), responses: answer }],
    [
      'its body is a text',
      '/v1/query',
      { requestBody: { content: { 'text/plain': { schema: text } } }, responses: answer },
    ],
  ])('changes, when %s (OAPI-017)', (_, path, operation) => {
    const inner = innerProvider(innerApi({ [path]: { post: { operationId: 'call', ...operation } } }));
    expect(catalogOf([inner]).operations.find(({ name }) => name === 'call')?.effect).toBe('change');
  });

  it('has the effect that the options name (OAPI-017)', () => {
    const picked = { pick: `POST ${deals('/search')}`, effect: 'lose' } as const;
    const other = providerOf(records('Deals', '0-3'), [picked, `GET ${deals()}`]);
    expect(catalogOf([other]).operations.find(({ name }) => name === 'deals_search')?.effect).toBe('lose');
  });

  it('is paged by a member of its body (OAPI-018)', () => {
    const row = rowOf(provider, 'deals_search');
    const body = { results: [{ id: '1' }], paging: { next: { after: '5' } } };
    const answered = provider.dialect.readSuccess({ row, inputs: {}, status: 200, headers: {}, body });
    expect(answered).toMatchObject({ ok: true, data: [{ id: '1' }], pagination: { next: '5', hasMore: true } });
    expect(jsonIn(requestFor(provider, { query: 'a', after: '5' }, 'deals_search'))).toEqual({
      query: 'a',
      after: '5',
    });
  });
});

describe('the next page is named by a link or a path in the answer', () => {
  const listing = (paging: object) =>
    innerProvider(
      innerApi({
        '/things': {
          get: {
            operationId: 'call',
            parameters: [{ in: 'query', name: 'after', schema: text }],
            responses: { 200: json(object({ results: { type: 'array', items: {} }, paging })) },
          },
        },
      }),
    );

  it.each([
    ['an address', text, 'https://inner.example/v1/things?limit=2&after=7'],
    ['a path', text, '/v1/things?after=7'],
    ['a relative path', text, 'things?limit=2&after=7'],
    ['a query', text, '?after=7'],
    ['a link within it', object({ link: text }), { link: 'https://inner.example/v1/things?after=7' }],
    ['a cursor within it', object({ after: text }), { after: '7' }],
    ['a cursor', text, '7'],
  ])('as %s (OAPI-018)', (_, schema, next) => {
    expect(answerTo(listing(object({ next: schema })), { results: [1], paging: { next } })).toMatchObject({
      pagination: { next: '7', hasMore: true },
    });
  });

  it.each(['https://inner.example/v1/things?page=2', '/v1/things', ''])(
    'and "%s" without the parameter ends the list (OAPI-018)',
    (next) => {
      expect(answerTo(listing(object({ next: text })), { results: [1], paging: { next } })).toMatchObject({
        pagination: { next: null, hasMore: false },
      });
    },
  );
});

describe('several documents make one service', () => {
  const both = [records('Deals', '0-3'), records('Contacts', '0-1')];
  const lists = [`GET ${deals()}`, 'GET /crm/v3/objects/0-1'];

  it('with the operations and the scopes of all (OAPI-019)', () => {
    const service = crm(both, lists);
    expect(Object.keys(service.configure({}).provider().operations)).toEqual(['deals_list', 'contacts_list']);
    const provider = service.configure({}).provider();
    expect(requestFor(provider, {}, 'contacts_list').url).toBe('https://crm.example/crm/v3/objects/0-1');
  });

  it('which need a key (OAPI-019)', () => {
    expect(faultOf(both, lists, { key: undefined } as never)).toMatch(/several documents make one service; give it a/);
  });

  it.each([
    ['none', [], /the list of documents is empty/],
    ['two of one title', [records('Deals', '0-3'), records('Deals', '0-1')], /two documents have the title "Deals"/],
    [
      'one at another address',
      [both[0], records('Contacts', '0-1', { servers: [{ url: 'https://other.example' }] })],
      /"Contacts": servers has https:\/\/other\.example, and not https:\/\/crm\.example/,
    ],
    [
      'one with another way in',
      [
        both[0],
        records('Contacts', '0-1', { components: { securitySchemes: { k: { type: 'http', scheme: 'bearer' } } } }),
      ],
      /"Contacts": components\.securitySchemes has another way to authenticate than "Deals"/,
    ],
  ])('but not %s (OAPI-019)', (_, documents, sentence) => {
    expect(faultOf(documents, lists)).toMatch(sentence);
  });

  it('and say which of them an operation is of, where two have it (OAPI-019)', () => {
    const ping = { '/ping': { get: { operationId: 'ping', responses: {} } } };
    const same = both.map((document) => ({ ...document, paths: { ...document.paths, ...ping } }));
    expect(faultOf(same, [...lists, 'ping'])).toMatch(
      /"Contacts": paths\.\/ping\.get is "ping", as is one of "Deals"; pick it as \{ pick: 'ping', document: 'Contacts' \}/,
    );
    expect(namesOf(same, [...lists, { pick: 'ping', document: 'Contacts' }])).toContain('ping');
    expect(faultOf(same, [{ pick: 'ping', document: 'Leads' }])).toMatch(
      /"ping" is of the document "Leads", which is not given; there are "Deals", "Contacts"/,
    );
  });
});
