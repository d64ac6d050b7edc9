import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { nameOf } from '#adapters/services/definitions/provider.ts';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app as emulatedApp } from '#test/emulators/sales-crm/oauth.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type Credentials, operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

type Name = keyof typeof operations;
type Group = 'deals' | 'persons' | 'organizations' | 'activities';
type Input = Readonly<Record<string, unknown>>;

const customField = '3d0fa3429dfa2d3dec265b4fc5dc8258ab66cdf3';
const redirectUri = 'http://localhost:3000/connect/sales_crm/callback';

describe.each(['neutral', 'pipedrive'] as const)('the sales CRM over real sockets, %s', (dialect) => {
  let emulator: SalesCrmEmulator;
  let http: HttpClient;
  let kept: TokenRecord;
  let call: (name: Name, input?: Input) => Promise<Outcome>;
  let grants: HttpProviderGrants;

  beforeEach(async () => {
    emulator = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
    http = new HttpClient(() => 0);
    const { url, authorizeUrl, tokenUrl } = emulator;
    const provider = salesCrmProvider({ dialect, url, authorizeUrl, tokenUrl });
    if (provider.oauth === null) throw new Error('no OAuth');
    const app = { ...emulatedApp, scopes: null };
    grants = new HttpProviderGrants(
      new Map([['sales_crm', { name: nameOf(provider), facts: provider.oauth, app }]]),
      http,
      { now: Date.now },
    );
    kept = recordWith({ accessToken: personalToken, authMethod: 'personal_token', extra: { plan: 'enterprise' } });
    const tokens: Credentials = {
      find: async () => ok(kept),
      renew: async (refused) => {
        const renewed = await grants.renew(refused);
        if (!renewed.ok) return err(failed('unauthorized', renewed.failure.message));
        kept = renewed.value;
        return ok(kept);
      },
    };
    const gateway = operationsOver({ providers: [provider], tokens, http });
    call = (name, input = {}) => gateway.call({ userId: 1, service: 'sales_crm', name, input });
  });

  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  async function made(name: Name, input: Input): Promise<unknown> {
    const outcome = await call(name, input);
    if (!outcome.ok || typeof outcome.data !== 'object' || outcome.data === null || !('id' in outcome.data)) {
      throw new Error(JSON.stringify(outcome));
    }
    return outcome.data.id;
  }

  it.each<[Group, Input]>([
    ['deals', { title: 'Acme: 20 licences', value: 100 }],
    ['persons', { name: 'Ann', emails: [{ value: 'ann@example.com', primary: true, label: 'work' }] }],
    ['organizations', { name: 'Acme' }],
    ['activities', { subject: 'Call Ann' }],
  ])('creates, gets, changes, lists and deletes %s (SALES-002, SALES-003, SALES-004)', async (group, input) => {
    const id = await made(`${group}.create`, input);
    expect(await call(`${group}.update`, { id, owner_id: 2 })).toMatchObject({ ok: true, data: { id, owner_id: 2 } });
    expect(await call(`${group}.get`, { id })).toMatchObject({ ok: true, data: { ...input, id, owner_id: 2 } });
    expect(await call(`${group}.list`, { owner_id: 2, fields: ['id'] })).toEqual({
      ok: true,
      data: [{ id }],
      pagination: { next: null, hasMore: false },
    });
    expect(await call(`${group}.delete`, { id })).toMatchObject({ ok: true, data: { id } });
    expect(await call(`${group}.get`, { id })).toMatchObject({ ok: false, reason: 'gone' });
  });

  it('passes custom fields through in both directions (SALES-014)', async () => {
    const id = await made('deals.create', { title: 'A', [customField]: 'gold' });
    const where = dialect === 'neutral' ? { [customField]: 'gold' } : { custom_fields: { [customField]: 'gold' } };
    expect(await call('deals.get', { id })).toMatchObject({ data: where });
    const inside = { custom_fields: { [customField]: 'silver' } };
    expect(await call('deals.update', { id, ...inside })).toMatchObject({ data: inside });
  });

  it.each<[Name, Name, Input]>([
    ['deals.create', 'deals.list', { title: 'A' }],
    ['leads.create', 'leads.list', { title: 'A', person_id: 1 }],
    ['notes.create', 'notes.list', { content: 'A', deal_id: 1 }],
  ])(
    'creates %s five times, and %s returns them page by page, each once (OP-002, SALES-013)',
    async (create, list, input) => {
      const ids: unknown[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await made(create, input));
      const seen: unknown[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: Outcome = await call(list, { limit: 2, fields: ['id'], ...(cursor === null ? {} : { cursor }) });
        if (!page.ok || !Array.isArray(page.data)) throw new Error(JSON.stringify(page));
        seen.push(...page.data);
        cursor = page.pagination?.next ?? null;
        pages += 1;
      } while (cursor !== null);
      expect(seen).toEqual(ids.map((id) => ({ id })));
      expect(pages).toBe(3);
    },
  );

  it('returns an empty list as an empty list', async () => {
    for (const list of ['deals.list', 'files.list', 'leads.list', 'goals.list'] as const) {
      expect(await call(list)).toMatchObject({ ok: true, data: [] });
    }
  });

  it('searches and merges deals, and gives them followers and products (SALES-002, SALES-012)', async () => {
    const [acme, other] = [
      await made('deals.create', { title: 'Acme A' }),
      await made('deals.create', { title: 'Acme B' }),
    ];
    expect(await call('deals.search', { term: 'acme b' })).toMatchObject({ data: [{ item: { id: other } }] });
    expect(await call('deals.followers', { id: acme })).toMatchObject({ data: [{ user_id: 1 }] });
    const product = await made('products.create', { name: 'Licence' });
    const sold = await call('deals.add_product', { id: acme, product_id: product, item_price: 10, quantity: 3 });
    expect(sold).toMatchObject({ ok: true, data: { sum: 30 } });
    expect(await call('deals.merge', { id: acme, merge_with_id: other })).toMatchObject({ data: { id: other } });
    expect(await call('deals.get', { id: acme })).toMatchObject({ ok: false, reason: 'gone' });
    expect(await call('items.search', { term: 'acme' })).toMatchObject({
      data: [{ item: { id: other, type: 'deal' } }],
    });
  });

  it('turns leads into deals; changes and deletes products and notes (SALES-006, SALES-007, SALES-008)', async () => {
    const id = await made('leads.create', { title: 'Acme', person_id: 1 });
    expect(await call('leads.update', { id, title: 'Acme 2' })).toMatchObject({ data: { title: 'Acme 2' } });
    expect(await call('leads.convert', { id })).toMatchObject({
      ok: true,
      data: { conversion_id: expect.any(String) },
    });
    expect(await call('deals.list')).toMatchObject({ data: [{ title: 'Acme 2', person_id: 1 }] });
    const second = await made('leads.create', { title: 'B', organization_id: 1 });
    expect(await call('leads.delete', { id: second })).toMatchObject({ ok: true });
    const product = await made('products.create', { name: 'Licence' });
    expect(await call('products.update', { id: product, tax: 19 })).toMatchObject({ data: { tax: 19 } });
    expect(await call('products.list')).toMatchObject({ data: [{ name: 'Licence' }] });
    expect(await call('products.delete', { id: product })).toMatchObject({ ok: true });
    const note = await made('notes.create', { content: 'A', deal_id: 1 });
    expect(await call('notes.update', { id: note, content: 'B' })).toMatchObject({ data: { content: 'B' } });
    expect(await call('notes.delete', { id: note })).toMatchObject({ ok: true });
  });

  it('lists pipelines, stages, users and roles (SALES-005, SALES-011)', async () => {
    const id = await made('pipelines.create', { name: 'Second' });
    await made('stages.create', { name: 'First step', pipeline_id: id });
    expect(await call('pipelines.list', { fields: ['name'] })).toMatchObject({
      data: [{ name: 'Pipeline' }, { name: 'Second' }],
    });
    expect(await call('stages.list', { pipeline_id: id })).toMatchObject({ data: [{ name: 'First step' }] });
    expect(await call('users.me')).toMatchObject({ ok: true, data: { id: 1, name: 'Ann Admin' } });
    expect(await call('users.list', { fields: ['id'] })).toMatchObject({ data: [{ id: 1 }, { id: 2 }] });
    expect(await call('roles.list', { limit: 1 })).toMatchObject({ data: [{ id: 1 }], pagination: { hasMore: true } });
  });

  it('creates, finds, changes, measures and deletes goals (SALES-010)', async () => {
    const id = await made('goals.create', {
      title: 'Q1',
      assignee: { id: 1, type: 'person' },
      type: { name: 'deals_started' },
      expected_outcome: { target: 5, tracking_metric: 'quantity' },
      duration: { start: '2026-01-01', end: null },
      interval: 'quarterly',
    });
    expect(await call('goals.list', { title: 'Q1', fields: ['id'] })).toEqual({ ok: true, data: [{ id }] });
    const got = await call('goals.get', { id });
    expect(got).toMatchObject(dialect === 'neutral' ? { ok: true, data: { id } } : { ok: false, reason: 'rejected' });
    expect(await call('goals.update', { id, title: 'Q2' })).toMatchObject({ data: { title: 'Q2' } });
    const period = { 'period.start': '2026-01-01', 'period.end': '2026-03-31' };
    expect(await call('goals.results', { id, ...period })).toMatchObject({ data: { progress: 0, goal: { id } } });
    expect(await call('goals.delete', { id })).toMatchObject({ ok: true });
  });

  it('uploads and downloads files byte for byte (SALES-009)', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const file = { name: 'übersicht.bin', content_base64: bytes.toString('base64'), media_type: 'application/x-test' };
    const id = await made('files.upload', { file, deal_id: 7 });
    expect(await call('files.list')).toMatchObject({
      data: [{ id, name: 'übersicht.bin', deal_id: 7, file_size: 300_000 }],
    });
    const outcome = await call('files.download', { id });
    if (!outcome.ok || !isFileContent(outcome.data)) throw new Error(JSON.stringify(outcome));
    const chunks: Uint8Array[] = [];
    for await (const chunk of outcome.data.bytes) chunks.push(chunk);
    expect(outcome.data).toMatchObject({ name: 'übersicht.bin', mediaType: 'application/x-test' });
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(await call('files.delete', { id })).toMatchObject({ ok: true });
    expect(await call('files.download', { id })).toMatchObject({ ok: false, reason: 'gone' });
  });

  it('reports a refusal in its own words', async () => {
    expect(await call('leads.create', { title: 'A' })).toMatchObject({
      ok: false,
      reason: 'rejected',
      message: expect.stringContaining('one of person_id, organization_id is required'),
    });
    expect(await call('deals.get', { id: 999 })).toMatchObject({
      ok: false,
      reason: 'not_found',
      message: expect.stringMatching(
        /^The (?:sales CRM|Sales CRM \(Pipedrive\)) refused\. Entity was not found\. Object was not found\.$/,
      ),
    });
    expect(await call('deals.list', { cursor: 'nonsense' })).toMatchObject({ ok: false, reason: 'rejected' });
  });

  it('reports a wrong token as `unauthorized`', async () => {
    kept = { ...kept, accessToken: 'wrong' };
    expect(await call('users.me')).toMatchObject({ ok: false, reason: 'unauthorized' });
  });

  it('fails on demand: 429 is retried, 5xx only if repeating changes nothing', async () => {
    emulator.failNext({ status: 429, headers: { 'Retry-After': '0' } });
    expect(await call('deals.create', { title: 'A' })).toMatchObject({ ok: true });
    emulator.failNext({ status: 503, times: 2 });
    expect(await call('deals.list')).toMatchObject({ ok: true });
    emulator.failNext({ status: 503, body: '<html>maintenance</html>' });
    expect(await call('deals.create', { title: 'B' })).toMatchObject({ ok: false, reason: 'unavailable' });
    emulator.failNext({ status: 200, body: '<html>sign in</html>' });
    expect(await call('deals.list')).toMatchObject({ ok: false, reason: 'unavailable' });
    emulator.dropNext();
    expect(await call('users.me')).toMatchObject({ ok: true });
    emulator.delayNext(20);
    expect(await call('users.me')).toMatchObject({ ok: true });
    expect(emulator.records.all('deal')).toHaveLength(1);
  });

  it('refuses more than its limit in 2 seconds with 429 and headers', async () => {
    await emulator.close();
    emulator = await startSalesCrmEmulator({ dialect, requestsPer2s: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch(`${emulator.url}/v1/users/me`, { headers: { 'x-api-token': 'any' } });
      statuses.push([response.status, response.headers.get('x-ratelimit-remaining')]);
    }
    expect(statuses).toEqual([
      [401, '1'],
      [401, '0'],
      [429, '0'],
    ]);
  });

  it('supports OAuth: consent, exchange, the company, and on 401 one renewal that replaces both tokens', async () => {
    const begun = grants.begin('sales_crm', { userId: 1, state: 'the-state', redirectUri, extra: {} });
    if (!begun.ok) throw new Error(begun.failure.message);
    const consent = await fetch(begun.value.url, { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('the-state');
    const query = Object.fromEntries(back.searchParams);
    const answer = { service: 'sales_crm', query, redirectUri, extra: {}, codeVerifier: null, userId: 1 } as const;
    const granted = await grants.exchange(answer);
    if (!granted.ok) throw new Error(granted.failure.message);
    kept = granted.value;
    expect(kept).toMatchObject({
      authMethod: 'oauth',
      extra: { company_domain: 'acme' },
      refreshToken: expect.any(String),
    });
    expect(await call('users.me')).toMatchObject({ ok: true });

    const before = kept;
    emulator.expireTokens();
    expect(await call('users.me')).toMatchObject({ ok: true });
    expect(emulator.grants.given).toEqual({ exchanges: 1, renewals: 1 });
    expect(kept.accessToken).not.toBe(before.accessToken);
    expect(kept.refreshToken).not.toBe(before.refreshToken);
    expect(await grants.renew(before)).toMatchObject({ ok: false, failure: { reason: 'refused' } });
    expect(await grants.exchange(answer)).toMatchObject({ ok: false, failure: { reason: 'refused' } });
    emulator.failNext({ status: 503, on: 'token' });
    expect(await grants.renew(kept)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
  });
});

function recordWith(more: Partial<TokenRecord>): TokenRecord {
  return tokenRecord('sales_crm', { authMethod: 'oauth', accessToken: '', ...more });
}
