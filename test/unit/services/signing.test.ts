import { describe, expect, it } from 'vitest';
import { statusCode } from '#adapters/services/signing/pandadoc/status-codes.ts';
import { rows } from '#adapters/services/signing/rows.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { signingDialect, signingOAuth } from '#test/support/services/vendors.ts';

const key: TokenRecord = tokenRecord('signing');
const oauth: TokenRecord = { ...key, authMethod: 'oauth' };
const production: TokenRecord = { ...key, extra: { plan: 'production' } };

const neutral = signingDialect('neutral', 'https://signing.example');
const own = signingDialect('pandadoc', null);

const read = (row: keyof typeof rows, body: unknown, inputs = {}, dialect = neutral) =>
  dialect.readSuccess({ row: rows[row], inputs, status: 200, headers: {}, body });

const says = (status: number, body: unknown) =>
  neutral.readError({ kind: 'answer', status, headers: {}, body: Buffer.from(JSON.stringify(body)) }, body, {
    row: rows['documents.get'],
    record: key,
  });

describe('the rate limits of the signing service', () => {
  const pointsOf = (row: keyof typeof rows, record: TokenRecord) =>
    neutral.budgets?.(rows[row], record, {}).map(({ points, windowMs, cost }) => ({ points, windowMs, cost }));

  it.each([
    ['documents.create', 300],
    ['documents.details', 600],
    ['documents.download', 100],
    ['documents.send', 60],
    ['members.list', 60],
  ] as const)('allow %s %d times a minute in production (LIMIT-007)', (row, points) => {
    expect(pointsOf(row, oauth)).toEqual([{ points, windowMs: 60_000, cost: 1 }]);
    expect(pointsOf(row, production)).toEqual([{ points, windowMs: 60_000, cost: 1 }]);
  });

  it.each(['documents.create', 'documents.details', 'members.list'] as const)(
    'allow %s ten times with a sandbox key (LIMIT-003)',
    (row) => {
      expect(pointsOf(row, key)).toEqual([{ points: 10, windowMs: 60_000, cost: 1 }]);
    },
  );

  it('count each endpoint separately (LIMIT-003)', () => {
    const names = Object.values(rows).map((row) => neutral.budgets?.(row, key, {})[0]?.name);
    expect(new Set(names).size).toBe(Object.keys(rows).length);
  });
});

describe('OAuth of the signing service', () => {
  const facts = signingOAuth('neutral', {
    authorizeUrl: 'https://a.example/authorize',
    tokenUrl: 'https://a.example/token',
  });
  const app = { clientId: 'app', clientSecret: 'secret', scopes: null };
  const question = { app, redirectUri: 'https://me.example/back', extra: {} };

  it('sends these parameters in the authorization request, the scope as `read+write` on the wire (SIGN-008, CONN-004)', () => {
    const parameters = facts.authorizationParameters(question);
    expect(parameters).toEqual({
      client_id: 'app',
      redirect_uri: 'https://me.example/back',
      scope: 'read write',
      response_type: 'code',
    });
    expect(new URLSearchParams(parameters).toString()).toContain('scope=read+write');
  });

  it.each([
    ['read', 'read'],
    ['read+write', 'read+write'],
    ['read,write', 'read+write'],
    ['read write', 'read+write'],
  ])('sends the scope "%s" as %s', (scopes, wire) => {
    const parameters = facts.authorizationParameters({ ...question, app: { ...app, scopes } });
    expect(new URLSearchParams({ scope: parameters['scope'] ?? '' }).toString()).toBe(`scope=${wire}`);
  });

  it('sends these fields in the exchange and no others (SIGN-009)', () => {
    expect(facts.exchangeFields({ ...question, code: 'the-code', callback: {} })).toEqual({
      grant_type: 'authorization_code',
      client_id: 'app',
      client_secret: 'secret',
      code: 'the-code',
      scope: 'read write',
    });
  });

  it('sends these fields in the refresh and no others (SIGN-009)', () => {
    expect(facts.refreshFields(app, 'again')).toEqual({
      grant_type: 'refresh_token',
      client_id: 'app',
      client_secret: 'secret',
      refresh_token: 'again',
    });
  });

  it('expects a token to live about a year, and renews it only on a 401', () => {
    const body = {
      access_token: 'a',
      refresh_token: 'r',
      token_type: 'Bearer',
      expires_in: 31_535_999,
      scope: 'read+write',
    };
    expect(facts.readTokens(body, null)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      scope: 'read,write',
      expiresInS: 31_535_999,
      extra: {},
    });
    expect(facts.renewEveryMs).toBeNull();
  });

  it.each([{}, { error: 'invalid_grant' }, { access_token: '' }, null])('finds no tokens in %j', (body) =>
    expect(facts.readTokens(body, null)).toBeNull(),
  );

  it('treats only invalid_grant as the loss of a grant', () => {
    expect(facts.isRefused(400, { error: 'invalid_grant' })).toBe(true);
    expect(facts.isRefused(401, { error: 'invalid_grant' })).toBe(true);
    expect(facts.isRefused(401, { error: 'invalid_client' })).toBe(false);
    expect(facts.isRefused(500, { error: 'invalid_grant' })).toBe(false);
    expect(facts.isRefused(400, null)).toBe(false);
  });

  it("has no address of its own in the neutral dialect, but in the vendor's", () => {
    const unset = { authorizeUrl: null, tokenUrl: null };
    expect(signingOAuth('neutral', unset).authorizeUrl({})).toBeNull();
    expect(signingOAuth('neutral', unset).tokenUrl({})).toBeNull();
    expect(signingOAuth('pandadoc', unset).authorizeUrl({})).toBe('https://app.pandadoc.com/oauth2/authorize');
    expect(signingOAuth('pandadoc', unset).tokenUrl({})).toBe('https://api.pandadoc.com/oauth2/access_token');
    expect(facts.tokenUrl({})).toBe('https://a.example/token');
  });
});

describe('a successful answer', () => {
  it('has a next page if the page is full, and none if it is short (SIGN-007)', () => {
    expect(read('documents.list', { results: [1, 2] }, { count: 2, page: 3 })).toMatchObject({
      data: [1, 2],
      pagination: { next: '4', hasMore: true },
    });
    expect(read('documents.list', { results: [1] }, { count: 2, page: 4 })).toMatchObject({
      pagination: { next: null, hasMore: false },
    });
    expect(read('documents.list', { results: [] }, { count: 2 })).toMatchObject({
      data: [],
      pagination: { next: null },
    });
  });

  it('of forms states itself whether there are more', () => {
    expect(read('forms.list', { results: [1, 2], has_next_page: false }, { count: 2 })).toMatchObject({
      pagination: { hasMore: false },
    });
    expect(read('forms.list', { results: [1], has_next_page: true }, { count: 2 })).toMatchObject({
      pagination: { next: '2' },
    });
  });

  it('that is complete although pages were requested is cut into them, and ends', () => {
    const whole = { results: ['a', 'b', 'c', 'd'] };
    const page = (number: number) => read('contacts.list', whole, { count: 2, page: number }, own);
    expect(page(1)).toEqual({ ok: true, data: ['a', 'b'], pagination: { next: '2', hasMore: true } });
    expect(page(2)).toEqual({ ok: true, data: ['c', 'd'], pagination: { next: null, hasMore: false } });
    expect(page(3)).toEqual({ ok: true, data: [], pagination: { next: null, hasMore: false } });
  });

  it('has its list under one of several names, or bare (SIGN-007)', () => {
    expect(read('recipients.list', { id: 'd', recipients: [1] })).toEqual({ ok: true, data: [1] });
    expect(read('recipients.list', { results: [1] })).toEqual({ ok: true, data: [1] });
    expect(read('attachments.list', [1])).toEqual({ ok: true, data: [1] });
    expect(read('quotes.list', { pricing: { quotes: [1] } })).toEqual({ ok: true, data: [1] });
    expect(read('quotes.list', { pricing: {} })).toEqual({ ok: true, data: [] });
    expect(read('linked_objects.list', { linked_objects: [] })).toEqual({ ok: true, data: [] });
  });

  it.each([null, {}, 'text', { results: 'none' }])('that is not a list (%j) is not taken for one', (body) => {
    expect(read('documents.list', body)).toMatchObject({ ok: false, reason: 'unavailable' });
    expect(read('fields.list', body)).toMatchObject({ ok: false, reason: 'unavailable' });
  });
});

describe('an error of the signing service', () => {
  it('contains what the service said', () => {
    expect(says(400, { type: 'request_error', detail: 'Bad thing.' })?.message).toBe(
      'The signing service refused: Bad thing.',
    );
    expect(
      says(400, {
        type: 'validation_error',
        detail: { count: ['A valid integer is required.'], name: ['Too long.', 'Bad.'] },
      })?.message,
    ).toBe('The signing service refused: count: A valid integer is required.; name: Too long.; Bad.');
    expect(says(404, { code: 'not_found', details: ['No such document.'] })?.message).toBe(
      'The signing service refused: No such document.',
    );
    expect(says(403, { type: 'permissions_error', info_message: 'Ask an admin.' })?.message).toBe(
      'The signing service refused: Ask an admin.',
    );
  });

  it('for the state of a document names the state', () => {
    const said = says(409, { id: 'd', status: 'document.waiting_approval', info_message: 'Warning - …' });
    expect(said?.message).toBe(
      'The signing service refused: the document is waiting approval, and that state does not allow this.',
    );
    expect(says(409, { id: 'd', status: 'document.uploaded' })?.message).toContain('still being made');
  });

  it('for a lock is a conflict', () => {
    expect(says(423, { type: 'document_locked', detail: 'Locked by Stan.' })).toMatchObject({
      reason: 'conflict',
      details: { detail: 'Locked by Stan.' },
    });
  });

  it('without a reason is reported by its status', () => {
    expect(says(502, null)).toBeNull();
    expect(says(400, {})).toBeNull();
  });

  it('passes on nothing that was not requested', () => {
    expect(JSON.stringify(says(400, { detail: 'x', access_token: 'secret' }))).not.toContain('secret');
  });

  it('for a file that is not created yet is not a file', () => {
    const pending = { kind: 'answer', status: 202, headers: {}, body: new Uint8Array() } as const;
    expect(neutral.isFailure?.(pending, null)).toBe(true);
    expect(neutral.readError(pending, null, { row: rows['documents.download'], record: key })).toMatchObject({
      reason: 'conflict',
    });
    expect(neutral.isFailure?.({ ...pending, body: Buffer.from('{}') }, {})).toBe(false);
    expect(neutral.isFailure?.({ ...pending, status: 200 }, null)).toBe(false);
  });
});

describe("the provider's numbers of the states", () => {
  it.each([
    ['draft', 0],
    ['sent', 1],
    ['completed', 2],
    ['uploaded', 3],
    ['error', 4],
    ['viewed', 5],
    ['waiting_approval', 6],
    ['approved', 7],
    ['rejected', 8],
    ['waiting_pay', 9],
    ['paid', 10],
    ['expired', 11],
    ['declined', 12],
    ['external_review', 13],
    ['scheduled', 14],
  ])('include %s as %d', (state, code) => expect(statusCode(state)).toBe(code));

  it('leave a missing state missing', () => expect(statusCode(undefined)).toBeUndefined());
});
