import { connectByOAuth } from '#test/kit/connections.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import type { Kit } from '#test/kit/kit.ts';
import { type Fault, sent } from '#test/kit/self-test/fault.ts';
import { parsed } from '#test/kit/wire.ts';

/** The request with another body. */
function withText(request: Received, text: string): Received {
  return { ...request, text, body: Buffer.from(text), json: parsed(text) };
}

const onPath =
  (from: string | RegExp, to: string) =>
  (request: Received): Received => ({ ...request, path: request.path.replace(from, to) });
const onBody =
  (from: string | RegExp, to: string) =>
  (request: Received): Received =>
    withText(request, request.text.replaceAll(from, to));
const onHeader =
  (name: string, change: (value: string) => string) =>
  (request: Received): Received => ({
    ...request,
    headers: { ...request.headers, [name]: change(request.headers[name] ?? '') },
  });
const isRenewal = ({ path, text }: Received): boolean => path === '/oauth/token' && text.includes('refresh_token');
const notOAuth = ({ path }: Received): boolean => !path.startsWith('/oauth/');

/** Tries the connection with the vault, so that a key that was refused counts again. */
async function tried(kit: Kit): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  await (await kit.signedIn()).ask({ method: 'POST', path: '/connections/vault/test', headers, body: '{}' });
}

/** Faults of outgoing requests, found at the emulators. */
export const serviceFaults: readonly Fault[] = [
  sent(
    'deals are asked for in v1',
    ['SALES-002/deals.merge', 'SALES-002/deals.get'],
    'sales_crm',
    onPath('/api/v2/', '/v1/'),
  ),
  sent('leads are asked for in v2', ['SALES-006/list'], 'sales_crm', onPath('/v1/leads', '/api/v2/leads')),
  sent('persons are changed by PUT', ['SALES-003/persons.update'], 'sales_crm', (request) => ({
    ...request,
    method: request.method.replace('PATCH', 'PUT'),
  })),
  sent('notes are changed by PATCH', ['SALES-008/update'], 'sales_crm', (request) => ({
    ...request,
    method: request.method.replace('PUT', 'PATCH'),
  })),
  sent(
    'the query is lost',
    ['SALES-002/deals.search', 'SALES-012/search'],
    'sales_crm',
    (request) => ({ ...request, query: new URLSearchParams() }),
    notOAuth,
  ),
  sent('the body is lost', ['SALES-004/create'], 'sales_crm', (request) => withText(request, '{}'), notOAuth),
  sent('a personal token travels in a header', ['SALES-001/token'], 'sales_crm', (request) => {
    const token = request.query.get('api_token');
    if (token === null) return request;
    return {
      ...request,
      query: new URLSearchParams(),
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    };
  }),
  sent('the exchange lacks the redirect URI', ['SALES-017/exchange'], 'sales_crm', onBody(/&?redirect_uri=[^&]*/g, '')),
  sent(
    'a key of the signing service travels as Bearer',
    ['SIGN-001/key'],
    'signing',
    onHeader('authorization', (value) => value.replace('API-Key', 'Bearer')),
  ),
  sent(
    'the signing service is asked without its prefix',
    ['SIGN-002/GET /documents/doc1'],
    'signing',
    onPath('/public/v1', ''),
  ),
  sent('documents are paged otherwise', ['SIGN-002/GET /documents?page=2&count=7'], 'signing', (request) => ({
    ...request,
    query: new URLSearchParams(request.query.toString().replace('count', 'limit')),
  })),
  sent(
    'the suite CRM is sent Bearer',
    ['SUITE-001'],
    'suite_crm',
    onHeader('authorization', (value) => value.replace('Suite-oauthtoken', 'Bearer')),
  ),
  sent(
    'the suite CRM is asked in v7',
    ['SUITE-002', 'SUITE-003/GET /Leads/91'],
    'suite_crm',
    onPath('/crm/v8', '/crm/v7'),
  ),
  sent('records are sent without data', ['SUITE-003/POST /Leads'], 'suite_crm', onBody('"data"', '"records"')),
  sent(
    'a key of the tracker has a prefix',
    ['TRACK-001/key'],
    'tracker',
    onHeader('authorization', (value) => (value.startsWith('Bearer ') ? value : `Bearer ${value}`)),
  ),
  sent('GraphQL goes elsewhere', ['TRACK-002', 'TRACK-003/viewer'], 'tracker', onPath('/graphql', '/api')),
  sent('new tags do not name their module', ['SUITE-004/POST /settings/tags'], 'suite_crm', (request) => ({
    ...request,
    query: new URLSearchParams(),
  })),
  sent('lists of the tracker are not paged backwards', ['TRACK-004/back'], 'tracker', onBody('"last"', '"size"')),
  sent('an input of GraphQL is lost', ['TRACK-003/issueCreate'], 'tracker', onBody('"Fix login"', 'null')),
  sent(
    'archiving deletes',
    ['TOOL-002/archive', 'TRACK-003/issueArchive'],
    'tracker',
    onBody('issueArchive', 'issueDelete'),
  ),
  sent(
    'the renewal lacks the refresh token',
    ['TRACK-008/refresh'],
    'tracker',
    onBody(/&?refresh_token=[^&]*/g, ''),
    isRenewal,
  ),
  {
    ...sent('a refused token is not renewed', ['OP-005/tracker'], 'tracker', () => null, isRenewal),
    repair: (kit) => connectByOAuth(kit, 'tracker'),
  },
  ...(
    [
      ['sales_crm', 'RENEW-001/hour'],
      ['suite_crm', 'RENEW-001/hour'],
      ['tracker', 'RENEW-001/day'],
    ] as const
  ).map(([service, check]) => ({
    ...sent(`the token of ${service} is not renewed in time`, [check], service, () => null, isRenewal),
    repair: (kit: Kit) => connectByOAuth(kit, service),
  })),
  sent('reverting a document sends it', ['SIGN-010/sent'], 'signing', onPath(/\/draft$/, '/send')),
  {
    name: 'every request to the sales CRM is sent six times',
    seenBy: ['LIMIT-002', 'OP-003/bound'],
    outbound: {
      service: 'sales_crm',
      request: (request, { repeat }) => {
        if (notOAuth(request)) for (let more = 0; more < 5; more += 1) repeat(request);
        return request;
      },
    },
  },
  sent('PKCE is left out', ['TRACK-009'], 'tracker', onBody(/&?code_verifier=[^&]*/g, '')),
  {
    name: 'a call is not sent again after 429',
    seenBy: ['OP-003/read', 'OP-003/write'],
    outbound: { service: 'sales_crm', reply: (reply) => (reply.status === 429 ? { ...reply, status: 400 } : reply) },
  },
  {
    name: 'a change is sent twice',
    seenBy: ['OP-004/write'],
    outbound: {
      service: 'sales_crm',
      request: (request, { repeat }) => {
        if (request.method === 'PATCH') repeat(request);
        return request;
      },
    },
  },
  {
    name: 'a token is renewed twice',
    seenBy: ['RENEW-002/signing', 'OP-005/signing'],
    outbound: {
      service: 'signing',
      request: (request, { repeat }) => {
        if (isRenewal(request)) repeat(request);
        return request;
      },
    },
  },
  {
    ...sent(
      'the vault is sent another key',
      ['VAULT-001'],
      'vault',
      onHeader('authorization', () => 'Bearer other'),
    ),
    repair: tried,
  },
  sent('paths of notes are encoded twice', ['VAULT-003/umlaut', 'VAULT-003/blank'], 'vault', onPath(/%/g, '%25')),
  sent('slashes of paths are encoded', ['VAULT-003/deep'], 'vault', (request) => ({
    ...request,
    path: request.path.replace(/^\/vault\/(.*)$/, (_, name: string) => `/vault/${name.replaceAll('/', '%2F')}`),
  })),
  sent(
    'the place of a patch is lost',
    ['VAULT-004'],
    'vault',
    onHeader('target', () => ''),
  ),
  sent(
    'the delimiter of a patch is lost',
    ['VAULT-004/optional'],
    'vault',
    onHeader('target-delimiter', () => ''),
  ),
  sent(
    'the operation of a patch is another',
    ['VAULT-004/prepend'],
    'vault',
    onHeader('operation', () => 'append'),
  ),
  sent(
    'a note is always read as Markdown',
    ['VAULT-009/note', 'VAULT-009/document-map'],
    'vault',
    onHeader('accept', () => 'text/markdown'),
  ),
  sent(
    'a search in DQL is said to be JsonLogic',
    ['VAULT-010/dql'],
    'vault',
    onHeader('content-type', (value) => value.replace('dql+txt', 'jsonlogic+json')),
  ),
  sent(
    'writing a note appends to it',
    ['VAULT-005/overwrite'],
    'vault',
    (request) => ({ ...request, method: request.method.replace('PUT', 'POST') }),
    ({ path }) => path.startsWith('/vault/Kit/'),
  ),
  sent('notes lose their history', ['REACT-001/history'], 'vault', onBody('## History', '## Story')),
  sent('notes lose the ids of issues', ['REACT-005'], 'vault', onBody('tracker_issue_id', 'issue_id')),
  sent(
    'persons are pushed nowhere',
    ['REACT-002/organization'],
    'suite_crm',
    () => null,
    ({ path }) => path.includes('/Accounts'),
  ),
];
