import { describe, expect, it } from 'vitest';
import { readError } from '#adapters/services/sales-crm/neutral/errors.ts';
import { readBudgets, tokenCost } from '#adapters/services/sales-crm/neutral/limits.ts';
import { rows as operations } from '#adapters/services/sales-crm/rows.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { salesCrmDialect, salesCrmOAuth } from '#test/support/services/vendors.ts';

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

describe('a successful answer of the sales CRM', () => {
  it('is unwrapped: the record without its envelope', () => {
    expect(read(neutral, 'deals.get', { success: true, data: { id: 7 } })).toEqual({ ok: true, data: { id: 7 } });
  });

  it('has its next page in additional_data.pagination.next_cursor in the neutral dialect (SALES-013)', () => {
    const body = { success: true, data: [{ id: 1 }], additional_data: { pagination: { next_cursor: 'abc' } } };
    expect(read(neutral, 'deals.list', body)).toEqual({
      ok: true,
      data: [{ id: 1 }],
      pagination: { next: 'abc', hasMore: true },
    });
  });

  it.each([{}, { additional_data: null }, { additional_data: { pagination: { next_cursor: null } } }])(
    'has no cursor at its end: %j',
    (rest) => {
      expect(read(neutral, 'leads.list', { success: true, data: [], ...rest })).toMatchObject({
        pagination: { next: null, hasMore: false },
      });
    },
  );

  it("has its next page in additional_data.next_cursor in the vendor's v2", () => {
    const body = { data: [{ id: 1 }], additional_data: { next_cursor: 'abc' } };
    expect(read(own, 'deals.list', body)).toMatchObject({ pagination: { next: 'abc', hasMore: true } });
  });

  it("has the number to start from, as text, in the vendor's v1", () => {
    const pagination = { start: 0, limit: 50, more_items_in_collection: true, next_start: 50 };
    expect(read(own, 'notes.list', { data: [{ id: 1 }], additional_data: { pagination } })).toMatchObject({
      pagination: { next: '50', hasMore: true },
    });
    const last = { start: 50, limit: 50, more_items_in_collection: false };
    expect(read(own, 'notes.list', { data: [{ id: 1 }], additional_data: { pagination: last } })).toMatchObject({
      pagination: { next: null, hasMore: false },
    });
  });

  it('of leads has its own count of the next start', () => {
    const additional_data = { start: 100, limit: 50, more_items_in_collection: true };
    expect(read(own, 'leads.list', { data: [{ id: 'a' }], additional_data })).toMatchObject({
      pagination: { next: '150', hasMore: true },
    });
  });

  it('that is an empty v1 list is an empty list, and not null', () => {
    expect(read(own, 'files.list', { success: true, data: null })).toMatchObject({ data: [] });
  });

  it('of a search is the list of its hits, followed by related records, and says so', () => {
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
    'of a search without a list of related hits is its own hits: %j',
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
  it('is reported in one sentence, and kept as data', () => {
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
  ])('suggests a remedy for %i', (status, hint) => {
    expect(readError({ status }, { success: false, error: 'no' })?.message).toContain(hint);
  });

  it('shows no markup, no echoed token, and no unlimited text', () => {
    const error = `<b>Bad</b> request\n/deals?api_token=abc123&x=1 ${'x'.repeat(1000)}`;
    const message = readError({ status: 400 }, { success: false, error })?.message ?? '';
    expect(message).toContain('Bad request /deals?api_token=…&x=1');
    expect(message).not.toContain('abc123');
    expect(message.length).toBeLessThan(450);
  });

  it.each([null, '<html>', [], 7])('without a body of its own is reported by its status: %j', (body) => {
    expect(readError({ status: 502 }, body)).toBeNull();
  });
});

describe('the limits of the sales CRM', () => {
  const budgets = (name: Name, extra: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries((neutral.budgets?.(operations[name], { ...record, extra }, {}) ?? []).map((b) => [b.name, b]));

  it('are 30,000 tokens a day, times the plan and the seats; the lowest plan if it is unknown (LIMIT-002)', () => {
    expect(budgets('deals.list')['daily_tokens']).toEqual({
      name: 'daily_tokens',
      points: 30_000,
      windowMs: 86_400_000,
      cost: 10,
    });
    expect(budgets('deals.list', { plan: 'Ultimate', seats: 3 })['daily_tokens']?.points).toBe(630_000);
    expect(budgets('deals.list', { plan: 'unheard of', seats: -1 })['daily_tokens']?.points).toBe(30_000);
  });

  it('are a burst of 20 to 120 requests in 2 seconds, by plan (LIMIT-002)', () => {
    expect(budgets('deals.list')['burst']).toEqual({ name: 'burst', points: 20, windowMs: 2_000, cost: 1 });
    expect(budgets('deals.list', { plan: 'enterprise' })['burst']?.points).toBe(120);
  });

  it('charge a v2 call half of what it costs in v1 (LIMIT-008)', () => {
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
  ])('charge %s %i tokens', (name, cost) => {
    expect(tokenCost(operations[name])).toBe(cost);
  });

  it("are four times the burst for OAuth in the vendor's dialect, with a separate budget for searches", () => {
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
  ])("are, for %j in the vendor's dialect, %s tokens a day (LIMIT-013)", (extra, points) => {
    const given = own.budgets?.(operations['deals.list'], { ...record, extra }, {}) ?? [];
    expect(given.find(({ name }) => name === 'daily_tokens')?.points ?? null).toBe(points);
  });

  it('are shared by the company if its plan is known, whoever is connected (LIMIT-013)', () => {
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

  it("are corrected by the provider's headers (LIMIT-006)", () => {
    const headers = { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '2', 'x-daily-requests-left': '9999' };
    const read = readBudgets({ headers });
    expect(read).toMatchObject([
      { name: 'burst', remaining: 3, resetsInMs: 2_000 },
      { name: 'daily_requests', remaining: 9_999 },
    ]);
    expect(budgets('deals.list')).toHaveProperty('daily_requests');
    expect(readBudgets({ headers: { 'x-ratelimit-remaining': 'many' } })).toEqual([]);
  });

  it('set the tokens of the day to the requests left if the two are one budget', () => {
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

  it("asks for no scope in the vendor's dialect, and authenticates by Basic", () => {
    expect(ownFacts.authorizeUrl({})).toBe('https://oauth.pipedrive.com/oauth/authorize');
    expect(ownFacts.tokenUrl({})).toBe('https://oauth.pipedrive.com/oauth/token');
    expect(Object.keys(ownFacts.authorizationParameters(question))).toEqual(['client_id', 'redirect_uri']);
    expect(Object.keys(ownFacts.exchangeFields(exchange))).toEqual(['grant_type', 'code', 'redirect_uri']);
    expect(Object.keys(ownFacts.refreshFields(app, 'rt'))).toEqual(['grant_type', 'refresh_token']);
    expect(ownFacts.clientAuthentication).toBe('basic');
  });

  it('needs addresses in the neutral dialect', () => {
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
    'stores no company whose address is not the provider’s: %j',
    (api_domain) => {
      expect(ownFacts.readTokens({ access_token: 'a', api_domain }, null)?.extra).toEqual({});
    },
  );

  it('returns no tokens for an answer without an access token', () => {
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
  ])('decides for %i %j whether the grant is lost: %j', (status, body, isGone) => {
    expect(facts.isRefused(status, body)).toBe(isGone);
  });

  it('is renewed about every 50 minutes', () => {
    expect([facts.renewEveryMs, ownFacts.renewEveryMs]).toEqual([3_000_000, 3_000_000]);
  });
});
