import { describe, expect, it } from 'vitest';
import { salesCrmDialect } from '#adapters/services/sales-crm/dialects.ts';
import { readError } from '#adapters/services/sales-crm/errors.ts';
import { readBudgets, tokenCost } from '#adapters/services/sales-crm/limits.ts';
import { salesCrmOAuth } from '#adapters/services/sales-crm/oauth.ts';
import { rows as operations } from '#adapters/services/sales-crm/rows.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

const record: TokenRecord = {
  userId: 1,
  service: 'sales_crm',
  authMethod: 'oauth',
  accessToken: 'at',
  refreshToken: 'rt',
  scope: null,
  expiresAt: null,
  extra: {},
  updatedAt: 0,
};
const neutral = salesCrmDialect('neutral', 'https://crm.example');
const own = salesCrmDialect('pipedrive', null);

type Name = keyof typeof operations;
const read = (dialect: typeof neutral, name: Name, body: unknown) =>
  dialect.readSuccess({ row: operations[name], inputs: {}, status: 200, headers: {}, body });

describe('a good answer of the sales CRM', () => {
  it('is opened: the record out of its envelope', () => {
    expect(read(neutral, 'deals.get', { success: true, data: { id: 7 } })).toEqual({ ok: true, data: { id: 7 } });
  });

  it('goes on where the neutral dialect says: additional_data.pagination.next_cursor (SALES-013)', () => {
    const body = { success: true, data: [{ id: 1 }], additional_data: { pagination: { next_cursor: 'abc' } } };
    expect(read(neutral, 'deals.list', body)).toEqual({
      ok: true,
      data: [{ id: 1 }],
      pagination: { next: 'abc', hasMore: true },
    });
  });

  it.each([{}, { additional_data: null }, { additional_data: { pagination: { next_cursor: null } } }])(
    'ends without a cursor: %j',
    (rest) => {
      expect(read(neutral, 'leads.list', { success: true, data: [], ...rest })).toMatchObject({
        pagination: { next: null, hasMore: false },
      });
    },
  );

  it("goes on in the provider's own v2 by additional_data.next_cursor", () => {
    const body = { data: [{ id: 1 }], additional_data: { next_cursor: 'abc' } };
    expect(read(own, 'deals.list', body)).toMatchObject({ pagination: { next: 'abc', hasMore: true } });
  });

  it("goes on in the provider's own v1 by the number to start from, as text", () => {
    const pagination = { start: 0, limit: 50, more_items_in_collection: true, next_start: 50 };
    expect(read(own, 'notes.list', { data: [{ id: 1 }], additional_data: { pagination } })).toMatchObject({
      pagination: { next: '50', hasMore: true },
    });
    const last = { start: 50, limit: 50, more_items_in_collection: false };
    expect(read(own, 'notes.list', { data: [{ id: 1 }], additional_data: { pagination: last } })).toMatchObject({
      pagination: { next: null, hasMore: false },
    });
  });

  it('of leads counts for itself where to go on', () => {
    const additional_data = { start: 100, limit: 50, more_items_in_collection: true };
    expect(read(own, 'leads.list', { data: [{ id: 'a' }], additional_data })).toMatchObject({
      pagination: { next: '150', hasMore: true },
    });
  });

  it('that is an empty v1 list is an empty list, and not null', () => {
    expect(read(own, 'files.list', { success: true, data: null })).toMatchObject({ data: [] });
  });

  it('of a search is the list of its hits; what is related to them follows, and says so', () => {
    const items = [{ result_score: 1, item: { id: 1 } }];
    expect(read(own, 'items.search', { data: { items } })).toMatchObject({ data: items });
    const related_items = [{ result_score: 0, item: { id: 2 } }];
    const body = { data: { items, related_items }, additional_data: { next_cursor: 'abc' } };
    expect(read(own, 'items.search', body)).toEqual({
      ok: true,
      data: [
        { result_score: 1, item: { id: 1 } },
        { result_score: 0, item: { id: 2 }, is_related: true },
      ],
      pagination: { next: 'abc', hasMore: true },
    });
  });

  it.each([[[]], [null], ['none']])(
    'of a search that has no list of related hits is its own hits: %j',
    (related_items) => {
      expect(read(own, 'items.search', { data: { items: [{ item: { id: 1 } }], related_items } })).toMatchObject({
        data: [{ item: { id: 1 } }],
      });
    },
  );

  it('of goals is the list or the goal; results keep the progress', () => {
    const goal = { id: 'g' };
    expect(read(own, 'goals.list', { data: { goals: [goal] } })).toEqual({ ok: true, data: [goal] });
    expect(read(own, 'goals.create', { data: { goal } })).toEqual({ ok: true, data: goal });
    expect(read(own, 'goals.results', { data: { goal, progress: 3 } })).toEqual({
      ok: true,
      data: { goal, progress: 3 },
    });
  });

  it('that says `success: false` is a failure, whatever its status', () => {
    const answer = { kind: 'answer', status: 200, headers: {}, body: new Uint8Array() } as const;
    expect(own.isFailure?.(answer, { success: false, error: 'no' })).toBe(true);
    expect(own.isFailure?.(answer, { success: true })).toBe(false);
    expect(own.isFailure?.(answer, null)).toBe(false);
  });
});

describe('an error of the sales CRM', () => {
  it('is told in one sentence, and kept as data', () => {
    const body = { success: false, error: 'Entity was not found', error_info: 'Object was not found.', data: null };
    expect(readError({ status: 404 }, body)).toEqual({
      message: 'The sales CRM refused. Entity was not found. Object was not found.',
      details: { error: 'Entity was not found', error_info: 'Object was not found.' },
    });
  });

  it('names the fields of a refused webhook', () => {
    const body = { status: 'error', success: false, errors: { subscription_url: ['invalid or non-reachable URL'] } };
    expect(readError({ status: 400 }, body)?.message).toBe(
      'The sales CRM refused. subscription_url: invalid or non-reachable URL.',
    );
  });

  it.each([
    [401, 'The token is not valid or has expired.'],
    [403, 'connect again'],
    [410, 'deleted permanently'],
    [429, 'wait a moment'],
  ])('says for %i what would help', (status, hint) => {
    expect(readError({ status }, { success: false, error: 'no' })?.message).toContain(hint);
  });

  it('shows no markup and no token that was echoed, and no end of text', () => {
    const error = `<b>Bad</b> request\n/deals?api_token=abc123&x=1 ${'x'.repeat(1000)}`;
    const message = readError({ status: 400 }, { success: false, error })?.message ?? '';
    expect(message).toContain('Bad request /deals?api_token=…&x=1');
    expect(message).not.toContain('abc123');
    expect(message.length).toBeLessThan(450);
  });

  it.each([null, '<html>', [], 7])('without a body of its own is left to its status: %j', (body) => {
    expect(readError({ status: 502 }, body)).toBeNull();
  });
});

describe('the limits of the sales CRM', () => {
  const budgets = (name: Name, extra: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries((neutral.budgets?.(operations[name], { ...record, extra }, {}) ?? []).map((b) => [b.name, b]));

  it('a day has 30,000 tokens, times the plan and the seats; the lowest plan when nobody says which (LIMIT-002)', () => {
    expect(budgets('deals.list')['daily_tokens']).toEqual({
      name: 'daily_tokens',
      points: 30_000,
      windowMs: 86_400_000,
      cost: 10,
    });
    expect(budgets('deals.list', { plan: 'Ultimate', seats: 3 })['daily_tokens']?.points).toBe(630_000);
    expect(budgets('deals.list', { plan: 'unheard of', seats: -1 })['daily_tokens']?.points).toBe(30_000);
  });

  it('a burst is 20 to 120 requests in 2 seconds, by plan (LIMIT-002)', () => {
    expect(budgets('deals.list')['burst']).toEqual({ name: 'burst', points: 20, windowMs: 2_000, cost: 1 });
    expect(budgets('deals.list', { plan: 'enterprise' })['burst']?.points).toBe(120);
  });

  it('a v2 call costs half of what it costs in v1 (LIMIT-008)', () => {
    expect(tokenCost(operations['products.create']) * 2).toBe(tokenCost(operations['notes.create']));
    expect(tokenCost(operations['deals.list']) * 2).toBe(tokenCost(operations['leads.list']));
    expect(tokenCost(operations['deals.delete']) * 2).toBe(tokenCost(operations['leads.delete']));
  });

  it.each<[Name, number]>([
    ['deals.get', 1],
    ['deals.search', 20],
    ['items.search', 20],
    ['deals.merge', 40],
    ['leads.convert', 40],
    ['stages.list', 5],
    ['users.me', 2],
    ['files.download', 20],
  ])('%s costs %i tokens', (name, cost) => {
    expect(tokenCost(operations[name])).toBe(cost);
  });

  it("in the provider's own words OAuth bursts four times as wide, and searches have a budget of their own", () => {
    const names = (own.budgets?.(operations['items.search'], record, {}) ?? []).map(({ name, points }) => [
      name,
      points,
    ]);
    expect(Object.fromEntries(names)).toEqual({ burst: 80, search: 10 });
    const personal = own.budgets?.(operations['deals.get'], { ...record, authMethod: 'personal_token' }, {});
    expect(personal?.find(({ name }) => name === 'burst')?.points).toBe(20);
  });

  it.each<[Readonly<Record<string, unknown>>, number | null]>([
    [{}, null],
    [{ plan: 'ultimate' }, null],
    [{ seats: 10 }, null],
    [{ plan: 'unheard of', seats: 10 }, null],
    [{ plan: 'lite', seats: 1 }, 30_000],
    [{ plan: 'Ultimate', seats: 3 }, 630_000],
  ])("in the provider's own words %j has %s tokens a day (LIMIT-013)", (extra, points) => {
    const given = own.budgets?.(operations['deals.list'], { ...record, extra }, {}) ?? [];
    expect(given.find(({ name }) => name === 'daily_tokens')?.points ?? null).toBe(points);
  });

  it('are the company’s where its plan is known, whoever of it is connected (LIMIT-013)', () => {
    const sharedBy = (userId: number, company: string) =>
      own
        .budgets?.(
          operations['deals.list'],
          { ...record, userId, extra: { plan: 'lite', seats: 1, company_domain: company } },
          {},
        )
        .find(({ name }) => name === 'daily_tokens')?.sharedBy;
    expect(sharedBy(1, 'acme')).toBe(sharedBy(2, 'Acme'));
    expect(sharedBy(1, 'acme')).not.toBe(sharedBy(1, 'other'));
  });

  it("is corrected by the provider's headers (LIMIT-006)", () => {
    const headers = { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '2', 'x-daily-requests-left': '9999' };
    const told = readBudgets({ headers });
    expect(told).toMatchObject([
      { name: 'burst', remaining: 3, resetsInMs: 2_000 },
      { name: 'daily_requests', remaining: 9_999 },
    ]);
    expect(budgets('deals.list')).toHaveProperty('daily_requests');
    expect(readBudgets({ headers: { 'x-ratelimit-remaining': 'many' } })).toEqual([]);
  });

  it('has as many tokens for the day as there are requests left, where the two are one budget', () => {
    const answer = { status: 200, headers: { 'x-daily-requests-left': '90000' }, body: new Uint8Array() };
    const tokens = { name: 'daily_tokens', remaining: 90_000, isAtLeast: true };
    expect(neutral.readBudgets?.({ kind: 'answer', ...answer })).toContainEqual(expect.objectContaining(tokens));
    expect(own.readBudgets?.({ kind: 'answer', ...answer })).toMatchObject([{ name: 'daily_requests' }]);
  });
});

describe('OAuth of the sales CRM', () => {
  const app = { clientId: 'id', clientSecret: 'secret', scopes: null };
  const question = { app, redirectUri: 'https://me.example/connect/sales_crm/callback', extra: {} };
  const exchange = { ...question, code: 'the-code', callback: {} };
  const facts = salesCrmOAuth('neutral', { authorizeUrl: 'https://crm.example/a', tokenUrl: 'https://crm.example/t' });
  const ownFacts = salesCrmOAuth('pipedrive', { authorizeUrl: null, tokenUrl: null });

  it('asks with client_id, redirect_uri and scope (SALES-016, CONN-004)', () => {
    expect(facts.authorizationParameters(question)).toEqual({
      client_id: 'id',
      redirect_uri: 'https://me.example/connect/sales_crm/callback',
      scope: 'deals:full contacts:full leads:full activities:full products:full projects:full webhooks:full admin',
    });
    const some = { ...question, app: { ...app, scopes: 'deals:full' } };
    expect(facts.authorizationParameters(some)['scope']).toBe('deals:full');
  });

  it('exchanges and refreshes with the fields of the table (SALES-017)', () => {
    expect(facts.exchangeFields(exchange)).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: 'https://me.example/connect/sales_crm/callback',
      client_id: 'id',
      client_secret: 'secret',
    });
    expect(facts.refreshFields(app, 'rt')).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'rt',
      client_id: 'id',
      client_secret: 'secret',
    });
    expect(facts.clientAuthentication).toBe('body');
  });

  it("in the provider's own words asks for no scope, and signs in by Basic", () => {
    expect(ownFacts.authorizeUrl({})).toBe('https://oauth.pipedrive.com/oauth/authorize');
    expect(ownFacts.tokenUrl({})).toBe('https://oauth.pipedrive.com/oauth/token');
    expect(Object.keys(ownFacts.authorizationParameters(question))).toEqual(['client_id', 'redirect_uri']);
    expect(Object.keys(ownFacts.exchangeFields(exchange))).toEqual(['grant_type', 'code', 'redirect_uri']);
    expect(Object.keys(ownFacts.refreshFields(app, 'rt'))).toEqual(['grant_type', 'refresh_token']);
    expect(ownFacts.clientAuthentication).toBe('basic');
  });

  it('without addresses the neutral dialect goes nowhere', () => {
    const nowhere = salesCrmOAuth('neutral', { authorizeUrl: null, tokenUrl: null });
    expect([nowhere.authorizeUrl({}), nowhere.tokenUrl({})]).toEqual([null, null]);
  });

  it('reads both tokens, the scope comma separated, and the company', () => {
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 3600, scope: 'base deals:full' };
    const rest = { accessToken: 'a', refreshToken: 'r', scope: 'base,deals:full', expiresInS: 3600 };
    expect(facts.readTokens({ ...body, company_domain: 'acme' }, null)).toEqual({
      ...rest,
      extra: { company_domain: 'acme' },
    });
    expect(ownFacts.readTokens({ ...body, api_domain: 'https://acme.pipedrive.com' }, null)).toEqual({
      ...rest,
      extra: { company_domain: 'acme' },
    });
  });

  it.each(['https://evil.example', 'https://acme.pipedrive.com.evil.example', 'http://acme.pipedrive.com', 7])(
    'keeps no company of an address that is not the provider’s: %j',
    (api_domain) => {
      expect(ownFacts.readTokens({ access_token: 'a', api_domain }, null)?.extra).toEqual({});
    },
  );

  it('an answer without an access token has none', () => {
    expect(facts.readTokens({ error: 'invalid_grant' }, null)).toBeNull();
    expect(facts.readTokens('<html>', null)).toBeNull();
  });

  it.each([
    [400, { error: 'invalid_grant' }, true],
    [401, { success: false, message: 'Invalid grant: refresh_token is invalid' }, true],
    [400, { error: 'invalid_client' }, false],
    [400, 'nonsense', false],
    [429, { error: 'invalid_grant' }, false],
    [503, { error: 'invalid_grant' }, false],
  ])('%i %j: is the grant gone? %j', (status, body, isGone) => {
    expect(facts.isRefused(status, body)).toBe(isGone);
  });

  it('is renewed about every 50 minutes', () => {
    expect([facts.renewEveryMs, ownFacts.renewEveryMs]).toEqual([3_000_000, 3_000_000]);
  });
});
