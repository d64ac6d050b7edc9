import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Operation, RequestRow } from '#adapters/services/requests/operation-table.ts';
import { complexityOf } from '#adapters/services/tracker/neutral/complexity.ts';
import { operations } from '#adapters/services/tracker/operations.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceOperationsContract } from '#test/contract/service-operations.contract.ts';
import { type Field, parseDocument } from '#test/emulators/tracker/parse.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { trackerProvider } from '#test/support/services/providers.ts';
import { sentRequest } from '#test/support/services/sent-request.ts';
import { trackerDialect } from '#test/support/services/vendors.ts';

// Copied by hand from the description of the interface (TRACK-003).
const plannedQueries = [
  'viewer',
  'teams',
  'team',
  'issues',
  'issue',
  'projects',
  'project',
  'cycles',
  'initiatives',
  'initiative',
  'workflowStates',
  'issueLabels',
  'users',
  'user',
  'documents',
];

// Each mutation with the inputs that the interface names, and what its payload has in addition to `success` (TRACK-003).
const plannedMutations: Readonly<Record<string, readonly [inputs: readonly string[], affected: string]>> = {
  issueCreate: [
    ['title', 'description', 'teamId', 'assigneeId', 'priority', 'stateId', 'labelIds', 'projectId', 'cycleId'],
    'issue',
  ],
  issueUpdate: [['id', 'title', 'stateId'], 'issue'],
  issueArchive: [['id'], 'entity'],
  issueUnarchive: [['id'], 'entity'],
  issueDelete: [['id'], 'entity'],
  commentCreate: [['issueId', 'body'], 'comment'],
  commentUpdate: [['id', 'body'], 'comment'],
  commentDelete: [['id'], 'entityId'],
  projectCreate: [['name', 'description', 'teamIds', 'startDate', 'targetDate'], 'project'],
  projectUpdate: [['id', 'name'], 'project'],
  projectArchive: [['id'], 'entity'],
  cycleCreate: [['teamId', 'name', 'startsAt', 'endsAt'], 'cycle'],
  cycleUpdate: [['id', 'name'], 'cycle'],
  issueLabelCreate: [['name', 'color', 'teamId'], 'issueLabel'],
  issueLabelUpdate: [['id', 'name'], 'issueLabel'],
  attachmentCreate: [['issueId', 'title', 'url'], 'attachment'],
  documentCreate: [['title', 'content', 'projectId'], 'document'],
  documentUpdate: [['id', 'content'], 'document'],
  documentDelete: [['id'], 'entity'],
  initiativeCreate: [['name', 'description', 'targetDate'], 'initiative'],
  initiativeUpdate: [['id', 'name'], 'initiative'],
  webhookCreate: [['url', 'resourceTypes', 'allPublicTeams'], 'webhook'],
  webhookDelete: [['id'], 'entityId'],
};

// The planned tools, copied by hand (TOOL-001).
const plannedTools = [
  'tracker_viewer',
  'tracker_teams_list',
  'tracker_team_get',
  'tracker_issues_list',
  'tracker_issue_get',
  'tracker_issue_create',
  'tracker_issue_update',
  'tracker_issue_archive',
  'tracker_comments_list',
  'tracker_comment_create',
  'tracker_projects_list',
  'tracker_project_get',
  'tracker_project_create',
  'tracker_project_update',
  'tracker_cycles_list',
  'tracker_cycle_get',
  'tracker_cycle_create',
  'tracker_initiatives_list',
  'tracker_initiative_get',
  'tracker_labels_list',
  'tracker_label_create',
  'tracker_documents_list',
  'tracker_document_create',
  'tracker_document_update',
  'tracker_workflow_states_list',
  'tracker_users_list',
];

// Tools beyond the planned ones, by hand (TOOL-011).
const moreTools = ['tracker_issue_link', 'tracker_attachment_create'];

const restRoutes = [
  'GET /viewer',
  'GET /teams',
  'GET /teams/{id}',
  'GET /issues',
  'GET /issues/{id}',
  'POST /issues',
  'PATCH /issues/{id}',
  'DELETE /issues/{id}',
  'POST /issues/{id}/archive',
  'POST /issues/{id}/unarchive',
  'GET /issues/{issueId}/comments',
  'POST /comments',
  'PATCH /comments/{id}',
  'DELETE /comments/{id}',
  'GET /projects',
  'GET /projects/{id}',
  'POST /projects',
  'PATCH /projects/{id}',
  'POST /projects/{id}/archive',
  'GET /cycles',
  'GET /cycles/{id}',
  'POST /cycles',
  'PATCH /cycles/{id}',
  'GET /initiatives',
  'GET /initiatives/{id}',
  'POST /initiatives',
  'PATCH /initiatives/{id}',
  'GET /workflow-states',
  'GET /labels',
  'POST /labels',
  'PATCH /labels/{id}',
  'GET /users',
  'GET /users/{id}',
  'GET /documents',
  'POST /documents',
  'PATCH /documents/{id}',
  'DELETE /documents/{id}',
  'GET /comments/{id}',
  'GET /documents/{id}',
  'POST /projects/{id}/unarchive',
  'POST /issues/{issueId}/relations',
  'POST /attachments',
  'POST /webhooks',
  'DELETE /webhooks/{id}',
];

const table: Readonly<Record<string, Operation>> = operations;
const neutral = trackerProvider({
  dialect: 'neutral',
  url: 'https://tracker.test',
  authorizeUrl: 'https://tracker.test/oauth/authorize',
  tokenUrl: 'https://tracker.test/oauth/token',
});
const own = trackerProvider({ dialect: 'linear', url: null, authorizeUrl: null, tokenUrl: null });
const catalog = catalogOf([neutral]);

const record: TokenRecord = tokenRecord('tracker');

const rows = Object.entries(table).flatMap(([name, row]) => (row.kind === 'request' ? [{ name, row }] : []));
const documentOf = (row: RequestRow) => row.options.graphql?.document ?? '';
const parsedRows = rows.map(({ name, row }) => ({ name, row, document: parseDocument(documentOf(row)) }));

function requestRow(name: string): RequestRow {
  const row = table[name];
  if (row?.kind !== 'request') throw new Error(`${name} is no request`);
  return row;
}

function sent(name: string, input: Readonly<Record<string, unknown>>, provider = neutral, by = record) {
  const { body, ...request } = sentRequest(provider, name, { input, record: by });
  const parsed: { query: string; variables: unknown } = JSON.parse(typeof body === 'string' ? body : '');
  return { ...request, ...parsed };
}

describe('the operations of the tracker', () => {
  serviceOperationsContract('the tracker', {
    catalog,
    rows: [
      ...new Set(parsedRows.flatMap(({ document }) => document.fields.map(({ name }) => `${document.kind} ${name}`))),
    ],
    plannedRows: [
      ...plannedQueries.map((name) => `query ${name}`),
      ...Object.keys(plannedMutations).map((name) => `mutation ${name}`),
      // Not in the interface: only the vendor dialect lists webhooks.
      'query webhooks',
      // Not in the interface: trackers that lack it refuse it.
      'mutation issueRelationCreate',
      // Not in the interface: what is read before a change, and what takes the archiving of a project back.
      'query comment',
      'query document',
      'mutation projectUnarchive',
    ],
    plannedRoutes: restRoutes,
    plannedTools,
    moreTools,
    withoutOutput: [],
    destroying: ['tracker_document_update', 'tracker_issue_archive', 'tracker_issue_update', 'tracker_project_update'],
    maxTitleLength: 40,
  });

  it('are fifteen queries and twenty-three mutations; only the vendor dialect lists webhooks (TRACK-003)', () => {
    expect(neutral.operations['webhooks.list']).toMatchObject({ kind: 'recipe', lacks: '' });
    expect(plannedQueries).toHaveLength(15);
    expect(Object.keys(plannedMutations)).toHaveLength(23);
  });

  it.each(Object.entries(plannedMutations))(
    'accept the inputs, and answer success and the affected object: %s (TRACK-003)',
    (root, facts) => {
      const [inputs, affected] = facts;
      const found = parsedRows.find(({ document }) => document.fields[0]?.name === root);
      expect(Object.keys(found?.row.input.shape ?? {})).toEqual(expect.arrayContaining([...inputs]));
      expect(found?.document.fields[0]?.fields.map(({ name }) => name)).toEqual(['success', affected]);
    },
  );

  it.each(parsedRows)('require an input exactly where its variable is required: $name', ({ row, document }) => {
    for (const { name, type } of document.variables) {
      const isRequired = !row.input.shape[name]?.safeParse(undefined).success;
      // A comment has an issue, although the provider's schema leaves its parent open.
      const isOurs = ['issueId', 'body'].includes(name) && document.fields[0]?.name === 'commentCreate';
      expect({ name, isRequired }).toEqual({ name, isRequired: isOurs || type.endsWith('!') });
    }
  });

  it('send every input as a variable, except those that are not sent', () => {
    for (const { row, document } of parsedRows) {
      const inputs = Object.keys(row.input.shape).filter((name) => name !== 'fields');
      expect(inputs.sort()).toEqual(document.variables.map(({ name }) => name).sort());
    }
  });

  it('ask every connection for a page size, and whether there are more (TRACK-004)', () => {
    const connections = (field: Field): readonly Field[] => [
      ...(field.fields.some(({ name }) => name === 'nodes') ? [field] : []),
      ...field.fields.flatMap(connections),
    ];
    const all = parsedRows.flatMap(({ document }) => document.fields.flatMap(connections));
    expect(all.length).toBeGreaterThan(30);
    for (const field of all) {
      expect(Object.keys(field.args)).toContain('first');
      expect(field.fields.map(({ name }) => name).sort()).toEqual(['nodes', 'pageInfo']);
    }
  });

  it('stay far below the 10,000 points of one query with the largest page', () => {
    const costs = rows.map(({ row }) => complexityOf(documentOf(row), 100));
    expect(Math.max(...costs)).toBeLessThan(3_000);
  });
});

describe('the tools of the tracker', () => {
  it('declare the schema of their answers, as the routes do', () => {
    const ownCatalog = catalogOf([own]);
    const without = [...catalog.operations, ...ownCatalog.operations].filter(({ output }) => output === null);
    // Names are looked up by other operations, and have neither tool nor route.
    expect([...new Set(without.map(({ name }) => name))]).toEqual(['names.find']);
  });

  it.each([...plannedTools, ...moreTools])(
    'have a short title, and describe more in at most 300 characters: %s',
    (tool) => {
      const { title = '', summary = '' } = catalog.operations.find((candidate) => candidate.tool === tool) ?? {};
      expect(title.length).toBeLessThanOrEqual(40);
      expect(summary.startsWith(title)).toBe(true);
      expect(summary.length).toBeGreaterThan(title.length + 30);
      expect(summary.length).toBeLessThanOrEqual(300);
    },
  );
});

describe('authentication of requests to the tracker', () => {
  it('sends a personal key without a prefix (TRACK-001)', () => {
    expect(sent('viewer.get', {}).headers['authorization']).toBe('the-key');
    const byKey = { ...record, authMethod: 'api_key' } as const;
    expect(sent('viewer.get', {}, neutral, byKey).headers['authorization']).toBe('the-key');
  });

  it('sends an OAuth token as Bearer (TRACK-001)', () => {
    const byOAuth = { ...record, authMethod: 'oauth', accessToken: 'the-token' } as const;
    expect(sent('viewer.get', {}, neutral, byOAuth).headers['authorization']).toBe('Bearer the-token');
  });
});

describe('a request to the tracker', () => {
  it('posts a document to /graphql with its variables (TRACK-002)', () => {
    expect(sent('viewer.get', {})).toEqual({
      method: 'POST',
      url: 'https://tracker.test/graphql',
      headers: { accept: 'application/json', authorization: 'the-key', 'content-type': 'application/json' },
      query: 'query viewer { viewer { id name displayName email active admin guest isMe url createdAt } }',
      variables: {},
    });
  });

  it('always states the page size of a list (TOOL-021)', () => {
    expect(sent('issues.list', {}).variables).toEqual({ first: 20 });
    expect(sent('issues.list', { after: 'c' }).variables).toEqual({ first: 20, after: 'c' });
    expect(sent('issues.list', { before: 'c' }).variables).toEqual({ last: 20, before: 'c' });
    expect(sent('issues.list', { last: 5 }).variables).toEqual({ last: 5 });
    expect(sent('comments.list', { issueId: 'ENG-1' }).variables).toEqual({ issueId: 'ENG-1', first: 20 });
  });

  it('is refused when it pages in both directions', () => {
    const parsed = requestRow('issues.list').input.safeParse({ first: 5, last: 5 });
    expect(parsed.error?.issues[0]?.message).toBe('goes the other way: use first and after, or last and before');
  });

  it('passes a filter through unchanged, and reads one from the text of a query string', () => {
    const filter = { priority: { eq: 1 } };
    expect(sent('issues.list', { filter, includeArchived: true }).variables).toEqual({
      filter,
      includeArchived: true,
      first: 20,
    });
    expect(sent('issues.list', { filter: '{"priority":{"eq":1}}' }).variables).toEqual({ filter, first: 20 });
    expect(requestRow('issues.list').input.safeParse({ filter: 'urgent' }).success).toBe(false);
  });

  it('does not send `fields`', () => {
    expect(sent('issues.list', { fields: ['title'] }).variables).toEqual({ first: 20 });
  });

  it('sends the input of a mutation as single variables; a missing one is left out, and null clears', () => {
    const request = sent('issues.update', { id: 'ENG-1', assigneeId: null, priority: 2 });
    expect(request.variables).toEqual({ id: 'ENG-1', assigneeId: null, priority: 2 });
    expect(request.query).toMatch(/^mutation issueUpdate\(\$id: String!, \$title: String, /);
    expect(request.query).toContain('{ issueUpdate(id: $id, input: {title: $title, description: $description, ');
  });

  it.each([
    ['blocks', { type: 'blocks', issueId: 'ENG-1', relatedIssueId: 'ENG-2' }],
    ['related', { type: 'related', issueId: 'ENG-1', relatedIssueId: 'ENG-2' }],
    ['duplicate', { type: 'duplicate', issueId: 'ENG-1', relatedIssueId: 'ENG-2' }],
    ['blocked_by', { type: 'blocks', issueId: 'ENG-2', relatedIssueId: 'ENG-1' }],
  ])('links two issues as %s (TRACK-012)', (type, variables) => {
    const request = sent('issue_relations.create', { issueId: 'ENG-1', type, relatedIssueId: 'ENG-2' });
    expect(request.variables).toEqual(variables);
    expect(request.query).toContain('issueRelationCreate(input: {issueId: $issueId, type: $type, ');
  });

  it("uses the vendor's address and resource types in its dialect (OP-009)", () => {
    const webhook = {
      url: 'https://here.test/h',
      resourceTypes: ['Issues', 'Customer requests'],
      allPublicTeams: true,
    };
    expect(sent('webhooks.create', webhook).variables).toEqual(webhook);
    const request = sent('webhooks.create', webhook, own);
    expect(request.url).toBe('https://api.linear.app/graphql');
    expect(request.variables).toEqual({ ...webhook, resourceTypes: ['Issue', 'CustomerNeed'] });
    expect(request.headers['authorization']).toBe('the-key');
  });

  it('has no address in the neutral dialect until one is configured, which may end in /graphql', () => {
    expect(trackerDialect('neutral', null).baseUrl(record)).toBeNull();
    expect(trackerDialect('neutral', 'https://tracker.test/graphql').baseUrl(record)).toBe('https://tracker.test');
    expect(trackerDialect('linear', 'http://127.0.0.1:9/').baseUrl(record)).toBe('http://127.0.0.1:9');
  });
});

describe('the limits of the tracker', () => {
  const hourMs = 3_600_000;
  const points = (by: TokenRecord) =>
    neutral.dialect
      .budgets?.(requestRow('viewer.get'), by, {})
      .map((budget) => [budget.name, budget.points, budget.windowMs]);

  it.each([
    ['a personal key', record, 1_500, 250_000],
    ['an OAuth app', { ...record, authMethod: 'oauth' } as const, 500, 200_000],
    ['nobody', { ...record, accessToken: '' }, 60, 10_000],
  ])('allow %s so many requests and complexity points an hour (LIMIT-005)', (_, by, requests, complexity) => {
    expect(points(by)).toEqual([
      ['requests', requests, hourMs],
      ['complexity', complexity, hourMs],
    ]);
  });

  it('charge a request one request and the points of its document', () => {
    const [requests, complexity] = neutral.dialect.budgets?.(requestRow('viewer.get'), record, {}) ?? [];
    expect(requests?.cost).toBe(1);
    // One object and ten plain fields.
    expect(complexity?.cost).toBe(2);
  });

  it('charge a list by its page size', () => {
    const cost = (first: number) =>
      neutral.dialect.budgets?.(requestRow('users.list'), record, { first }).find(({ name }) => name === 'complexity')
        ?.cost;
    // The connection, its page information, and one object with ten plain fields for each user.
    expect(cost(1)).toBe(Math.ceil(1 + 1.4 + 2));
    expect(cost(100)).toBe(Math.ceil(1 + 1.4 + 200));
  });

  it('read what is left from the headers, with the reset in Unix ms (LIMIT-006)', () => {
    const headers = {
      'x-ratelimit-requests-limit': '2500',
      'x-ratelimit-requests-remaining': '12',
      'x-ratelimit-requests-reset': String(Date.now() + 60_000),
      'x-ratelimit-complexity-remaining': '340',
    };
    const left = neutral.dialect.readBudgets?.({ kind: 'answer', status: 200, headers, body: new Uint8Array() });
    expect(left).toMatchObject([
      { name: 'requests', remaining: 12, limit: 2_500 },
      { name: 'complexity', remaining: 340, resetsInMs: null, limit: null },
    ]);
    expect(left?.[0]?.resetsInMs).toBeGreaterThan(0);
    expect(left?.[0]?.resetsInMs).toBeLessThanOrEqual(60_000);
  });

  it('read the remaining complexity from the extensions, with its limit if given', () => {
    const read = (complexity: object) => {
      const body = new TextEncoder().encode(JSON.stringify({ data: {}, extensions: { complexity } }));
      return neutral.dialect.readBudgets?.({ kind: 'answer', status: 200, headers: {}, body });
    };
    const left = { name: 'complexity', remaining: 340, resetsInMs: null };
    expect(read({ remaining: 340, limit: 3_000_000 })).toEqual([{ ...left, limit: 3_000_000 }]);
    expect(read({ remaining: 340 })).toEqual([{ ...left, limit: null }]);
    expect(read({ remaining: 340, limit: 'much' })).toEqual([{ ...left, limit: null }]);
  });
});

describe('OAuth of the tracker', () => {
  const app = { clientId: 'id', clientSecret: 'secret', scopes: 'read write,admin' };
  const question = { app, redirectUri: 'https://here.test/callback', extra: {} };

  it('sends client_id, redirect_uri, response_type and scope in the authorization request (TRACK-007, CONN-004)', () => {
    expect(neutral.oauth?.authorizationParameters(question)).toEqual({
      client_id: 'id',
      redirect_uri: 'https://here.test/callback',
      response_type: 'code',
      scope: 'read,write,admin',
    });
  });

  it('acts as the app only if the connection says so (TRACK-010)', () => {
    const extra = { actor_mode: 'app' };
    expect(neutral.oauth?.authorizationParameters({ ...question, extra })).toMatchObject({ actor: 'app' });
  });

  it('exchanges and refreshes with the fields of the table (TRACK-008)', () => {
    expect(neutral.oauth?.exchangeFields({ ...question, code: 'c', callback: {} })).toEqual({
      grant_type: 'authorization_code',
      client_id: 'id',
      client_secret: 'secret',
      code: 'c',
      redirect_uri: 'https://here.test/callback',
    });
    expect(neutral.oauth?.refreshFields(app, 'r')).toEqual({
      grant_type: 'refresh_token',
      client_id: 'id',
      client_secret: 'secret',
      refresh_token: 'r',
    });
  });

  it('makes the client secret optional with PKCE (TRACK-009)', () => {
    expect(neutral.oauth?.hasPkce).toBe(true);
    expect(neutral.oauth?.refreshFields({ ...app, clientSecret: '' }, 'r')).not.toHaveProperty('client_secret');
  });

  it('reads tokens with their lifetime, and keeps scopes comma separated', () => {
    const body = {
      access_token: 'a',
      refresh_token: 'r',
      expires_in: 86_399,
      scope: 'read write',
      token_type: 'Bearer',
    };
    expect(neutral.oauth?.readTokens(body, null)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      scope: 'read,write',
      expiresInS: 86_399,
      extra: {},
    });
    expect(neutral.oauth?.readTokens({ error: 'invalid_grant' }, null)).toBeNull();
  });

  it('asks for `admin` if webhooks are registered with the tokens, unless the scopes are configured', () => {
    const app = { clientId: 'c', clientSecret: 's', scopes: null };
    const question = { app, redirectUri: 'https://p.example/cb', extra: {} };
    const scopeOf = (more: object) => neutral.oauth?.authorizationParameters({ ...question, ...more })['scope'];
    expect(scopeOf({})).toBe('read,write');
    expect(scopeOf({ registersWebhooks: true })).toBe('read,write,admin');
    expect(scopeOf({ registersWebhooks: true, app: { ...app, scopes: 'read' } })).toBe('read');
  });

  it('stores who acts, even if nobody chose', () => {
    expect(neutral.oauth?.keptExtra?.({}, {})).toEqual({ actor_mode: 'user' });
    expect(neutral.oauth?.keptExtra?.({ actor_mode: 'app' }, {})).toEqual({ actor_mode: 'app' });
  });

  it('treats a grant as lost on invalid_grant, and not during an outage', () => {
    expect(neutral.oauth?.isRefused(400, { error: 'invalid_grant' })).toBe(true);
    expect(neutral.oauth?.isRefused(503, null)).toBe(false);
    expect(neutral.oauth?.isRefused(400, { error: 'invalid_client' })).toBe(false);
  });

  it('renews about every 22 hours (RENEW-001)', () => {
    expect(neutral.oauth?.renewEveryMs).toBe(22 * 3_600_000);
  });

  it('uses the configured addresses, and the vendor’s real ones in its dialect', () => {
    expect(neutral.oauth?.authorizeUrl({})).toBe('https://tracker.test/oauth/authorize');
    expect(own.oauth?.authorizeUrl({})).toBe('https://linear.app/oauth/authorize');
    expect(own.oauth?.tokenUrl({})).toBe('https://api.linear.app/oauth/token');
    const unset = trackerProvider({ dialect: 'neutral', url: null, authorizeUrl: null, tokenUrl: null });
    expect(unset.oauth?.authorizeUrl({})).toBeNull();
  });
});
