import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { operations } from '#adapters/services/suite-crm/operations.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceOperationsContract } from '#test/contract/service-operations.contract.ts';
import { suiteCrmProvider } from '#test/support/services/providers.ts';
import { sentRequest } from '#test/support/services/sent-request.ts';
import { type SuiteCrmDialect, suiteCrmDialect } from '#test/support/services/vendors.ts';

// Copied by hand from the description of the interface (SUITE-003, SUITE-004); its base is `{api_domain}/crm/v8`.
const plannedRoutes = [
  'GET /{module}',
  'GET /{module}/{id}',
  'PUT /{module}/{id}',
  'DELETE /{module}/{id}',
  'POST /{module}',
  'POST /{module}/upsert',
  'GET /{module}/search',
  'GET /{module}/deleted',
  'GET /{module}/{id}/{related_list}',
  'PUT /{module}/{id}/{related_list}/{rid}',
  'DELETE /{module}/{id}/{related_list}/{rid}',
  'POST /notes',
  'GET /{module}/{id}/notes',
  'POST /{module}/{id}/attachments',
  'GET /{module}/{id}/attachments',
  'GET /settings/tags',
  'POST /settings/tags',
  'PUT /settings/tags/{id}',
  'DELETE /settings/tags/{id}',
  'POST /{module}/{id}/actions/add_tags',
  'POST /{module}/{id}/actions/remove_tags',
  'POST /Leads/{id}/convert',
  'POST /{module}/{id}/send_mail',
  'GET /{module}/{id}/emails',
  'POST /coql',
  'POST /bulk/read',
  'GET /bulk/read/{job_id}',
  'GET /bulk/read/{job_id}/result',
  'GET /users',
  'GET /organization',
  'GET /modules',
  'GET /modules/{id}/fields',
  'GET /settings/roles',
  'GET /settings/profiles',
  'POST /actions/watch',
];

// Not in the interface; each row says why it is there.
const besideThePlanned = [
  'GET /{module}/{id}/attachments/{attachment_id}',
  'GET /actions/watch',
  'PUT /actions/watch',
  'DELETE /actions/watch',
];

// The planned tools, copied by hand (TOOL-001): tool and its inputs.
const plannedTools: Readonly<Record<string, readonly string[]>> = {
  suite_record_list: ['module'],
  suite_record_get: ['module', 'id'],
  suite_record_create: ['module', 'data'],
  suite_record_update: ['module', 'id', 'data'],
  suite_record_delete: ['module', 'id'],
  suite_search: ['module', 'criteria'],
  suite_coql_query: ['query'],
  suite_lead_convert: ['id'],
  suite_note_create: ['module', 'id', 'text'],
  suite_notes_list: ['module', 'id'],
  suite_tag_add: ['module', 'id', 'tags'],
  suite_tag_remove: ['module', 'id', 'tags'],
  suite_modules_list: [],
  suite_fields_list: ['module'],
  suite_users_list: [],
};

const noAddresses = { url: null, authorizeUrl: null, tokenUrl: null };
const table: Readonly<Record<string, Operation>> = operations;
const catalog = catalogOf([suiteCrmProvider({ dialect: 'neutral', ...noAddresses })]);
const record: TokenRecord = {
  userId: 1,
  service: 'suite_crm',
  authMethod: 'oauth',
  accessToken: 'the-token',
  refreshToken: 'the-refresh-token',
  scope: null,
  expiresAt: null,
  extra: { api_domain: 'https://api.suite.example', data_center: 'EU' },
  updatedAt: 0,
};

function sent(
  name: keyof typeof operations,
  input: Readonly<Record<string, unknown>>,
  dialect: SuiteCrmDialect = 'neutral',
) {
  const { headers, ...request } = sentRequest(suiteCrmProvider({ dialect }), name, { input, record });
  return { ...request, headers, line: `${request.method} ${request.url.replace('https://api.suite.example', '')}` };
}

function jsonOf(body: unknown): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body;
}

const placeless = (route: string) => route.replaceAll(/\{[^}]+\}/g, '{}');

describe('the operations of the suite CRM (SUITE-003, SUITE-004)', () => {
  serviceOperationsContract('the suite CRM', {
    catalog,
    rows: Object.values(table).flatMap((row) => (row.kind === 'request' ? [`${row.method} ${row.path}`] : [])),
    plannedRows: [...plannedRoutes, ...besideThePlanned].map((route) => route.replace(' ', ' /crm/v8')),
    // In addition to the packed result, an export in one call: the four steps of it are routes of the interface.
    plannedRoutes: [
      ...plannedRoutes,
      ...besideThePlanned,
      'GET /bulk/read/{job_id}/result/packed',
      'POST /bulk/export',
    ],
    plain: placeless,
    plannedTools: Object.keys(plannedTools),
    inputs: plannedTools,
    withoutOutput: [],
    destroying: ['suite_lead_convert', 'suite_record_delete', 'suite_tag_add', 'suite_tag_remove'],
    maxTitleLength: 40,
  });

  it('have thirty-five routes in the interface', () => expect(plannedRoutes).toHaveLength(35));

  it.each([{ Contacts: ['customer', 'q3'] }, { Contacts: {}, Accounts: { tags: [{ name: 'customer' }] }, Deals: {} }])(
    'convert a lead with its tags as the published interface does: %j',
    (carried) => {
      const data = {
        carry_over_tags: carried,
        Accounts: { id: '7' },
        move_attachments_to: { id: '8', api_name: 'Deals' },
      };
      const { body } = sent('leads.convert', { id: '1', data });
      expect(jsonOf(body)).toEqual({ data: [data] });
    },
  );

  it.each(['Contacts', 'Leads', 'contacts'])('carry no tags over to a record that is not new: %s', (name) => {
    const carried = name === 'Contacts' ? { [name]: 'customer' } : { [name]: ['customer'] };
    expect(() => sent('leads.convert', { id: '1', data: { carry_over_tags: carried } })).toThrow();
  });

  it('accept any media type of a download', () => {
    const rows: readonly Operation[] = Object.values(table);
    const files = rows.filter((row) => row.kind === 'request' && row.options.answer === 'file');
    expect(files).toHaveLength(2);
    for (const row of files) expect(row).toMatchObject({ options: { accept: { kind: '*/*' } } });
    expect(sent('attachments.download', { module: 'Deals', id: '1', attachment_id: '2' }).headers['accept']).toBe(
      '*/*',
    );
  });
});

describe('the tools of the suite CRM', () => {
  it('and the routes that answer JSON declare its schema', () => {
    const files = ['attachments.download', 'bulk.packed', 'bulk.result', 'bulk.export'];
    const without = catalog.operations.filter(({ output }) => output === null).map(({ name }) => name);
    expect(without.sort()).toEqual([...files].sort());
  });

  it.each(Object.keys(plannedTools))('have a short title, and describe more in at most 300 characters: %s', (tool) => {
    const { title = '', summary = '' } = catalog.operations.find((candidate) => candidate.tool === tool) ?? {};
    expect(title.length).toBeLessThanOrEqual(40);
    expect(summary.startsWith(title)).toBe(true);
    expect(summary.length).toBeGreaterThan(title.length + 40);
    expect(summary.length).toBeLessThanOrEqual(300);
  });

  it('only read if they are reading tools, and are marked if they delete something', () => {
    const effects = Object.fromEntries(
      catalog.operations.flatMap(({ tool, effect }) => (tool === null ? [] : [[tool, effect]])),
    );
    expect(effects).toMatchObject({
      suite_search: 'read',
      suite_coql_query: 'read',
      suite_record_delete: 'lose',
      suite_lead_convert: 'lose',
      suite_record_create: 'add',
    });
  });
});

describe('authentication of requests to the suite CRM', () => {
  it('sends `Authorization: Suite-oauthtoken <ACCESS_TOKEN>` with every request (SUITE-001)', () => {
    expect(sent('users.list', {}).headers['authorization']).toBe('Suite-oauthtoken the-token');
  });

  it("uses the vendor's own prefix in its dialect", () => {
    expect(sent('users.list', {}, 'zoho').headers['authorization']).toBe('Zoho-oauthtoken the-token');
  });
});

describe('the address of requests', () => {
  const at = (extra: TokenRecord['extra'], url: string | null, dialect: SuiteCrmDialect = 'neutral') =>
    suiteCrmDialect(dialect, url).baseUrl({ ...record, extra });

  it('is the `api_domain` of the token answer (SUITE-002)', () => {
    expect(at({ api_domain: 'https://api.suite.example/' }, 'https://set.example')).toBe('https://api.suite.example');
  });

  it('is the configured one while there is no `api_domain`', () => {
    expect(at({}, 'https://set.example')).toBe('https://set.example');
    expect(at({ data_center: 'IN' }, 'https://api-{data_center}.example')).toBe('https://api-in.example');
  });

  it('is unknown in the neutral dialect while none is configured', () => {
    expect(at({}, null)).toBeNull();
  });

  it.each([
    ['US', 'https://www.zohoapis.com'],
    ['EU', 'https://www.zohoapis.eu'],
    ['IN', 'https://www.zohoapis.in'],
    ['AU', 'https://www.zohoapis.com.au'],
    ['JP', 'https://www.zohoapis.jp'],
    ['CN', 'https://www.zohoapis.com.cn'],
    ['CA', 'https://www.zohoapis.ca'],
    ['SA', 'https://www.zohoapis.sa'],
  ])("is the data centre's in the vendor's dialect: %s", (name, address) => {
    expect(at({ data_center: name }, null, 'zoho')).toBe(address);
  });

  it('is never plain http on another machine unless it was configured', () => {
    expect(at({ api_domain: 'http://api.suite.example' }, 'https://set.example')).toBe('https://set.example');
    expect(at({ api_domain: 'http://crm.lan/eu' }, 'http://crm.lan')).toBe('http://crm.lan/eu');
    expect(at({ api_domain: 'http://127.0.0.1:4000' }, 'http://127.0.0.1:3999')).toBe('http://127.0.0.1:4000');
    expect(at({ api_domain: 'http://127.0.0.1:4000' }, null)).toBeNull();
  });
});

describe('the requests of the neutral dialect', () => {
  it.each([
    ['records.list', { module: 'Deals' }, 'GET /crm/v8/Deals?per_page=20'],
    [
      'records.list',
      { module: 'Deals', fields: ['Deal_Name', 'Stage'], page: 3, per_page: 200, sort_by: 'id', sort_order: 'asc' },
      'GET /crm/v8/Deals?fields=Deal_Name%2CStage&page=3&per_page=200&sort_by=id&sort_order=asc',
    ],
    ['records.list', { module: 'Deals', page: '4' }, 'GET /crm/v8/Deals?page=4&per_page=20'],
    ['records.get', { module: 'Deals', id: '42' }, 'GET /crm/v8/Deals/42'],
    ['records.delete', { module: 'Deals', id: '42' }, 'DELETE /crm/v8/Deals/42'],
    ['records.deleted', { module: 'Deals' }, 'GET /crm/v8/Deals/deleted?type=all&per_page=20'],
    [
      'records.search',
      { module: 'Leads', email: 'a+b@c.example' },
      'GET /crm/v8/Leads/search?email=a%2Bb%40c.example&per_page=20',
    ],
    [
      'related.list',
      { module: 'Accounts', id: '42', related_list: 'Contacts' },
      'GET /crm/v8/Accounts/42/Contacts?per_page=20',
    ],
    [
      'related.unlink',
      { module: 'Deals', id: '1', related_list: 'Products', rid: '2' },
      'DELETE /crm/v8/Deals/1/Products/2',
    ],
    ['notes.list', { module: 'Deals', id: '42' }, 'GET /crm/v8/Deals/42/notes?per_page=20'],
    ['attachments.list', { module: 'Deals', id: '42' }, 'GET /crm/v8/Deals/42/attachments?per_page=20'],
    ['tags.list', { module: 'Leads' }, 'GET /crm/v8/settings/tags?module=Leads'],
    ['tags.delete', { id: '7' }, 'DELETE /crm/v8/settings/tags/7'],
    ['emails.list', { module: 'Deals', id: '42' }, 'GET /crm/v8/Deals/42/emails'],
    ['bulk.get', { job_id: '5' }, 'GET /crm/v8/bulk/read/5'],
    ['bulk.packed', { job_id: '5' }, 'GET /crm/v8/bulk/read/5/result'],
    ['organization.get', {}, 'GET /crm/v8/organization'],
    ['modules.list', {}, 'GET /crm/v8/modules'],
    ['modules.fields', { module: 'Deals' }, 'GET /crm/v8/modules/Deals/fields'],
    ['watch.delete', { channel_ids: ['1', '2'] }, 'DELETE /crm/v8/actions/watch?channel_ids=1%2C2'],
  ] as const)('%s %j', (name, input, line) => {
    const request = sent(name, input);
    expect(request.line).toBe(line);
    expect(request.body).toBeUndefined();
  });

  it.each([
    [
      'records.create',
      { module: 'Leads', data: { Last_Name: 'Burns' } },
      'POST /crm/v8/Leads',
      { data: [{ Last_Name: 'Burns' }] },
    ],
    [
      'records.create',
      { module: 'Leads', data: [{ Last_Name: 'Burns' }, { Last_Name: 'Ng' }], trigger: [] },
      'POST /crm/v8/Leads',
      { data: [{ Last_Name: 'Burns' }, { Last_Name: 'Ng' }], trigger: [] },
    ],
    [
      'records.update',
      { module: 'Deals', id: '42', data: { Stage: 'Closed Won' } },
      'PUT /crm/v8/Deals/42',
      { data: [{ Stage: 'Closed Won' }] },
    ],
    [
      'records.upsert',
      { module: 'Leads', data: [{ Email: 'a@b.example' }], duplicate_check_fields: ['Email'] },
      'POST /crm/v8/Leads/upsert',
      { data: [{ Email: 'a@b.example' }], duplicate_check_fields: ['Email'] },
    ],
    [
      'tags.create',
      { module: 'Leads', tags: ['vip'] },
      'POST /crm/v8/settings/tags?module=Leads',
      { tags: [{ name: 'vip' }] },
    ],
    [
      'tags.update',
      { id: '7', module: 'Leads', tags: [{ name: 'vip', color_code: '#57B1FD' }] },
      'PUT /crm/v8/settings/tags/7?module=Leads',
      { tags: [{ name: 'vip', color_code: '#57B1FD' }] },
    ],
    [
      'records.add_tags',
      { module: 'Leads', id: '42', tags: ['vip', 'q3'] },
      'POST /crm/v8/Leads/42/actions/add_tags',
      { tags: [{ name: 'vip' }, { name: 'q3' }] },
    ],
    [
      'records.remove_tags',
      { module: 'Leads', id: '42', tags: ['vip'] },
      'POST /crm/v8/Leads/42/actions/remove_tags',
      { tags: [{ name: 'vip' }] },
    ],
    ['leads.convert', { id: '42' }, 'POST /crm/v8/Leads/42/convert', { data: [{}] }],
    [
      'leads.convert',
      { id: '42', data: { overwrite: true } },
      'POST /crm/v8/Leads/42/convert',
      { data: [{ overwrite: true }] },
    ],
    [
      'emails.send',
      { module: 'Leads', id: '42', data: { from: { email: 'a@b.example' }, to: [{ email: 'c@d.example' }] } },
      'POST /crm/v8/Leads/42/send_mail',
      { data: [{ from: { email: 'a@b.example' }, to: [{ email: 'c@d.example' }] }] },
    ],
    [
      'notes.create',
      { data: [{ Note_Content: 'Called', Parent_Id: { module: { api_name: 'Deals' }, id: '42' } }] },
      'POST /crm/v8/notes',
      { data: [{ Note_Content: 'Called', Parent_Id: { module: { api_name: 'Deals' }, id: '42' } }] },
    ],
    [
      'coql.run',
      { select_query: 'select id from Deals where id is not null' },
      'POST /crm/v8/coql',
      { select_query: 'select id from Deals where id is not null' },
    ],
    [
      'bulk.create',
      { query: { module: { api_name: 'Deals' }, fields: ['id'] } },
      'POST /crm/v8/bulk/read',
      { query: { module: { api_name: 'Deals' }, fields: ['id'] } },
    ],
    [
      'watch.create',
      {
        watch: [
          {
            channel_id: 68,
            events: ['Deals.edit'],
            notify_url: 'https://us.example/webhooks/suite_crm',
            token: 'echo',
            channel_expiry: '2026-11-28T10:00:00+02:00',
          },
        ],
      },
      'POST /crm/v8/actions/watch',
      {
        watch: [
          {
            channel_id: '68',
            events: ['Deals.edit'],
            notify_url: 'https://us.example/webhooks/suite_crm',
            token: 'echo',
            channel_expiry: '2026-11-28T10:00:00+02:00',
          },
        ],
      },
    ],
  ] as const)('%s %j', (name, input, line, body) => {
    const request = sent(name, input);
    expect(request.line).toBe(line);
    expect(jsonOf(request.body)).toEqual(body);
    expect(request.headers['content-type']).toBe('application/json');
  });

  it('send related.link without a body', () => {
    const request = sent('related.link', { module: 'Deals', id: '1', related_list: 'Products', rid: '2' });
    expect(request.line).toBe('PUT /crm/v8/Deals/1/Products/2');
    expect(request.body).toBeUndefined();
  });
});

describe("requests in the vendor's dialect that differ (OP-009)", () => {
  it.each([
    [
      'records.list',
      { module: 'Vendors' },
      'GET /crm/v8/Vendors?per_page=20&fields=id%2CVendor_Name%2CEmail%2CPhone%2CCategory%2COwner%2CTag%2CCreated_Time%2CModified_Time',
    ],
    [
      'records.list',
      { module: 'My_Things' },
      'GET /crm/v8/My_Things?per_page=20&fields=id%2CCreated_Time%2CModified_Time',
    ],
    [
      'records.list',
      { module: 'My_Things', fields: ['Name'], page: 'token:abc' },
      'GET /crm/v8/My_Things?fields=Name&per_page=20&page_token=abc',
    ],
    [
      'related.list',
      { module: 'Accounts', id: '42', related_list: 'Things', page: 2 },
      'GET /crm/v8/Accounts/42/Things?per_page=20&fields=id%2CCreated_Time%2CModified_Time&page=2',
    ],
    [
      'notes.list',
      { module: 'Deals', id: '42' },
      'GET /crm/v8/Deals/42/Notes?per_page=20&fields=id%2CNote_Title%2CNote_Content%2CParent_Id%2COwner%2CCreated_Time%2CModified_Time',
    ],
    [
      'attachments.list',
      { module: 'Deals', id: '42', fields: ['File_Name'] },
      'GET /crm/v8/Deals/42/Attachments?fields=File_Name&per_page=20',
    ],
    ['emails.list', { module: 'Deals', id: '42', page: 'index:abc' }, 'GET /crm/v8/Deals/42/Emails?index=abc'],
    ['bulk.get', { job_id: '5' }, 'GET /crm/bulk/v8/read/5'],
    ['bulk.packed', { job_id: '5' }, 'GET /crm/bulk/v8/read/5/result'],
    ['organization.get', {}, 'GET /crm/v8/org'],
    ['modules.list', {}, 'GET /crm/v8/settings/modules'],
    [
      'modules.fields',
      { module: 'Deals' },
      'GET /crm/v8/settings/fields?module=Deals&include=allowed_permissions_to_update',
    ],
    ['attachments.download', { module: 'Deals', id: '42', attachment_id: '9' }, 'GET /crm/v8/Deals/42/Attachments/9'],
  ] as const)('%s %j', (name, input, line) => {
    expect(sent(name, input, 'zoho').line).toBe(line);
  });

  it('use other paths for notes, conversion, e-mail and exports', () => {
    const data = { from: { email: 'a@b.example' }, to: [{ email: 'c@d.example' }] };
    const note = { Note_Content: 'x', Parent_Id: { module: { api_name: 'Deals' }, id: '42' } };
    expect(sent('notes.create', { data: [note] }, 'zoho').line).toBe('POST /crm/v8/Notes');
    expect(sent('leads.convert', { id: '42' }, 'zoho').line).toBe('POST /crm/v8/Leads/42/actions/convert');
    expect(sent('emails.send', { module: 'Leads', id: '42', data }, 'zoho').line).toBe(
      'POST /crm/v8/Leads/42/actions/send_mail',
    );
    expect(sent('bulk.create', { query: { module: { api_name: 'Deals' } } }, 'zoho').line).toBe(
      'POST /crm/bulk/v8/read',
    );
  });

  it('send the id of a changed tag also in the query', () => {
    expect(sent('tags.update', { id: '7', module: 'Leads', tags: ['vip'] }, 'zoho').line).toBe(
      'PUT /crm/v8/settings/tags/7?module=Leads&id=7',
    );
  });

  it('send the id of a linked record also in the body', () => {
    const input = { module: 'Deals', id: '1', related_list: 'Contact_Roles', rid: '2' };
    expect(jsonOf(sent('related.link', input, 'zoho').body)).toEqual({ data: [{ id: '2' }] });
    const role = { ...input, data: { Contact_Role: 'Buyer' } };
    expect(jsonOf(sent('related.link', role, 'zoho').body)).toEqual({
      data: [{ Contact_Role: 'Buyer', id: '2' }],
    });
  });
});

describe('an upload', () => {
  it('is multipart/form-data with the file in the field `file`', async () => {
    const file = { name: 'a.txt', content_base64: Buffer.from('hello').toString('base64'), media_type: 'text/plain' };
    const request = sent('attachments.upload', { module: 'Deals', id: '42', file });
    expect(request.line).toBe('POST /crm/v8/Deals/42/attachments');
    const type = request.headers['content-type'] ?? '';
    const { body } = request;
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) throw new Error('no stream');
    const bytes: Uint8Array[] = [];
    for await (const chunk of body) bytes.push(chunk);
    const form = await new Response(Buffer.concat(bytes), { headers: { 'content-type': type } }).formData();
    const part = form.get('file');
    if (!(part instanceof File)) throw new Error('no file');
    expect([part.name, part.type, await part.text()]).toEqual(['a.txt', 'text/plain', 'hello']);
  });
});

describe('invalid input is refused before anything is sent (SUITE-003, SUITE-009)', () => {
  it.each([
    ['records.create', { module: 'Leads', data: Array.from({ length: 101 }, () => ({ Last_Name: 'x' })) }],
    ['records.create', { module: 'Leads', data: [] }],
    ['records.create', { module: 'Leads', data: {} }],
    ['records.create', { module: '../users', data: { Last_Name: 'x' } }],
    ['records.get', { module: 'Leads', id: '../../org' }],
    ['records.list', { module: 'Leads', per_page: 201 }],
    ['records.list', { module: 'Leads', fields: Array.from({ length: 51 }, (_, at) => `F${at}`) }],
    ['records.list', { module: 'Leads', fields: ['a,b'] }],
    ['records.search', { module: 'Leads', criteria: '(Last_Name:equals:Burns))or((id:not_equal:0)' }],
    ['watch.create', { watch: [{ channel_id: '1', events: ['Deals.merge'], notify_url: 'https://us.example' }] }],
    [
      'watch.create',
      { watch: [{ channel_id: '1', events: ['Deals.edit'], notify_url: 'https://us.example', token: 'x'.repeat(51) }] },
    ],
    [
      'watch.create',
      {
        watch: [
          {
            channel_id: '1',
            events: ['Deals.all'],
            notify_url: 'https://us.example',
            channel_expiry: '2026-11-28T10:00:00',
          },
        ],
      },
    ],
  ] as const)('%s %j', (name, input) => {
    expect(operations[name].input.safeParse(input).success).toBe(false);
  });
});
