import { equal, holds, member, Skipped, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived, type Row, rowClauses, type ToolRow, toolClauses } from '#test/kit/clauses/operations/rows.ts';
import { connectByOAuth } from '#test/kit/connections.ts';
import { fileBytes } from '#test/kit/emulators/cloud-services.ts';
import { callsIn } from '#test/kit/emulators/emulator.ts';

const at = '/crm/v8';
const records = { data: [{ Last_Name: 'Lovelace' }] };
const mail = {
  data: [{ from: { email: 'a@b.example' }, to: [{ email: 'c@d.example' }], subject: 'Hello', content: 'Hi' }],
};
const note = { data: [{ Note_Title: 'T', Note_Content: 'C', Parent_Id: { module: { api_name: 'Leads' }, id: '91' } }] };
const watch = {
  watch: [
    {
      channel_id: '1000000068001',
      events: ['Deals.all'],
      notify_url: 'https://kit.example/webhooks/suite_crm',
      token: 'chosen',
      channel_expiry: '2026-12-01T10:00:00+00:00',
    },
  ],
};

const same = (id: string, method: string, path: string, body?: unknown, json: unknown = body): Row => [
  `${id}/${method} ${path}`,
  `${method} ${path}`,
  body,
  `${method} ${at}${path.split('?')[0] ?? ''}`,
  {
    ...(json === undefined || json === null ? {} : { json }),
    query: Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? '')),
  },
];

const rows: readonly Row[] = [
  same('SUITE-003', 'GET', '/Leads?page=2&per_page=50'),
  same('SUITE-003', 'GET', '/Custom_Things'),
  same('SUITE-003', 'GET', '/Leads/91'),
  same('SUITE-003', 'PUT', '/Leads/91', records),
  same('SUITE-003', 'DELETE', '/Leads/91'),
  same('SUITE-003', 'POST', '/Leads', records),
  same('SUITE-003', 'POST', '/Leads/upsert', { ...records, duplicate_check_fields: ['Email'] }),
  same('SUITE-003', 'GET', '/Leads/search?criteria=(Last_Name:equals:O%27Brien)'),
  same('SUITE-003', 'GET', '/Leads/deleted'),
  same('SUITE-004', 'GET', '/Deals/91/Products'),
  same('SUITE-004', 'PUT', '/Deals/91/Products/92', { data: [{ Quantity: 1 }] }),
  same('SUITE-004', 'DELETE', '/Deals/91/Products/92'),
  same('SUITE-004', 'POST', '/notes', note),
  same('SUITE-004', 'GET', '/Leads/91/notes'),
  same('SUITE-004', 'GET', '/Leads/91/attachments'),
  same('SUITE-004', 'GET', '/settings/tags?module=Leads'),
  [
    'SUITE-004/POST /settings/tags',
    'POST /settings/tags',
    { module: 'Leads', tags: [{ name: 'Hot' }] },
    `POST ${at}/settings/tags`,
    { query: { module: 'Leads' }, json: { tags: [{ name: 'Hot' }] } },
  ],
  same(
    'SUITE-004',
    'PUT',
    '/settings/tags/55',
    { module: 'Leads', tags: [{ name: 'Warm' }] },
    { tags: [{ name: 'Warm' }] },
  ),
  same('SUITE-004', 'DELETE', '/settings/tags/55'),
  same('SUITE-004', 'POST', '/Leads/91/actions/add_tags', { tags: [{ name: 'Hot' }] }),
  same('SUITE-004', 'POST', '/Leads/91/actions/remove_tags', { tags: [{ name: 'Hot' }] }),
  same('SUITE-004', 'POST', '/Leads/91/convert', { data: [{ overwrite: true }] }),
  same('SUITE-004', 'POST', '/Leads/91/send_mail', mail, null),
  same('SUITE-004', 'GET', '/Leads/91/emails'),
  same('SUITE-004', 'POST', '/coql', { select_query: 'select Last_Name from Leads where id is not null limit 5' }),
  same('SUITE-004', 'POST', '/bulk/read', { query: { module: { api_name: 'Leads' } } }),
  same('SUITE-004', 'GET', '/bulk/read/77'),
  same('SUITE-004', 'GET', '/users'),
  same('SUITE-004', 'GET', '/organization'),
  same('SUITE-004', 'GET', '/modules'),
  same('SUITE-004', 'GET', '/modules/Leads/fields'),
  same('SUITE-004', 'GET', '/settings/roles'),
  same('SUITE-004', 'GET', '/settings/profiles'),
  same('SUITE-004', 'POST', '/actions/watch', watch),
];

const tools: readonly ToolRow[] = [
  ['SUITE-003', 'suite_record_list', { module: 'Leads' }, `GET ${at}/Leads`],
  ['SUITE-003', 'suite_record_get', { module: 'Leads', id: '91' }, `GET ${at}/Leads/91`],
  [
    'SUITE-003',
    'suite_record_create',
    { module: 'Leads', data: { Last_Name: 'Lovelace' } },
    `POST ${at}/Leads`,
    { json: { data: [{ Last_Name: 'Lovelace' }] } },
  ],
  [
    'SUITE-003',
    'suite_record_update',
    { module: 'Leads', id: '91', data: { Last_Name: 'L' } },
    `PUT ${at}/Leads/91`,
    { json: { data: [{ Last_Name: 'L' }] } },
  ],
  ['SUITE-003', 'suite_record_delete', { module: 'Leads', id: '91' }, `DELETE ${at}/Leads/91`],
  [
    'SUITE-003',
    'suite_search',
    { module: 'Leads', criteria: '(Last_Name:equals:L)' },
    `GET ${at}/Leads/search`,
    { query: { criteria: '(Last_Name:equals:L)' } },
  ],
  ['SUITE-004', 'suite_coql_query', { query: 'select Last_Name from Leads where id is not null' }, `POST ${at}/coql`],
  ['SUITE-004', 'suite_lead_convert', { id: '91' }, `POST ${at}/Leads/91/convert`],
  [
    'SUITE-004',
    'suite_note_create',
    { module: 'Leads', id: '91', text: 'A note' },
    `POST ${at}/notes`,
    { json: { data: [{ Note_Content: 'A note' }] } },
  ],
  ['SUITE-004', 'suite_notes_list', { module: 'Leads', id: '91' }, `GET ${at}/Leads/91/notes`],
  [
    'SUITE-004',
    'suite_tag_add',
    { module: 'Leads', id: '91', tags: ['Hot'] },
    `POST ${at}/Leads/91/actions/add_tags`,
    { json: { tags: [{ name: 'Hot' }] } },
  ],
  [
    'SUITE-004',
    'suite_tag_remove',
    { module: 'Leads', id: '91', tags: ['Hot'] },
    `POST ${at}/Leads/91/actions/remove_tags`,
    { json: { tags: [{ name: 'Hot' }] } },
  ],
  ['SUITE-004', 'suite_modules_list', {}, `GET ${at}/modules`],
  ['SUITE-004', 'suite_fields_list', { module: 'Leads' }, `GET ${at}/modules/Leads/fields`],
  ['SUITE-004', 'suite_users_list', {}, `GET ${at}/users`],
];

const needs = ['login', 'rest', 'service:suite_crm'] as const;

/** Clauses on the operations of the suite CRM. */
export const suiteCrm: readonly Clause[] = [
  ...rowClauses('suite_crm', rows),
  // Their inputs stand in the interface.
  ...toolClauses('suite_crm', contract, tools),
  portolan(
    'SUITE-004/note.title',
    'a note that is created with a title has its text, and its record',
    async (kit) => {
      const input = { module: 'Leads', id: '91', text: 'The text', title: 'The title' };
      const mcp = await kit.mcp();
      const { received } = await kit.arriving('suite_crm', () => mcp.call('suite_note_create', input));
      const Parent_Id = { module: { api_name: 'Leads' }, id: '91' };
      arrived(received, `POST ${at}/notes`, {
        json: { data: [{ Note_Content: 'The text', Note_Title: 'The title', Parent_Id }] },
      });
    },
    ['login', 'service:suite_crm'],
  ),
  contract(
    'SUITE-001',
    'a token travels as Authorization: Suite-oauthtoken, not Bearer',
    async (kit) => {
      const { accessToken } = kit.emulators.cloud.suite_crm.oauth;
      const { received } = await kit.arriving('suite_crm', () => kit.api('GET', '/api/suite_crm/Leads/91'));
      arrived(received, `GET ${at}/Leads/91`, { headers: { authorization: `Suite-oauthtoken ${accessToken}` } });
    },
    needs,
  ),
  contract(
    'SUITE-002',
    'calls go to the api_domain of the token answer, below /crm/v8',
    async (kit) => {
      // The emulator names itself as the domain of the interface; its accounts server has routes of its own.
      const { received } = await kit.arriving('suite_crm', () => kit.api('GET', '/api/suite_crm/Deals/91'));
      const { headers } = arrived(received, `GET ${at}/Deals/91`);
      equal(headers['host'], new URL(kit.emulator('suite_crm').url).host, 'the host');
    },
    needs,
  ),
  contract(
    'SUITE-002/domain',
    'calls go to another api_domain where the token answer names one',
    async (kit) => {
      const { oauth, emulator } = kit.emulators.cloud.suite_crm;
      const other = new URL(emulator.url);
      if (other.hostname !== '127.0.0.1') throw new Skipped('the emulators do not listen on 127.0.0.1');
      other.hostname = 'localhost';
      const { accessToken: access_token, refreshToken: refresh_token } = oauth;
      const tokens = { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, api_domain: other.origin };
      oauth.refusals.push({ body: tokens });
      try {
        equal(await connectByOAuth(kit, 'suite_crm'), null, 'a fault in connecting:');
        const { received } = await kit.arriving('suite_crm', () => kit.api('GET', '/api/suite_crm/Deals/91'));
        equal(arrived(received, `GET ${at}/Deals/91`).headers['host'], other.host, 'the host');
      } finally {
        await connectByOAuth(kit, 'suite_crm');
      }
    },
    needs,
  ),
  contract(
    'SUITE-003/101',
    'more than 100 records a call are refused, and nothing is sent',
    async (kit) => {
      const data = Array.from({ length: 101 }, (_, index) => ({ Last_Name: `L${index}` }));
      const { value, received } = await kit.arriving('suite_crm', () =>
        kit.api('POST', '/api/suite_crm/Leads', { data }),
      );
      status(value, [400, 413, 422]);
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
  contract(
    'SUITE-004/upload',
    'an attachment is uploaded as a form',
    async (kit) => {
      const headers = { authorization: `Bearer ${await kit.token()}`, 'content-type': 'application/pdf' };
      const path = '/api/suite_crm/Leads/91/attachments?file_name=a.pdf';
      const { value, received } = await kit.arriving('suite_crm', () =>
        kit.send({ ...kit.routed('POST', path), headers, body: fileBytes }),
      );
      const request = arrived(received, `POST ${at}/Leads/91/attachments`, {
        headers: { 'content-type': /^multipart\/form-data/ },
      });
      holds(request.body.includes(fileBytes), 'the bytes of the file', request.text);
      status(value, 200);
    },
    needs,
  ),
  contract(
    'SUITE-004/bulk-result',
    'the result of a bulk job is CSV',
    async (kit) => {
      const { value, received } = await kit.arriving('suite_crm', () =>
        kit.api('GET', '/api/suite_crm/bulk/read/77/result'),
      );
      arrived(received, `GET ${at}/bulk/read/77/result`);
      status(value, 200);
      holds(value.text.includes('Id,Name'), 'the CSV', value.text);
    },
    needs,
  ),
  contract(
    'SUITE-005',
    'a list is paged by page, per_page and info.more_records',
    async (kit) => {
      const body = { data: [{ id: '1' }], info: { more_records: true, page: 4, per_page: 1, count: 1 } };
      kit.emulator('suite_crm').script(({ query }) => query.get('page') === '4', { body });
      const answer = await kit.api('GET', '/api/suite_crm/Accounts?page=4&per_page=1');
      status(answer, 200);
      equal(member(answer.json, 'pagination', 'hasMore'), true, 'hasMore');
      const next = String(member(answer.json, 'pagination', 'next'));
      const { received } = await kit.arriving('suite_crm', () =>
        kit.api('GET', `/api/suite_crm/Accounts?page=${next}&per_page=1`),
      );
      arrived(received, `GET ${at}/Accounts`, { query: { page: '5', per_page: '1' } });
    },
    needs,
  ),
  contract(
    'SUITE-005/end',
    'a list whose info.more_records is false has no next page',
    async (kit) => {
      const body = { data: [{ id: '1' }], info: { more_records: false, page: 1, per_page: 1, count: 1 } };
      kit.emulator('suite_crm').script(({ path }) => path === `${at}/Accounts`, { body });
      const answer = await kit.api('GET', '/api/suite_crm/Accounts?per_page=1');
      status(answer, 200);
      equal(member(answer.json, 'pagination', 'hasMore'), false, 'hasMore');
    },
    needs,
  ),
  portolan(
    'SUITE-004/coql.limit',
    'a query of more than 2,000 records is refused, and nothing is sent',
    async (kit) => {
      const mcp = await kit.mcp();
      const input = { query: "select Last_Name from Leads where Last_Name = 'Ada'", limit: 2001 };
      const { value, received } = await kit.arriving('suite_crm', () => mcp.call('suite_coql_query', input));
      equal(value.isError, true, 'a failure:');
      equal(callsIn(received), [], 'the calls:');
    },
    ['login', 'service:suite_crm'],
  ),
  contract(
    'SUITE-009',
    'a page of more than 200 records is refused, and nothing is sent',
    async (kit) => {
      const { value, received } = await kit.arriving('suite_crm', () =>
        kit.api('GET', '/api/suite_crm/Leads?per_page=201'),
      );
      status(value, [400, 422]);
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
];
