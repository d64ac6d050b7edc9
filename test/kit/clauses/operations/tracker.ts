import { equal, holds, listAt, Mismatch, matches, member, missingFrom, shown, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { connectByOAuth, withKey } from '#test/kit/connections.ts';
import type { Received } from '#test/kit/emulators/emulator.ts';
import { type Root, rootsOf } from '#test/kit/emulators/graphql.ts';

const id = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';
const team = '7bfb482a-81e3-4154-b5b9-2c805e70a02e';
const dates = { startsAt: '2026-12-01T00:00:00.000Z', endsAt: '2026-12-14T00:00:00.000Z' };

/** The root fields that a request asks for, with their arguments. */
function rootsIn({ json }: Received): readonly Root[] {
  const document = member(json, 'query');
  return typeof document === 'string' ? rootsOf(document, member(json, 'variables')) : [];
}

/** The request whose document asks for a field at its root with these arguments, posted to `/graphql`; fails with what came instead. */
function asked(received: readonly Received[], name: string, given: unknown): Received {
  const all = received.flatMap((request) => rootsIn(request).map((root) => ({ request, root })));
  const found = all.filter(({ root }) => root.name === name);
  const [first] = found;
  if (first === undefined)
    throw new Mismatch(`a document with ${name} to arrive`, shown(all.map(({ root }) => root.name)));
  equal(`${first.request.method} ${first.request.path}`, 'POST /graphql', 'the request');
  equal(first.request.headers['content-type']?.split(';')[0], 'application/json', 'the content type');
  const fitting = found.find(({ root }) => missingFrom(root.arguments, given, '') === null);
  if (fitting === undefined) throw new Mismatch(`${name} with ${shown(given)}`, shown(first.root.arguments));
  return fitting.request;
}

type Row = readonly [call: string, body: unknown, root: string, given: unknown];

const issueInput = {
  title: 'Fix login',
  description: 'Steps',
  teamId: team,
  assigneeId: id,
  priority: 2,
  stateId: id,
  labelIds: [id],
  projectId: id,
  cycleId: id,
};

const rows: readonly Row[] = [
  ['GET /viewer', undefined, 'viewer', {}],
  ['GET /teams', undefined, 'teams', {}],
  [`GET /teams/${team}`, undefined, 'team', { id: team }],
  ['GET /issues?first=3', undefined, 'issues', { first: 3 }],
  [`GET /issues/${id}`, undefined, 'issue', { id }],
  ['GET /projects', undefined, 'projects', {}],
  [`GET /projects/${id}`, undefined, 'project', { id }],
  ['GET /cycles', undefined, 'cycles', {}],
  ['GET /initiatives', undefined, 'initiatives', {}],
  [`GET /initiatives/${id}`, undefined, 'initiative', { id }],
  ['GET /workflow-states', undefined, 'workflowStates', {}],
  ['GET /labels', undefined, 'issueLabels', {}],
  ['GET /users', undefined, 'users', {}],
  [`GET /users/${id}`, undefined, 'user', { id }],
  ['GET /documents', undefined, 'documents', {}],
  ['POST /issues', issueInput, 'issueCreate', { input: issueInput }],
  [`PATCH /issues/${id}`, { title: 'New' }, 'issueUpdate', { id, input: { title: 'New' } }],
  [`POST /issues/${id}/archive`, undefined, 'issueArchive', { id }],
  [`POST /issues/${id}/unarchive`, undefined, 'issueUnarchive', { id }],
  ['POST /comments', { issueId: id, body: 'Hello' }, 'commentCreate', { input: { issueId: id, body: 'Hello' } }],
  [`PATCH /comments/${id}`, { body: 'Hello' }, 'commentUpdate', { id, input: { body: 'Hello' } }],
  [`DELETE /comments/${id}`, undefined, 'commentDelete', { id }],
  [
    'POST /projects',
    { name: 'P', description: 'D', teamIds: [team], startDate: '2026-12-01', targetDate: '2026-12-31' },
    'projectCreate',
    { input: { name: 'P', description: 'D', teamIds: [team], startDate: '2026-12-01', targetDate: '2026-12-31' } },
  ],
  [`PATCH /projects/${id}`, { name: 'P' }, 'projectUpdate', { id, input: { name: 'P' } }],
  [`POST /projects/${id}/archive`, undefined, 'projectArchive', { id }],
  [
    'POST /cycles',
    { teamId: team, name: 'C', ...dates },
    'cycleCreate',
    { input: { teamId: team, name: 'C', ...dates } },
  ],
  [`PATCH /cycles/${id}`, { name: 'C' }, 'cycleUpdate', { id, input: { name: 'C' } }],
  [
    'POST /labels',
    { name: 'L', color: '#ff0000', teamId: team },
    'issueLabelCreate',
    { input: { name: 'L', color: '#ff0000', teamId: team } },
  ],
  [`PATCH /labels/${id}`, { name: 'L' }, 'issueLabelUpdate', { id, input: { name: 'L' } }],
  [
    'POST /attachments',
    { issueId: id, title: 'A', url: 'https://files.example/a' },
    'attachmentCreate',
    { input: { issueId: id, title: 'A', url: 'https://files.example/a' } },
  ],
  [
    'POST /documents',
    { title: 'D', content: 'C', projectId: id },
    'documentCreate',
    { input: { title: 'D', content: 'C', projectId: id } },
  ],
  [`PATCH /documents/${id}`, { title: 'D' }, 'documentUpdate', { id, input: { title: 'D' } }],
  [`DELETE /documents/${id}`, undefined, 'documentDelete', { id }],
  [
    'POST /initiatives',
    { name: 'I', description: 'D', targetDate: '2026-12-31' },
    'initiativeCreate',
    { input: { name: 'I', description: 'D', targetDate: '2026-12-31' } },
  ],
  [`PATCH /initiatives/${id}`, { name: 'I' }, 'initiativeUpdate', { id, input: { name: 'I' } }],
  [
    'POST /webhooks',
    { url: 'https://kit.example/hook', resourceTypes: ['Issue'], allPublicTeams: true },
    'webhookCreate',
    { input: { url: 'https://kit.example/hook', resourceTypes: ['Issue'], allPublicTeams: true } },
  ],
  [`DELETE /webhooks/${id}`, undefined, 'webhookDelete', { id }],
];

const tools: readonly (readonly [
  tool: string,
  input: Readonly<Record<string, unknown>>,
  root: string,
  given: unknown,
])[] = [
  ['tracker_viewer', {}, 'viewer', {}],
  ['tracker_teams_list', {}, 'teams', {}],
  ['tracker_team_get', { id: team }, 'team', { id: team }],
  ['tracker_issues_list', { first: 3 }, 'issues', { first: 3 }],
  ['tracker_issue_get', { id }, 'issue', { id }],
  ['tracker_issue_create', issueInput, 'issueCreate', { input: { title: 'Fix login', teamId: team } }],
  ['tracker_issue_update', { id, title: 'New' }, 'issueUpdate', { id, input: { title: 'New' } }],
  ['tracker_issue_archive', { id }, 'issueArchive', { id }],
  [
    'tracker_comment_create',
    { issueId: id, body: 'Hello' },
    'commentCreate',
    { input: { issueId: id, body: 'Hello' } },
  ],
  ['tracker_projects_list', {}, 'projects', {}],
  ['tracker_project_get', { id }, 'project', { id }],
  [
    'tracker_project_create',
    { name: 'P', teamIds: [team] },
    'projectCreate',
    { input: { name: 'P', teamIds: [team] } },
  ],
  ['tracker_project_update', { id, name: 'P' }, 'projectUpdate', { id, input: { name: 'P' } }],
  ['tracker_cycles_list', {}, 'cycles', {}],
  ['tracker_cycle_create', { teamId: team, name: 'C', ...dates }, 'cycleCreate', { input: { teamId: team } }],
  ['tracker_initiatives_list', {}, 'initiatives', {}],
  ['tracker_initiative_get', { id }, 'initiative', { id }],
  ['tracker_labels_list', {}, 'issueLabels', {}],
  ['tracker_label_create', { name: 'L', teamId: team }, 'issueLabelCreate', { input: { name: 'L', teamId: team } }],
  ['tracker_documents_list', {}, 'documents', {}],
  ['tracker_document_create', { title: 'D', content: 'C', projectId: id }, 'documentCreate', { input: { title: 'D' } }],
  ['tracker_document_update', { id, title: 'D' }, 'documentUpdate', { id, input: { title: 'D' } }],
  ['tracker_workflow_states_list', {}, 'workflowStates', {}],
  ['tracker_users_list', {}, 'users', {}],
];

const needs = ['login', 'rest', 'service:tracker'] as const;

/** Clauses on the operations of the tracker. */
export const tracker: readonly Clause[] = [
  ...rows.map(([call, body, root, given]) =>
    contract(
      `TRACK-003/${root}`,
      `${call} is sent as a document with ${root}`,
      async (kit) => {
        const [method = '', path = ''] = call.split(' ');
        const { value, received } = await kit.arriving('tracker', () => kit.api(method, `/api/tracker${path}`, body));
        const { text } = asked(received, root, given);
        if (method !== 'GET') matches(text, /\bsuccess\b/, 'the document');
        status(value, 200);
      },
      needs,
    ),
  ),
  contract(
    'TRACK-003/refused',
    'a mutation that answers success: false has failed',
    async (kit) => {
      const body = { data: { issueArchive: { success: false, entity: null } } };
      kit.emulator('tracker').script(({ text }) => text.includes('issueArchive'), { body });
      const answer = await kit.api('POST', `/api/tracker/issues/${id}/archive`);
      holds(answer.status >= 400, 'a failure', `${answer.status} ${answer.text}`);
    },
    needs,
  ),
  contract(
    'TRACK-004/back',
    'a list is paged backwards by last and before',
    async (kit) => {
      const { received } = await kit.arriving('tracker', () =>
        kit.api('GET', '/api/tracker/teams?last=2&before=the-cursor'),
      );
      asked(received, 'teams', { last: 2, before: 'the-cursor' });
    },
    needs,
  ),
  portolan(
    'TRACK-005/reason',
    'the errors of the tracker say why a call has failed',
    async (kit) => {
      const errors = [{ message: 'Entity not found', extensions: { code: 'INPUT_ERROR' } }];
      kit.emulator('tracker').script(({ text }) => text.includes('issue('), { body: { errors, data: null } });
      const answer = await kit.api('GET', `/api/tracker/issues/${id}`);
      equal(member(answer.json, 'reason'), 'not_found', 'reason');
    },
    needs,
  ),
  ...tools.map(([tool, input, root, given]) =>
    portolan(
      `TRACK-003/tool.${tool}`,
      `the tool ${tool} is sent as a document with ${root}`,
      async (kit) => {
        const mcp = await kit.mcp();
        const { value, received } = await kit.arriving('tracker', () => mcp.call(tool, input));
        asked(received, root, given);
        holds(!value.isError, `${tool} to succeed`, value.text);
      },
      ['login', 'service:tracker'],
    ),
  ),
  contract(
    'TRACK-001/oauth',
    'an OAuth token travels as Authorization: Bearer',
    async (kit) => {
      await connectByOAuth(kit, 'tracker');
      const { accessToken } = kit.emulators.cloud.tracker.oauth;
      const { received } = await kit.arriving('tracker', () => kit.api('GET', '/api/tracker/viewer'));
      equal(asked(received, 'viewer', {}).headers['authorization'], `Bearer ${accessToken}`, 'authorization');
    },
    needs,
  ),
  contract(
    'TRACK-001/key',
    'a personal key travels as Authorization without a prefix',
    async (kit) => {
      const { key } = kit.emulators.cloud.tracker;
      const { received } = await withKey(kit, 'tracker', () =>
        kit.arriving('tracker', () => kit.api('GET', '/api/tracker/viewer')),
      );
      equal(asked(received, 'viewer', {}).headers['authorization'], key, 'authorization');
    },
    needs,
  ),
  contract(
    'TRACK-002',
    'an operation is one GraphQL document, posted to /graphql',
    async (kit) => {
      const { received } = await kit.arriving('tracker', () => kit.api('GET', '/api/tracker/teams'));
      equal(
        received.map(({ method, path }) => `${method} ${path}`),
        ['POST /graphql'],
        'the requests',
      );
    },
    needs,
  ),
  contract(
    'TRACK-004',
    'a list is paged by first and after, and by pageInfo; includeArchived includes archived ones',
    async (kit) => {
      const page = { nodes: [{ id }], pageInfo: { hasNextPage: true, endCursor: 'the-cursor' } };
      kit.emulator('tracker').script(({ text }) => text.includes('projects'), { body: { data: { projects: page } } });
      const answer = await kit.api('GET', '/api/tracker/projects?first=1&includeArchived=true');
      equal(member(answer.json, 'pagination'), { next: 'the-cursor', hasMore: true }, 'pagination');
      const path = '/api/tracker/projects?first=1&after=the-cursor&includeArchived=true';
      const { received } = await kit.arriving('tracker', () => kit.api('GET', path));
      asked(received, 'projects', { first: 1, after: 'the-cursor', includeArchived: true });
    },
    needs,
  ),
  contract(
    'TRACK-005/alone',
    'HTTP 200 with errors alone is a failure',
    async (kit) => {
      const errors = [{ message: 'Entity not found', extensions: { code: 'INPUT_ERROR' } }];
      kit.emulator('tracker').script(({ text }) => text.includes('issue('), { body: { errors, data: null } });
      const answer = await kit.api('GET', `/api/tracker/issues/${id}`);
      holds(answer.status >= 400, 'a failure', `${answer.status} ${answer.text}`);
    },
    needs,
  ),
  contract(
    'TRACK-005/partial',
    'HTTP 200 with data and errors is a success with warnings',
    async (kit) => {
      const body = {
        data: { teams: { nodes: [{ id: team, name: 'T' }], pageInfo: { hasNextPage: false } } },
        errors: [{ message: 'One is missing' }],
      };
      kit.emulator('tracker').script(({ text }) => text.includes('teams'), { body });
      const answer = await kit.api('GET', '/api/tracker/teams');
      status(answer, 200);
      holds(listAt(answer.json, 'warnings').length > 0, 'warnings', answer.json);
    },
    needs,
  ),
  portolan(
    'OP-005/recipe',
    'a tool of several requests sends one of them with a token that ended, and the others with the new one',
    async (kit) => {
      const { oauth } = kit.emulators.cloud.tracker;
      const mcp = await kit.mcp();
      const old = `Bearer ${oauth.accessToken}`;
      oauth.expire();
      // The name of the label is none that was looked up before.
      const input = { ...issueInput, labelIds: [`Kit ${old.length}-${Date.now()}`] };
      const { received } = await kit.arriving('tracker', () => mcp.call('tracker_issue_create', input));
      const withOld = received.filter(({ headers }) => headers['authorization'] === old);
      equal(withOld.length, 1, 'the number of requests with the token that ended');
    },
    ['login', 'service:tracker'],
  ),
  portolan(
    'TRACK-006',
    'the tools take the interface’s own input names',
    async (kit) => {
      const mcp = await kit.mcp();
      const { received } = await kit.arriving('tracker', () => mcp.call('tracker_issue_create', issueInput));
      asked(received, 'issueCreate', { input: { ...issueInput } });
    },
    ['login', 'service:tracker'],
  ),
];
