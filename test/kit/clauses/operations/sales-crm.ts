import { equal, holds, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived, type Row, rowClauses, type ToolRow, toolClauses } from '#test/kit/clauses/operations/rows.ts';
import { connectByOAuth, withKey } from '#test/kit/connections.ts';
import { fileBytes } from '#test/kit/emulators/cloud-services.ts';

const lead = 'adf21080-0e10-11eb-879b-05d71fb426ec';
const goal = {
  title: 'Won',
  assignee: { id: 1, type: 'person' },
  type: { name: 'deals_won', params: { pipeline_id: [1] } },
  expected_outcome: { target: 5, tracking_metric: 'quantity' },
  duration: { start: '2026-01-01', end: '2026-12-31' },
  interval: 'monthly',
};
const period = 'period.start=2026-01-01&period.end=2026-02-01';

const kinds = [
  ['SALES-002', 'deals', { title: 'Ship' }],
  ['SALES-003', 'persons', { name: 'Ada' }],
  ['SALES-003', 'organizations', { name: 'Acme' }],
] as const;

const ofKind = ([id, kind, fields]: (typeof kinds)[number]): readonly Row[] => [
  [
    `${id}/${kind}.list`,
    `GET /${kind}?limit=7&cursor=abc`,
    undefined,
    `GET /api/v2/${kind}`,
    { query: { limit: '7', cursor: 'abc' } },
  ],
  [`${id}/${kind}.get`, `GET /${kind}/41`, undefined, `GET /api/v2/${kind}/41`],
  [`${id}/${kind}.create`, `POST /${kind}`, fields, `POST /api/v2/${kind}`, { json: fields }],
  [`${id}/${kind}.update`, `PATCH /${kind}/41`, fields, `PATCH /api/v2/${kind}/41`, { json: fields }],
  [`${id}/${kind}.delete`, `DELETE /${kind}/41`, undefined, `DELETE /api/v2/${kind}/41`],
  [
    `${id}/${kind}.search`,
    `GET /${kind}/search?term=a%26b%20c`,
    undefined,
    `GET /api/v2/${kind}/search`,
    { query: { term: 'a&b c' } },
  ],
];

function webhookFor(action: string): Row {
  const json = { subscription_url: 'https://receiver.example/hook', event_action: action, event_object: 'deal' };
  return [`SALES-022/${action === '*' ? 'all' : action}`, 'POST /webhooks', json, 'POST /v1/webhooks', { json }];
}

const rows: readonly Row[] = [
  ...kinds.flatMap(ofKind),
  [
    'SALES-002/deals.products',
    'POST /deals/41/products',
    { product_id: 3, item_price: 9, quantity: 2 },
    'POST /api/v2/deals/41/products',
    { json: { product_id: 3, item_price: 9, quantity: 2 } },
  ],
  ['SALES-002/deals.followers', 'GET /deals/41/followers', undefined, 'GET /api/v2/deals/41/followers'],
  [
    'SALES-002/deals.merge',
    'PUT /deals/41/merge',
    { merge_with_id: 42 },
    'PUT /api/v2/deals/41/merge',
    { json: { merge_with_id: 42 } },
  ],
  ['SALES-004/list', 'GET /activities', undefined, 'GET /api/v2/activities'],
  ['SALES-004/get', 'GET /activities/5', undefined, 'GET /api/v2/activities/5'],
  [
    'SALES-004/create',
    'POST /activities',
    { subject: 'Call' },
    'POST /api/v2/activities',
    { json: { subject: 'Call' } },
  ],
  ['SALES-004/update', 'PATCH /activities/5', { done: true }, 'PATCH /api/v2/activities/5', { json: { done: true } }],
  ['SALES-004/delete', 'DELETE /activities/5', undefined, 'DELETE /api/v2/activities/5'],
  ['SALES-005/pipelines.list', 'GET /pipelines', undefined, 'GET /api/v2/pipelines'],
  [
    'SALES-005/pipelines.create',
    'POST /pipelines',
    { name: 'New' },
    'POST /api/v2/pipelines',
    { json: { name: 'New' } },
  ],
  [
    'SALES-005/stages.list',
    'GET /stages?pipeline_id=2',
    undefined,
    'GET /api/v2/stages',
    { query: { pipeline_id: '2' } },
  ],
  [
    'SALES-005/stages.create',
    'POST /stages',
    { name: 'New', pipeline_id: 2 },
    'POST /api/v2/stages',
    { json: { name: 'New', pipeline_id: 2 } },
  ],
  ['SALES-006/list', 'GET /leads', undefined, 'GET /v1/leads'],
  [
    'SALES-006/create',
    'POST /leads',
    { title: 'Lead', person_id: 3 },
    'POST /v1/leads',
    { json: { title: 'Lead', person_id: 3 } },
  ],
  [
    'SALES-006/update',
    `PATCH /leads/${lead}`,
    { title: 'Lead' },
    `PATCH /v1/leads/${lead}`,
    { json: { title: 'Lead' } },
  ],
  ['SALES-006/delete', `DELETE /leads/${lead}`, undefined, `DELETE /v1/leads/${lead}`],
  [
    'SALES-006/convert',
    `POST /leads/${lead}/convert/deal`,
    { stage_id: 2 },
    `POST /api/v2/leads/${lead}/convert/deal`,
    { json: { stage_id: 2 } },
  ],
  ['SALES-007/list', 'GET /products', undefined, 'GET /api/v2/products'],
  ['SALES-007/create', 'POST /products', { name: 'Rope' }, 'POST /api/v2/products', { json: { name: 'Rope' } }],
  ['SALES-007/update', 'PATCH /products/6', { name: 'Rope' }, 'PATCH /api/v2/products/6', { json: { name: 'Rope' } }],
  ['SALES-007/delete', 'DELETE /products/6', undefined, 'DELETE /api/v2/products/6'],
  ['SALES-008/list', 'GET /notes', undefined, 'GET /v1/notes'],
  [
    'SALES-008/create',
    'POST /notes',
    { content: 'Hello', deal_id: 41 },
    'POST /v1/notes',
    { json: { content: 'Hello', deal_id: 41 } },
  ],
  ['SALES-008/update', 'PUT /notes/7', { content: 'Hello' }, 'PUT /v1/notes/7', { json: { content: 'Hello' } }],
  ['SALES-008/delete', 'DELETE /notes/7', undefined, 'DELETE /v1/notes/7'],
  ['SALES-009/list', 'GET /files', undefined, 'GET /v1/files'],
  ['SALES-009/delete', 'DELETE /files/8', undefined, 'DELETE /v1/files/8'],
  ['SALES-010/list', 'GET /goals', undefined, 'GET /v1/goals'],
  ['SALES-010/create', 'POST /goals', goal, 'POST /v1/goals', { json: { title: 'Won', interval: 'monthly' } }],
  ['SALES-010/get', 'GET /goals/9', undefined, 'GET /v1/goals/9'],
  ['SALES-010/update', 'PUT /goals/9', { title: 'Won' }, 'PUT /v1/goals/9', { json: { title: 'Won' } }],
  ['SALES-010/delete', 'DELETE /goals/9', undefined, 'DELETE /v1/goals/9'],
  [
    'SALES-010/results',
    `GET /goals/9/results?${period}`,
    undefined,
    'GET /v1/goals/9/results',
    { query: { 'period.start': '2026-01-01', 'period.end': '2026-02-01' } },
  ],
  ['SALES-011/users', 'GET /users', undefined, 'GET /v1/users'],
  ['SALES-011/me', 'GET /users/me', undefined, 'GET /v1/users/me'],
  ['SALES-011/roles', 'GET /roles', undefined, 'GET /v1/roles'],
  ...['added', 'updated', 'deleted', 'merged', '*'].map(webhookFor),
  ['SALES-012/search', 'GET /itemSearch?term=ada', undefined, 'GET /api/v2/itemSearch', { query: { term: 'ada' } }],
];

const tools: readonly ToolRow[] = [
  ['SALES-002', 'sales_crm_deals_list', { limit: 3 }, 'GET /api/v2/deals', { query: { limit: '3' } }],
  ['SALES-002', 'sales_crm_deal_get', { id: 41 }, 'GET /api/v2/deals/41'],
  ['SALES-002', 'sales_crm_deal_create', { title: 'Ship' }, 'POST /api/v2/deals', { json: { title: 'Ship' } }],
  [
    'SALES-002',
    'sales_crm_deal_update',
    { id: 41, status: 'won' },
    'PATCH /api/v2/deals/41',
    { json: { status: 'won' } },
  ],
  ['SALES-003', 'sales_crm_persons_list', {}, 'GET /api/v2/persons'],
  ['SALES-003', 'sales_crm_person_get', { id: 41 }, 'GET /api/v2/persons/41'],
  ['SALES-003', 'sales_crm_person_create', { name: 'Ada' }, 'POST /api/v2/persons', { json: { name: 'Ada' } }],
  [
    'SALES-003',
    'sales_crm_person_update',
    { id: 41, name: 'Ada' },
    'PATCH /api/v2/persons/41',
    { json: { name: 'Ada' } },
  ],
  ['SALES-003', 'sales_crm_orgs_list', {}, 'GET /api/v2/organizations'],
  ['SALES-003', 'sales_crm_org_get', { id: 41 }, 'GET /api/v2/organizations/41'],
  ['SALES-003', 'sales_crm_org_create', { name: 'Acme' }, 'POST /api/v2/organizations', { json: { name: 'Acme' } }],
  ['SALES-004', 'sales_crm_activities_list', {}, 'GET /api/v2/activities'],
  [
    'SALES-004',
    'sales_crm_activity_create',
    { subject: 'Call' },
    'POST /api/v2/activities',
    { json: { subject: 'Call' } },
  ],
  ['SALES-012', 'sales_crm_search', { term: 'ada' }, 'GET /api/v2/itemSearch', { query: { term: 'ada' } }],
  ['SALES-005', 'sales_crm_pipelines_list', {}, 'GET /api/v2/pipelines'],
  ['SALES-006', 'sales_crm_leads_list', {}, 'GET /v1/leads'],
  [
    'SALES-006',
    'sales_crm_lead_create',
    { title: 'Lead', person_id: 3 },
    'POST /v1/leads',
    { json: { title: 'Lead' } },
  ],
  ['SALES-010', 'sales_crm_goals_list', {}, 'GET /v1/goals'],
];

const needs = ['login', 'rest', 'service:sales_crm'] as const;

/** Clauses on the operations of the sales CRM. */
export const salesCrm: readonly Clause[] = [
  ...rowClauses('sales_crm', rows),
  ...toolClauses('sales_crm', portolan, tools),
  contract(
    'SALES-001/oauth',
    'an OAuth token travels as Authorization: Bearer, and not in the query',
    async (kit) => {
      await connectByOAuth(kit, 'sales_crm');
      const { accessToken } = kit.emulators.cloud.sales_crm.oauth;
      const { received } = await kit.arriving('sales_crm', () => kit.api('GET', '/api/sales_crm/deals/41'));
      const { query } = arrived(received, 'GET /api/v2/deals/41', {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      equal(query.get('api_token'), null, 'api_token');
    },
    needs,
  ),
  contract(
    'SALES-001/token',
    'a personal token travels as the query parameter api_token, and in no header',
    async (kit) => {
      const { key } = kit.emulators.cloud.sales_crm;
      const { received } = await withKey(kit, 'sales_crm', () =>
        kit.arriving('sales_crm', () => kit.api('GET', '/api/sales_crm/deals/41')),
      );
      const { headers } = arrived(received, 'GET /api/v2/deals/41', { query: { api_token: key } });
      equal(headers['authorization'], undefined, 'the header authorization');
    },
    needs,
  ),
  contract(
    'SALES-009/upload',
    'POST /files is sent as POST /v1/files with the file’s bytes in a form',
    async (kit) => {
      const headers = {
        authorization: `Bearer ${await kit.token()}`,
        'content-type': 'application/octet-stream',
        'x-kit': 'upload',
      };
      const path = '/api/sales_crm/files?file_name=kit.bin&deal_id=41';
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.send({ ...kit.routed('POST', path), headers, body: fileBytes }),
      );
      const request = arrived(received, 'POST /v1/files', {
        headers: { 'content-type': /^multipart\/form-data; boundary=/ },
      });
      holds(request.body.includes(fileBytes), 'the bytes of the file', request.text);
      holds(/name="?deal_id"?/.test(request.text), 'a field deal_id', request.text);
      status(value, 200);
    },
    needs,
  ),
  contract(
    'SALES-009/download',
    'GET /files/{id}/download gives the file’s bytes',
    async (kit) => {
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('GET', '/api/sales_crm/files/8/download'),
      );
      arrived(received, 'GET /v1/files/8/download');
      status(value, 200);
      equal(value.bytes.equals(fileBytes), true, 'the same bytes:');
    },
    needs,
  ),
  contract(
    'SALES-013',
    'a list is paged by additional_data.pagination.next_cursor',
    async (kit) => {
      const body = { success: true, data: [{ id: 1 }], additional_data: { pagination: { next_cursor: 'the-next' } } };
      kit.emulator('sales_crm').script(({ path }) => path === '/api/v2/persons', { body });
      const answer = await kit.api('GET', '/api/sales_crm/persons');
      equal(member(answer.json, 'pagination'), { next: 'the-next', hasMore: true }, 'pagination');
      const { received } = await kit.arriving('sales_crm', () =>
        kit.api('GET', '/api/sales_crm/persons?cursor=the-next'),
      );
      arrived(received, 'GET /api/v2/persons', { query: { cursor: 'the-next' } });
    },
    needs,
  ),
];
