import { member } from '#test/kit/checks.ts';
import {
  answers,
  type Fault,
  isFor,
  jsonOf,
  requests,
  withBody,
  withHeader,
  withJson,
} from '#test/kit/self-test/fault.ts';

/** Every caller has the rights of the signed-in user. */
const unbounded = requests(
  'rights are not looked at',
  ['USER-003', 'SESS-012/rest', 'AUTH-018/services', 'AUTH-018/read'],
  ({ path }) => path.startsWith('/api/') || path.startsWith('/message'),
  (request, { token }) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
);

const listed = (name: string, seenBy: readonly string[], from: RegExp, to: string): Fault =>
  answers(
    name,
    seenBy,
    (request, { body }) => request.path.startsWith('/message') && body.includes('"inputSchema"'),
    (answer) => withBody(answer, answer.body.toString().replaceAll(from, to)),
  );

/** Faults of rights, connections, tools and REST as the client sees them. */
export const accessFaults: readonly Fault[] = [
  unbounded,
  listed('a planned tool is missing', ['TOOL-001/vault'], /"vault_search"/g, '"vault_find"'),
  listed('a tool deletes for good', ['TOOL-002'], /"tracker_viewer"/g, '"tracker_issue_delete"'),
  listed(
    'a tool that deletes is said to be harmless',
    ['TOOL-003/effect'],
    /"destructiveHint":true/g,
    '"destructiveHint":false',
  ),
  answers(
    'JSON that is cut off is a fault of the server',
    ['MCP-007/no-json'],
    (_, { body }) => body.includes('-32700'),
    (answer) => withBody(answer, answer.body.toString().replace('-32700', '-32603')),
  ),
  answers(
    'errors lose the id of their request',
    ['MCP-007/id'],
    (request, { body }) => request.path.startsWith('/message') && body.includes('"error"'),
    (answer) => withJson(answer, { ...jsonOf(answer), id: null }),
  ),
  answers('the text of /set is a page', ['SESS-011/plain'], isFor('/set'), (answer) =>
    withHeader(answer, 'content-type', 'text/html'),
  ),
  {
    name: 'a stored token is shown',
    seenBy: ['CONN-008'],
    inbound:
      ({ kit }) =>
      async (request, pass) => {
        const answer = await pass(request);
        if (!isFor('/api/connections')(request)) return answer;
        const { accessToken } = kit.emulators.cloud.sales_crm.oauth;
        return withBody(answer, answer.body.toString().replace(/\}/, `,"access_token":"${accessToken}"}`));
      },
  },
  {
    name: 'the state of a connection is the same each time',
    seenBy: ['CONN-004'],
    inbound: () => async (request, pass) => {
      const answer = await pass(request);
      if (!request.path.startsWith('/connect/')) return answer;
      const location = String(answer.headers['location'] ?? '').replace(/state=[^&]*/, 'state=always-the-same-state');
      return { ...answer, headers: { ...answer.headers, location } };
    },
  },
  answers(
    'the suite CRM is not asked for offline access',
    ['SUITE-008'],
    ({ path }) => path.startsWith('/connect/suite_crm'),
    (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        location: String(answer.headers['location'] ?? '').replace(/&?access_type=offline/, ''),
      },
    }),
  ),
  requests(
    'a page may have any size',
    ['SUITE-009'],
    ({ path }) => path.includes('per_page=201'),
    (request) => ({ ...request, path: request.path.replace('201', '200') }),
  ),
  requests(
    'a call may create any number of records',
    ['SUITE-003/101'],
    isFor('/api/suite_crm/Leads', 'POST'),
    (request) => {
      const data = member(jsonOf(request), 'data');
      return { ...request, body: Buffer.from(JSON.stringify({ data: Array.isArray(data) ? data.slice(0, 100) : [] })) };
    },
  ),
  requests('unknown inputs are dropped', ['REST-005'], isFor('/api/sales_crm/deals', 'POST'), (request) => {
    const { titel: _, ...known } = jsonOf(request);
    return { ...request, body: Buffer.from(JSON.stringify(known)) };
  }),
  answers(
    'errors are plain JSON',
    ['ERR-002'],
    ({ path }, { status }) => path.startsWith('/api/') && status >= 400,
    (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } }),
  ),
  answers(
    'lists do not say whether there is more',
    ['SALES-013', 'OP-002'],
    ({ path }, { status }) => path.startsWith('/api/') && status === 200,
    (answer) => withJson(answer, { ...jsonOf(answer), pagination: null }),
  ),
  answers(
    'errors of GraphQL are a success',
    ['TRACK-005/alone'],
    ({ path }, { status }) => path.startsWith('/api/tracker/') && status >= 400,
    (answer) => withJson(answer, { data: null }, 200),
  ),
];
