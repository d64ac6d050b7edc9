import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceOperationsContract } from '#test/contract/service-operations.contract.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';
import { sentRequest } from '#test/support/services/sent-request.ts';

// Copied by hand from the description of the interface: each verb of each path (SALES-002 to SALES-012).
const plannedRoutes = [
  'GET /api/v2/deals',
  'GET /api/v2/deals/{id}',
  'PATCH /api/v2/deals/{id}',
  'DELETE /api/v2/deals/{id}',
  'POST /api/v2/deals',
  'GET /api/v2/deals/search',
  'POST /api/v2/deals/{id}/products',
  'GET /api/v2/deals/{id}/followers',
  'PUT /api/v2/deals/{id}/merge',
  'GET /api/v2/persons',
  'GET /api/v2/persons/{id}',
  'PATCH /api/v2/persons/{id}',
  'DELETE /api/v2/persons/{id}',
  'POST /api/v2/persons',
  'GET /api/v2/persons/search',
  'GET /api/v2/organizations',
  'GET /api/v2/organizations/{id}',
  'PATCH /api/v2/organizations/{id}',
  'DELETE /api/v2/organizations/{id}',
  'POST /api/v2/organizations',
  'GET /api/v2/organizations/search',
  'GET /api/v2/activities',
  'GET /api/v2/activities/{id}',
  'POST /api/v2/activities',
  'PATCH /api/v2/activities/{id}',
  'DELETE /api/v2/activities/{id}',
  'GET /api/v2/pipelines',
  'POST /api/v2/pipelines',
  'GET /api/v2/stages',
  'POST /api/v2/stages',
  'GET /v1/leads',
  'POST /v1/leads',
  'PATCH /v1/leads/{id}',
  'DELETE /v1/leads/{id}',
  'POST /api/v2/leads/{id}/convert/deal',
  'GET /api/v2/products',
  'POST /api/v2/products',
  'PATCH /api/v2/products/{id}',
  'DELETE /api/v2/products/{id}',
  'GET /v1/notes',
  'POST /v1/notes',
  'PUT /v1/notes/{id}',
  'DELETE /v1/notes/{id}',
  'GET /v1/files',
  'POST /v1/files',
  'GET /v1/files/{id}/download',
  'DELETE /v1/files/{id}',
  'GET /v1/goals',
  'POST /v1/goals',
  'GET /v1/goals/{id}',
  'PUT /v1/goals/{id}',
  'DELETE /v1/goals/{id}',
  'GET /v1/goals/{id}/results',
  'GET /v1/users',
  'GET /v1/users/me',
  'GET /v1/roles',
  'GET /api/v2/itemSearch',
  'POST /v1/webhooks',
];

// Not in the interface; the row says why it is there, and only the vendor's dialect has it.
const besideThePlanned = ['GET /v1/webhooks', 'DELETE /v1/webhooks/{id}'];

// Beyond the interface, in the form of the merge of deals (SALES-020).
const merges = ['PUT /api/v2/persons/{id}/merge', 'PUT /api/v2/organizations/{id}/merge'];

// Beyond the interface: what is read before a lead or a note is changed (UNDO-021).
const readBefore = ['GET /v1/leads/{id}', 'GET /v1/notes/{id}'];

// Tools beyond the planned ones, by hand (TOOL-011); with the operation that each one is.
const moreTools: Readonly<Record<string, string>> = {
  sales_crm_activity_update: 'PATCH /api/v2/activities/{id}',
  sales_crm_persons_merge: 'PUT /api/v2/persons/{id}/merge',
  sales_crm_orgs_merge: 'PUT /api/v2/organizations/{id}/merge',
  sales_crm_lead_convert: 'POST /api/v2/leads/{id}/convert/deal',
  sales_crm_note_create: 'POST /v1/notes',
  sales_crm_org_update: 'PATCH /api/v2/organizations/{id}',
};

// The planned tools, copied by hand (TOOL-001); with the operation that each one is.
const plannedTools: Readonly<Record<string, string>> = {
  sales_crm_deals_list: 'GET /api/v2/deals',
  sales_crm_deal_get: 'GET /api/v2/deals/{id}',
  sales_crm_deal_create: 'POST /api/v2/deals',
  sales_crm_deal_update: 'PATCH /api/v2/deals/{id}',
  sales_crm_persons_list: 'GET /api/v2/persons',
  sales_crm_person_get: 'GET /api/v2/persons/{id}',
  sales_crm_person_create: 'POST /api/v2/persons',
  sales_crm_person_update: 'PATCH /api/v2/persons/{id}',
  sales_crm_orgs_list: 'GET /api/v2/organizations',
  sales_crm_org_get: 'GET /api/v2/organizations/{id}',
  sales_crm_org_create: 'POST /api/v2/organizations',
  sales_crm_activities_list: 'GET /api/v2/activities',
  sales_crm_activity_create: 'POST /api/v2/activities',
  sales_crm_search: 'GET /api/v2/itemSearch',
  sales_crm_pipelines_list: 'GET /api/v2/pipelines',
  sales_crm_leads_list: 'GET /v1/leads',
  sales_crm_lead_create: 'POST /v1/leads',
  sales_crm_goals_list: 'GET /v1/goals',
};

const url = 'https://crm.example';
const table: Readonly<Record<string, Operation>> = operations;
const catalog = catalogOf([salesCrmProvider({ dialect: 'neutral', url, authorizeUrl: null, tokenUrl: null })]);
const ownCatalog = catalogOf([salesCrmProvider({ dialect: 'pipedrive', url, authorizeUrl: null, tokenUrl: null })]);
const lead = 'adf21080-0e10-11eb-879b-05d71fb426ec';
const customField = '3d0fa3429dfa2d3dec265b4fc5dc8258ab66cdf3';

const record: TokenRecord = {
  userId: 1,
  service: 'sales_crm',
  authMethod: 'oauth',
  accessToken: 'the-token',
  refreshToken: 'the-refresh-token',
  scope: null,
  expiresAt: null,
  extra: {},
  updatedAt: 0,
};

type Sent = Readonly<{
  name: keyof typeof operations;
  input?: Readonly<Record<string, unknown>>;
  dialect?: 'neutral' | 'pipedrive';
  as?: Partial<TokenRecord>;
  to?: string | null;
}>;

function sent({ name, input = {}, dialect = 'neutral', as = {}, to = url }: Sent) {
  return sentRequest(salesCrmProvider({ dialect, url: to }), name, { input, record: { ...record, ...as } });
}

/** Method and path of each row that is a request. */
const requestRoutes = Object.values(table).flatMap((row) =>
  row.kind === 'request' ? [`${row.method} ${row.path}`] : [],
);

function jsonOf({ body }: ReturnType<typeof sent>): unknown {
  if (typeof body !== 'string') throw new Error('no text');
  return JSON.parse(body);
}

describe('the operations of the sales CRM (SALES-002, SALES-003, SALES-004, SALES-005, SALES-006, SALES-007, SALES-008, SALES-009, SALES-010, SALES-011, SALES-012)', () => {
  serviceOperationsContract('the sales CRM', {
    catalog,
    rows: requestRoutes,
    plannedRows: [...plannedRoutes, ...merges, ...readBefore, ...besideThePlanned],
    plannedRoutes: [...plannedRoutes, ...merges, ...readBefore].map((route) =>
      route.replace(/ \/(api\/v2|v1)\//, ' /'),
    ),
    plannedTools: Object.keys(plannedTools),
    moreTools: Object.keys(moreTools),
    withoutOutput: [],
    destroying: [
      'sales_crm_activity_create',
      'sales_crm_activity_update',
      'sales_crm_deal_update',
      'sales_crm_lead_convert',
      'sales_crm_org_update',
      'sales_crm_orgs_merge',
      'sales_crm_person_update',
      'sales_crm_persons_merge',
    ],
    maxTitleLength: 45,
  });

  it('are the 58 of the interface, and two that only the vendor’s dialect has', () => {
    expect(plannedRoutes).toHaveLength(58);
    const neutral: Readonly<Record<string, Operation>> = salesCrmProvider({ dialect: 'neutral', url }).operations;
    const beside = Object.entries(table).filter(
      ([name]) => neutral[name]?.kind === 'recipe' && neutral[name].lacks !== undefined,
    );
    expect(beside.map(([, row]) => (row.kind === 'request' ? `${row.method} ${row.path}` : ''))).toEqual(
      besideThePlanned,
    );
  });
});

describe('the tools of the sales CRM', () => {
  it('are eighteen and six more, with these names, each named after its operation (TOOL-001)', () => {
    const tools = Object.values(table).flatMap((row) =>
      row.kind === 'request' && row.options.tool !== undefined ? [[row.options.tool, `${row.method} ${row.path}`]] : [],
    );
    // Pipelines are listed with their stages, which takes a second request.
    const pipelines = { sales_crm_pipelines_list: 'GET /api/v2/pipelines' };
    expect(table['pipelines.overview']?.options.tool).toBe('sales_crm_pipelines_list');
    expect({ ...Object.fromEntries(tools), ...pipelines }).toEqual({ ...plannedTools, ...moreTools });
  });

  it('describe their effects in their hints', () => {
    const effects = catalog.operations.flatMap(({ tool, effect }) => (tool === null ? [] : [[tool, effect]]));
    expect(Object.fromEntries(effects)).toMatchObject({
      sales_crm_deals_list: 'read',
      sales_crm_deal_create: 'add',
      sales_crm_deal_update: 'lose',
      sales_crm_search: 'read',
    });
    expect(catalog.operations.find(({ name }) => name === 'deals.merge')?.effect).toBe('lose');
    expect(catalog.operations.find(({ name }) => name === 'deals.delete')?.effect).toBe('lose');
  });
});

describe('authentication of requests to the sales CRM', () => {
  it('sends a personal token as the query parameter `api_token` (SALES-001)', () => {
    const request = sent({ name: 'deals.get', input: { id: 7 }, as: { authMethod: 'personal_token' } });
    expect(request.url).toBe('https://crm.example/api/v2/deals/7?api_token=the-token');
    expect(request.headers['authorization']).toBeUndefined();
  });

  it('sends an OAuth token as `Authorization: Bearer <ACCESS_TOKEN>` (SALES-001)', () => {
    const request = sent({ name: 'deals.get', input: { id: 7 } });
    expect(request.url).toBe('https://crm.example/api/v2/deals/7');
    expect(request.headers['authorization']).toBe('Bearer the-token');
  });

  it("sends a personal token in the vendor's dialect as the header `x-api-token`, and never in the address", () => {
    const request = sent({
      name: 'deals.get',
      input: { id: 7 },
      dialect: 'pipedrive',
      as: { authMethod: 'personal_token' },
    });
    expect(request.url).toBe('https://crm.example/api/v2/deals/7');
    expect(request.headers['x-api-token']).toBe('the-token');
  });
});

describe('the address of requests', () => {
  it('is the configured one in the neutral dialect, and nowhere without one', () => {
    expect(salesCrmProvider({ dialect: 'neutral', url: 'https://crm.example/' }).dialect.baseUrl(record)).toBe(
      'https://crm.example',
    );
    expect(salesCrmProvider({ dialect: 'neutral', url: null }).dialect.baseUrl(record)).toBeNull();
  });

  it("is the company's host in the vendor's dialect, or the common one", () => {
    const dialect = salesCrmProvider({ dialect: 'pipedrive', url: null }).dialect;
    expect(dialect.baseUrl({ ...record, extra: { company_domain: 'acme' } })).toBe('https://acme.pipedrive.com');
    expect(dialect.baseUrl(record)).toBe('https://api.pipedrive.com');
  });

  it.each(['evil.example/', 'a.b', 'x@evil.example', 'acme/..', ''])(
    'is not taken from a company domain that would lead elsewhere: %j',
    (company) => {
      const dialect = salesCrmProvider({ dialect: 'pipedrive', url: null }).dialect;
      expect(dialect.baseUrl({ ...record, extra: { company_domain: company } })).toBe('https://api.pipedrive.com');
    },
  );
});

describe('requests in the neutral dialect', () => {
  it('ask for a page of a list, and do not send `fields`', () => {
    const input = { owner_id: 3, ids: [1, 2], status: 'open', cursor: 'abc', fields: ['id', 'title'] };
    expect(sent({ name: 'deals.list', input }).url).toBe(
      'https://crm.example/api/v2/deals?ids=1%2C2&owner_id=3&status=open&limit=20&cursor=abc',
    );
  });

  it('ask for a page of a v1 list in the same way', () => {
    expect(sent({ name: 'leads.list', input: { cursor: 'abc' } }).url).toBe(
      'https://crm.example/v1/leads?limit=20&cursor=abc',
    );
  });

  it('send the `fields` of a search', () => {
    const input = { term: 'two words', fields: ['title', 'notes'], exact_match: true };
    expect(sent({ name: 'deals.search', input }).url).toBe(
      'https://crm.example/api/v2/deals/search?term=two+words&fields=title%2Cnotes&exact_match=true&limit=20',
    );
  });

  it('send a change as given, custom fields included', () => {
    const request = sent({ name: 'deals.update', input: { id: 7, status: 'won', [customField]: 'gold' } });
    expect(request).toMatchObject({ method: 'PATCH', url: 'https://crm.example/api/v2/deals/7' });
    expect(jsonOf(request)).toEqual({ status: 'won', [customField]: 'gold' });
  });

  it('find goals by dotted names', () => {
    const input = { 'type.name': 'deals_won', 'type.params.pipeline_id': [4], 'assignee.id': 1 };
    expect(sent({ name: 'goals.list', input }).url).toBe(
      'https://crm.example/v1/goals?type.name=deals_won&assignee.id=1&type.params.pipeline_id=4',
    );
  });

  it.each(['added', 'updated', 'deleted', 'merged', '*'])(
    'create a webhook for %s with its three fields (SALES-022)',
    (action) => {
      const input = { subscription_url: 'https://me.example/w', event_action: action, event_object: 'deal' };
      const request = sent({ name: 'webhooks.create', input });
      expect(request).toMatchObject({ method: 'POST', url: 'https://crm.example/v1/webhooks' });
      expect(jsonOf(request)).toEqual(input);
    },
  );

  it('upload a form whose last part is the file', async () => {
    const file = { name: 'a.txt', content_base64: 'aGVsbG8=', media_type: 'text/plain' };
    const request = sent({ name: 'files.upload', input: { file, deal_id: 7, lead_id: lead } });
    expect(request).toMatchObject({ method: 'POST', url: 'https://crm.example/v1/files' });
    const type = String(request.headers['content-type']);
    if (typeof request.body !== 'object' || !(Symbol.asyncIterator in request.body)) throw new Error('no stream');
    const bytes = await buffer(Readable.from(request.body));
    const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } }).formData();
    const part = form.get('file');
    expect([...form.keys()]).toEqual(['deal_id', 'lead_id', 'file']);
    expect(part instanceof File && [part.name, part.type, await part.text()]).toEqual(['a.txt', 'text/plain', 'hello']);
  });
});

describe("requests in the vendor's dialect (OP-009)", () => {
  const dialect = 'pipedrive';

  it('merge deals in v1', () => {
    const request = sent({ name: 'deals.merge', input: { id: 7, merge_with_id: 8 }, dialect });
    expect(request).toMatchObject({ method: 'PUT', url: 'https://crm.example/v1/deals/7/merge' });
    expect(jsonOf(request)).toEqual({ merge_with_id: 8 });
  });

  it('find goals at /v1/goals/find', () => {
    expect(sent({ name: 'goals.list', input: { title: 'Q1' }, dialect }).url).toBe(
      'https://crm.example/v1/goals/find?title=Q1',
    );
  });

  it('cannot get a single goal, and the tool says so (OP-008)', () => {
    const summary = ownCatalog.operations.find(({ name }) => name === 'goals.get')?.summary;
    expect(summary).toBe('Gets a goal by its id (this provider does not have it)');
  });

  it.each(['leads.list', 'notes.list', 'files.list', 'roles.list'] as const)('count %s from `start`', (name) => {
    const { searchParams } = new URL(sent({ name, input: { cursor: '50' }, dialect }).url);
    expect(Object.fromEntries(searchParams)).toEqual({ limit: '20', start: '50' });
  });

  it('continue a v2 list from `cursor`', () => {
    expect(sent({ name: 'deals.list', input: { cursor: 'abc' }, dialect }).url).toBe(
      'https://crm.example/api/v2/deals?limit=20&cursor=abc',
    );
  });

  it('send custom fields inside `custom_fields` in v2', () => {
    const input = { id: 7, [customField]: 'gold', custom_fields: { other: 1 } };
    expect(jsonOf(sent({ name: 'persons.update', input, dialect }))).toEqual({
      custom_fields: { other: 1, [customField]: 'gold' },
    });
  });

  it('send custom fields of leads next to the others', () => {
    const input = { title: 'A', person_id: 1, [customField]: 'gold' };
    expect(jsonOf(sent({ name: 'leads.create', input, dialect }))).toEqual(input);
  });

  it.each(['neutral', 'pipedrive'] as const)('send custom fields of leads next to the others: %s', (spoken) => {
    const input = { title: 'A', person_id: 1, custom_fields: { [customField]: 'gold' } };
    expect(jsonOf(sent({ name: 'leads.create', input, dialect: spoken }))).toEqual({
      title: 'A',
      person_id: 1,
      [customField]: 'gold',
    });
  });

  it('send the name of an organization, and nothing else', () => {
    expect(jsonOf(sent({ name: 'organizations.create', input: { name: 'Acme' }, dialect }))).toEqual({
      name: 'Acme',
    });
  });

  it.each([
    ['added', 'create'],
    ['updated', 'change'],
    ['deleted', 'delete'],
    ['merged', 'delete'],
    ['*', '*'],
  ])('register a webhook for %s as one for %s, with a name and a version', (action, own) => {
    const input = { subscription_url: 'https://me.example/w', event_action: action, event_object: 'deal' };
    expect(jsonOf(sent({ name: 'webhooks.create', input, dialect }))).toEqual({
      ...input,
      event_action: own,
      name: `Portolan: ${action}.deal`,
      version: '2.0',
    });
  });
});

describe('invalid input is refused before anything is sent', () => {
  const refused: [keyof typeof operations, Readonly<Record<string, unknown>>][] = [
    ['deals.list', { limit: 501 }],
    ['deals.list', { updated_since: 'yesterday' }],
    ['deals.list', { stagus: 'open' }],
    ['deals.get', { id: 0 }],
    ['deals.get', { id: '7/merge' }],
    ['deals.create', { value: 5 }],
    ['deals.create', { title: 'A', status: 'maybe' }],
    ['deals.add_product', { id: 1, product_id: 2, quantity: 1 }],
    ['leads.delete', { id: 7 }],
    ['items.search', { term: 'acme', limit: 101 }],
    ['goals.results', { id: 'a', 'period.start': '2026-01-01' }],
    ['webhooks.create', { subscription_url: 'ftp://x', event_action: 'added', event_object: 'deal' }],
    ['webhooks.create', { subscription_url: 'https://x.example', event_action: 'create', event_object: 'deal' }],
    ['files.upload', { deal_id: 1 }],
  ];
  it.each(refused)('%s %j', (name, input) => {
    expect(operations[name].input.safeParse(input).success).toBe(false);
  });
});
