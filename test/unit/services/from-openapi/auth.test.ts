import { describe, expect, it } from 'vitest';
import type { OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';
import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { innerApi, innerProvider, requestFor } from '#test/support/services/inner-api.ts';

const flow = {
  authorizationUrl: 'https://a.example/authorize',
  tokenUrl: 'https://a.example/token',
  scopes: { read: '' },
};
const securitySchemes = {
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  token: { type: 'http', scheme: 'Bearer' },
  code: { type: 'oauth2', flows: { authorizationCode: flow } },
};
const document = innerApi(
  { '/things': { get: { operationId: 'call', responses: {} } } },
  { components: { securitySchemes }, security: [{ token: [] }] },
);
const provider = (auth: string | OpenApiAuth | undefined) =>
  fromOpenApi(document, { key: 'inner', operations: ['call'], ...(auth === undefined ? {} : { auth }) })
    .configure({})
    .provider();

describe('users authenticate as the document or the options specify (OAPI-009)', () => {
  it.each([
    [undefined, 'personal_token', { authorization: 'Bearer the-key' }],
    ['key', 'api_key', { 'x-key': 'the-key' }],
    [
      { kind: 'apiKey', in: 'header', name: 'Authorization', prefix: 'Token ' } as const,
      'api_key',
      { authorization: 'Token the-key' },
    ],
    [{ kind: 'basic' } as const, 'api_key', { authorization: 'Basic dGhlLWtleQ==' }],
  ])('with %j', (auth, method, headers) => {
    expect(provider(auth).keyMethod).toBe(method);
    expect(requestFor(provider(auth), {}).headers).toMatchObject(headers);
  });

  it('with a key in the query', () => {
    const auth = { kind: 'apiKey', in: 'query', name: 'api key' } as const;
    expect(requestFor(provider(auth), {}).url).toBe('https://inner.example/v1/things?api+key=the-key');
  });

  it('with an authorization code, and with a personal token unless only OAuth is intended', () => {
    expect(provider('code').keyMethod).toBe('personal_token');
    const { oauth, keyMethod } = provider({ kind: 'oauth2', ...flow, scopes: ['a', 'b'], onlyOAuth: true });
    const app = { clientId: 'id', clientSecret: 'secret', scopes: null };
    expect(keyMethod).toBeNull();
    expect(oauth?.authorizeUrl({})).toBe(flow.authorizationUrl);
    expect(oauth?.authorizationParameters({ app, redirectUri: 'https://b', extra: {} })).toEqual({
      response_type: 'code',
      client_id: 'id',
      redirect_uri: 'https://b',
      scope: 'a b',
    });
    expect(oauth?.readTokens({ access_token: 't', expires_in: '60', scope: 'a b' }, null)).toMatchObject({
      accessToken: 't',
      expiresInS: 60,
      scope: 'a,b',
    });
    expect(oauth?.isRefused(400, { error: 'invalid_grant' }, tokenRecord('inner'))).toBe(true);
    expect(oauth?.isRefused(400, { error: 'invalid_client' }, tokenRecord('inner'))).toBe(false);
  });
});

describe('the bounds of an API', () => {
  it('are those that the options give (OAPI-013)', () => {
    const limits = { timeoutMs: 5, maxBytes: 6, concurrency: 2, requests: { count: 10, windowMs: 1000 } };
    const bounded = innerProvider(document, { probe: 'call', limits });
    const record = tokenRecord('inner');
    const [row] = Object.values(bounded.operations);
    expect(bounded).toMatchObject({ timeoutMs: 5, maxBytes: 6 });
    expect(bounded.dialect.concurrency?.(record)).toBe(2);
    if (row?.kind !== 'request') throw new Error('There is no row.');
    expect(bounded.dialect.budgets?.(row, record, {})).toEqual([
      { name: 'requests', points: 10, windowMs: 1000, cost: 1 },
    ]);
  });
});

describe('a failure contains what the API said (OAPI-014)', () => {
  const { dialect, operations } = provider('key');
  const [row] = Object.values(operations);
  it.each([
    [{ type: 'about:blank', title: 'Not good', detail: 'No such thing' }, 'No such thing'],
    [{ message: 'Bad', errors: [{ message: 'name is missing' }, 'and more'] }, 'Bad; name is missing; and more'],
    [{ error: 'invalid', error_description: 'It is invalid' }, 'It is invalid'],
    [{ error: { code: 7, message: 'Inner' } }, 'Inner'],
    [{ errors: { base: 1 } }, null],
    ['A text', 'A text'],
    [null, null],
  ])('in %j', (body, said) => {
    if (row?.kind !== 'request') throw new Error('There is no row.');
    const answer = { kind: 'answer', status: 400, headers: {}, body: new Uint8Array() } as const;
    const error = dialect.readError(answer, body, { row, record: tokenRecord('inner') });
    expect(error?.message ?? null).toBe(said === null ? null : `The inner api refused: ${said}`);
  });
});
