import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveResults } from '#adapters/services/credentials/live-checks.ts';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { credentials, type JiraEmulator, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { trackerProvider } from '#test/support/services/providers.ts';
import { trackerOAuth, trackerWebhooks } from '#test/support/services/vendors.ts';

const http = new HttpClient(() => 0);
const secret = 'a secret of the webhooks';
let emulator: JiraEmulator;

beforeEach(async () => {
  emulator = await startJiraEmulator();
});
afterEach(() => emulator.close());

/** The operations of one user, who is connected by OAuth; renewals go to the emulator. */
function connected(
  extra: TokenRecord['extra'] = { cloud_id: credentials.cloudId, site_url: `https://${credentials.site}` },
) {
  const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
  const { access_token: accessToken, refresh_token: refreshToken } = emulator.grant();
  let record = tokenRecord('tracker', { authMethod: 'oauth', accessToken, refreshToken, extra });
  const facts = trackerOAuth('jira', { tokenUrl: emulator.tokenUrl, authorizeUrl: emulator.authorizeUrl });
  const app = { clientId: credentials.clientId, clientSecret: credentials.clientSecret, scopes: null };
  const grants = new HttpProviderGrants(new Map([['tracker', { name: 'Tracker', facts, app }]]), http, {
    now: Date.now,
  });
  const tokens = {
    find: async () => ok(record),
    renew: async () => {
      const renewed = await grants.renew(record);
      if (renewed.ok) record = renewed.value;
      return renewed.ok ? ok(record) : err(failed('unauthorized', renewed.failure.message));
    },
  };
  const caller = operationsOver({ providers: [provider], tokens, http });
  const call = (name: string, input: Readonly<Record<string, unknown>> = {}) =>
    caller.call({ userId: 1, service: 'tracker', name, input });
  return { caller, call, grants, current: () => record };
}

function dataOf(outcome: Outcome): unknown {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message} ${JSON.stringify(outcome.details)}`);
  return outcome.data;
}

const keysOf = (outcome: Outcome) =>
  JSON.stringify(dataOf(outcome))
    .match(/"identifier":"\w+-\d+"/g)
    ?.map((text) => text.slice(14, -1)) ?? [];

describe('a filter of issues', () => {
  it.each([
    [{ state: { type: { eq: 'started' } } }, ['ENG-2']],
    [{ state: { name: { eqIgnoreCase: 'to do' } } }, ['OPS-1']],
    [{ assignee: { null: true } }, ['OPS-1']],
    [{ assignee: { isMe: { eq: true } } }, ['ENG-2']],
    [{ assignee: { email: { eqIgnoreCase: 'bob@example.com' } } }, []],
    [{ labels: { some: { name: { eqIgnoreCase: 'bug' } } } }, ['ENG-2']],
    [{ team: { or: [{ key: { eqIgnoreCase: 'eng' } }, { name: { eqIgnoreCase: 'eng' } }] } }, ['ENG-2']],
    [{ project: { name: { eqIgnoreCase: 'website' } } }, ['ENG-2']],
    [{ cycle: { isActive: { eq: true } } }, ['ENG-2']],
    [{ priority: { lte: 2 } }, ['ENG-2']],
    [{ estimate: { gte: 3 } }, ['ENG-2']],
    [{ title: { containsIgnoreCase: 'CERT' } }, ['OPS-1']],
    [{ searchableContent: { contains: 'steps to' } }, ['ENG-2']],
    [{ createdAt: { gte: '-P1D' } }, ['OPS-1', 'ENG-2']],
    [{ createdAt: { gte: 'P1D' } }, []],
    [{ dueDate: { null: true } }, ['OPS-1', 'ENG-2']],
    [{ identifier: { in: ['ENG-2', 'OPS-1'] } }, ['OPS-1', 'ENG-2']],
    [{ or: [{ priority: { eq: 2 } }, { team: { key: { eq: 'OPS' } } }] }, ['OPS-1', 'ENG-2']],
    [{ and: [{ priority: { eq: 2 } }, { team: { key: { eq: 'OPS' } } }] }, []],
  ])('is a query of Jira: %j (JIRA-004)', async (filter, keys) => {
    const { call } = connected();
    expect(keysOf(await call('issues.list', { filter }))).toEqual(keys);
  });

  it.each([
    [{ subscribers: { some: { isMe: { eq: true } } } }, 'filter.subscribers'],
    [{ or: [{ priority: { eq: 1 } }, { title: { endsWith: 'x' } }] }, 'filter.or[1].title.endsWith'],
    [{ state: { color: { eq: 'x' } } }, 'filter.state.color'],
    [{ dueDate: { lt: 'next week' } }, 'filter.dueDate.lt'],
  ])('is refused by its place where Jira has nothing like it: %j (JIRA-004)', async (filter, place) => {
    const { call } = connected();
    const outcome = await call('issues.list', { filter });
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      message: expect.stringContaining(`\`${place}\``),
    });
    expect(emulator.requests.some(({ path }) => path.endsWith('/search/jql'))).toBe(false);
  });
});

describe('a change of an issue', () => {
  it('moves it by a transition of its workflow, and names the states in reach otherwise (JIRA-005)', async () => {
    const { call } = connected();
    expect(dataOf(await call('issues.change', { issue: 'ENG-2', state: '4' }))).toMatchObject({
      state: { name: 'Done' },
    });
    const refused = await call('issues.change', { issue: 'ENG-2', state: 'In Progress', title: 'New' });
    expect(refused).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      message: expect.stringContaining('It leads to "To Do".'),
    });
    expect(emulator.site.find('ENG-2')?.fields['summary']).toBe('Fix login');
    expect(dataOf(await call('issues.change', { issue: 'ENG-2', state: 'Done' }))).toMatchObject({
      state: { name: 'Done' },
    });
  });

  it('is saved where its transition is refused, which a warning says; a transition alone is refused (JIRA-005)', async () => {
    const { call } = connected();
    const refusal = { status: 400, body: { errorMessages: ['Resolution is required.'] }, on: '/transitions' };
    const refuseMove = () => {
      emulator.failNext({
        status: 200,
        body: { transitions: [{ id: '31', to: { id: '4', name: 'Done' } }] },
        on: '/transitions',
      });
      emulator.failNext(refusal);
    };
    refuseMove();
    expect(await call('issues.update', { id: 'ENG-2', stateId: '4', title: 'New' })).toMatchObject({
      ok: true,
      data: { title: 'New', state: { name: 'In Progress' } },
      warnings: [expect.stringContaining('not moved to its state. The tracker refused: Resolution is required.')],
    });
    refuseMove();
    expect(await call('issues.update', { id: 'ENG-2', stateId: '4' })).toMatchObject({
      ok: false,
      reason: 'invalid_input',
    });
  });

  it('changes labels, assignee and parent, and clears them (JIRA-002)', async () => {
    const { call } = connected();
    const changed = { issue: 'ENG-2', addedLabels: ['ui'], assignee: null, project: null, estimate: null, cycle: null };
    expect(dataOf(await call('issues.change', changed))).toMatchObject({
      assignee: null,
      project: null,
      estimate: null,
      labels: [{ name: 'Bug' }, { name: 'ui' }],
    });
    expect(
      dataOf(await call('issues.change', { issue: 'ENG-2', removedLabels: ['Bug'], assignee: 'bob@example.com' })),
    ).toMatchObject({ assignee: { name: 'Bob Smith' }, labels: [{ name: 'ui' }] });
  });

  it('is refused where Jira has no equivalent of an input (JIRA-003)', async () => {
    const { call } = connected();
    expect(await call('issues.change', { issue: 'ENG-2', team: 'OPS' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Leave `team` out'),
    });
    expect(await call('comments.create', { issueId: 'ENG-2', body: 'x', parentId: '9001' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('`parentId` has no equivalent at Jira'),
    });
    expect(await call('issues.create', { teamId: 'ENG', title: 'x', templateId: 'y' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('`templateId`'),
    });
  });

  it('keeps comments and links by their ids (JIRA-002)', async () => {
    const { call } = connected();
    expect(dataOf(await call('comments.update', { id: '9001', body: '_New_' }))).toMatchObject({
      id: '9001',
      body: '_New_',
    });
    expect(dataOf(await call('comments.delete', { id: '9001' }))).toEqual({ entityId: '9001' });
    expect(await call('comments.delete', { id: '9001' })).toMatchObject({ ok: false, reason: 'not_found' });
    const link = { issueId: 'ENG-2', title: 'Draft', url: 'https://example.com/draft' };
    const first = dataOf(await call('attachments.create', link));
    expect(dataOf(await call('attachments.create', { ...link, title: 'Final' }))).toEqual({
      ...Object(first),
      title: 'Final',
    });
    expect(dataOf(await call('issues.get', { id: 'ENG-2' }))).toMatchObject({ attachments: [{ title: 'Final' }] });
    expect(dataOf(await call('issues.delete', { id: 'ENG-2' }))).toMatchObject({ identifier: 'ENG-2' });
  });

  it('links two issues by the usual types of links (TRACK-012)', async () => {
    const { call } = connected();
    const pair = { issueId: 'ENG-1', relatedIssueId: 'ENG-2' };
    expect(dataOf(await call('issue_relations.create', { ...pair, type: 'blocked_by' }))).toEqual({
      type: 'blocks',
      issue: { identifier: 'ENG-2' },
      relatedIssue: { identifier: 'ENG-1' },
    });
    await call('issue_relations.create', { ...pair, type: 'duplicate' });
    await call('issue_relations.create', { ...pair, type: 'related' });
    expect(emulator.site.relations).toEqual([
      { type: 'Blocks', inward: 'ENG-2', outward: 'ENG-1' },
      { type: 'Duplicate', inward: 'ENG-1', outward: 'ENG-2' },
      { type: 'Relates', inward: 'ENG-1', outward: 'ENG-2' },
    ]);
    const unknown = { ...pair, type: 'related', relatedIssueId: 'ENG-99' };
    expect(await call('issue_relations.create', unknown)).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('reads an issue without the links that a site has switched off, and completes a sprint (JIRA-002)', async () => {
    const { call } = connected();
    emulator.failNext({ status: 403, body: { errorMessages: ['Issue linking is disabled.'] }, on: '/remotelink' });
    const issue = await call('issues.get', { id: 'ENG-2' });
    expect(issue).toMatchObject({ ok: true, data: { attachments: [] }, warnings: [expect.stringContaining('links')] });
    const completed = { id: '2', completedAt: '2026-11-24T09:00:00Z' };
    expect(dataOf(await call('cycles.update', completed))).toMatchObject({ isActive: false, isPast: true });
    const webhook = { url: 'https://portolan.example/hook', resourceTypes: ['Issues'], teamId: 'ENG' };
    expect(await call('webhooks.create', webhook)).toMatchObject({ ok: false, reason: 'invalid_input' });
  });

  it('ends a list where Jira says it is the last page, whatever token comes with it (JIRA-002)', async () => {
    const { call } = connected();
    emulator.failNext({ status: 200, body: { issues: [], isLast: true, nextPageToken: 'again' }, on: '/search/jql' });
    expect(await call('issues.list')).toMatchObject({ ok: true, data: [], pagination: { next: null, hasMore: false } });
  });

  it('leads through pages of issues, and forwards only (JIRA-002)', async () => {
    const { call } = connected();
    const first = await call('issues.list', { first: 1 });
    expect(keysOf(first)).toEqual(['OPS-1']);
    expect(
      keysOf(await call('issues.list', { first: 1, after: first.ok ? (first.pagination?.next ?? '') : '' })),
    ).toEqual(['ENG-2']);
    expect(await call('issues.list', { last: 1 })).toMatchObject({ ok: false, reason: 'invalid_input' });
  });
});

describe('an error of Jira', () => {
  it.each([
    [
      { status: 400, body: { errorMessages: [], errors: { summary: 'Too long' } } },
      'invalid_input',
      '`title`: Too long.',
    ],
    [{ status: 403, body: { errorMessages: ['No permission'] } }, 'forbidden', 'No permission.'],
    [{ status: 404, body: { errorMessages: ['Issue does not exist'] } }, 'not_found', 'Issue does not exist.'],
    [{ status: 410, body: { errorMessages: ['Gone'] } }, 'gone', 'Gone.'],
    [{ status: 401, body: { code: 401, message: 'Unauthorized; scope does not match' } }, 'forbidden', 'lacks a scope'],
  ])('says what was refused, and why: %j (JIRA-006)', async (fault, reason, message) => {
    const { call } = connected();
    emulator.failNext({ ...fault, on: '/field' });
    expect(await call('issues.get', { id: 'ENG-2' })).toMatchObject({
      ok: false,
      reason,
      message: expect.stringContaining(message),
    });
  });

  it('of a limit says when to try again, and reads wait for it (JIRA-006)', async () => {
    const { call } = connected();
    emulator.failNext({ status: 429, headers: { 'retry-after': '1' }, on: '/myself' });
    expect(await call('viewer.get')).toMatchObject({ ok: true });
    const reset = new Date(Date.now() + 90_000).toISOString();
    emulator.failNext({ status: 429, headers: { 'x-ratelimit-reset': reset }, times: 9, on: '/myself' });
    const limited = await call('viewer.get');
    expect(limited).toMatchObject({ ok: false, reason: 'rate_limited' });
    expect(limited.ok ? 0 : limited.retryAfterMs).toBeGreaterThan(60_000);
  });
});

describe('tokens of Atlassian', () => {
  it('are renewed, each time with a new refresh token; one whose answer was lost ends the connection (JIRA-007)', async () => {
    const { call, current, grants } = connected();
    const before = current();
    emulator.expireTokens();
    expect(await call('viewer.get')).toMatchObject({ ok: true });
    expect(current().refreshToken).not.toBe(before.refreshToken);
    expect(await grants.renew(before)).toMatchObject({ ok: false, failure: { reason: 'refused' } });
  });

  it('are a user’s own with an e-mail address, sent to the site (JIRA-008)', async () => {
    const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
    const complete = (accessToken: string, extra: TokenRecord['extra']) =>
      provider.complete?.(tokenRecord('tracker', { authMethod: 'personal_token', accessToken, extra }), http);
    expect(await complete(credentials.apiToken, { site: credentials.site })).toMatchObject({
      ok: true,
      value: { extra: { site_url: 'https://acme.atlassian.net' } },
    });
    expect(await complete('a token', { site: credentials.site })).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('colon') },
    });
    expect(await complete(credentials.apiToken, {})).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('extra.site') },
    });
  });
});

const sites = ['acme', 'other'].map((name, index) => ({
  id: `${index}1223344-a1b2-4b33-8c44-def123456789`,
  url: `https://${name}.atlassian.net`,
  name,
  scopes: [],
}));

/** The settings of a server whose tracker is the emulated Jira. */
const settingsFor = ({ url, authorizeUrl, tokenUrl }: JiraEmulator) => ({
  WEBHOOK_REGISTRATION: 'off',
  TRACKER_DIALECT: 'jira',
  TRACKER_URL: url,
  TRACKER_AUTHORIZE_URL: authorizeUrl,
  TRACKER_TOKEN_URL: tokenUrl,
  TRACKER_CLIENT_ID: credentials.clientId,
  TRACKER_CLIENT_SECRET: credentials.clientSecret,
  TRACKER_WEBHOOK_SECRET: secret,
});

describe('a server with Jira', () => {
  it('connects to the only site, and makes a note of an issue that is delivered (JIRA-008, JIRA-009)', async () => {
    await using server = await openWholeServer(settingsFor(emulator));
    const person = await SignedIn.to(server.origin, ada);
    await person.connect('tracker');
    expect(await person.call('GET', '/api/tracker/issues/ENG-2')).toMatchObject({
      data: { url: 'https://acme.atlassian.net/browse/ENG-2' },
    });
    const url = `${server.origin}/webhooks/tracker`;
    await person.call('POST', '/api/tracker/webhooks', { url, resourceTypes: ['Issues'], secret });
    emulator.site.add('ENG', '10102', { summary: 'Order paper' });
    await emulator.webhooks.settled();
    await expect
      .poll(async () => (await person.fetch('/api/vault/vault/Issues/')).text(), { timeout: 20_000 })
      .toContain('Order paper');
  });

  it('serves it beside another tracker, and each person connects the one they have (JIRA-008, JIRA-009)', async () => {
    const linear = await startTrackerEmulator({ dialect: 'linear' });
    const { WEBHOOK_REGISTRATION, TRACKER_DIALECT: _, ...jiras } = settingsFor(emulator);
    const own = Object.entries(jiras).map(([name, value]) => [name.replace('TRACKER_', 'TRACKER_JIRA_'), value]);
    const both = {
      WEBHOOK_REGISTRATION,
      ...Object.fromEntries(own),
      TRACKER_DIALECT: 'linear,jira',
      TRACKER_URL: linear.url,
    };
    await using server = await openWholeServer({ ...both, TRACKER_WEBHOOK_SECRET: 'the secret of the other' });
    const person = await SignedIn.to(server.origin, ada);
    const given = { service: 'tracker', auth_method: 'personal_token', access_token: linear.credentials.apiKey };
    await person.call('POST', '/save', { ...given, extra: { vendor: 'linear' } });
    expect(await person.call('GET', '/api/tracker/issues/ENG-1')).toMatchObject({ data: { title: 'Fix login' } });
    const other = { ...given, access_token: credentials.apiToken, extra: { vendor: 'jira', site: credentials.site } };
    await person.call('POST', '/save', other);
    expect(await person.call('GET', '/api/tracker/issues/ENG-1')).toMatchObject({ data: { title: 'Website' } });
    await expect(person.call('GET', '/api/tracker/documents')).rejects.toThrow('The Tracker (Jira)');
    await linear.close();
  });

  it('has a field for the site, and takes an API token with it (CONN-028, JIRA-008)', async () => {
    await using server = await openWholeServer(settingsFor(emulator));
    const person = await SignedIn.to(server.origin, ada);
    const page = await (await person.fetch('/page')).text();
    expect(page.match(/name="site"/g)).toHaveLength(2);
    const given = { service: 'tracker', auth_method: 'personal_token', access_token: credentials.apiToken };
    const save = (site: string) => person.call('POST', '/save', { ...given, extra: { site } });
    await expect(save('evil.example')).rejects.toThrow('must be a site');
    expect(await save('https://Acme.atlassian.net/')).toMatchObject({ state: 'connected' });
    expect(await person.call('GET', '/api/tracker/viewer')).toMatchObject({ data: { name: 'Ann Smith' } });
  });

  it('asks which site is meant where the tokens reach several (JIRA-008)', async () => {
    const several = await startJiraEmulator({ resources: sites });
    await using server = await openWholeServer(settingsFor(several));
    const person = await SignedIn.to(server.origin, ada);
    await expect(person.connect('tracker')).rejects.toThrow('was answered');
    expect(server.lines.map((line) => JSON.stringify(line)).join()).toContain(
      'acme.atlassian.net, other.atlassian.net',
    );
    await several.close();
  });
});

it('asks once what a site is set up with (JIRA-012)', async () => {
  const { call } = connected();
  for (const id of ['ENG-2', 'OPS-1']) await call('issues.get', { id });
  await call('issues.list');
  const paths = emulator.requests.map(({ path }) => path.replace(/^.*\/rest\/api\/3/, ''));
  expect(paths.filter((path) => path === '/field' || path === '/issuetype')).toEqual(['/field', '/issuetype']);
});

it('finds out about Jira what its documents leave open, by reading (JIRA-011)', async () => {
  const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
  const { access_token: accessToken } = emulator.grant();
  const extra = { cloud_id: credentials.cloudId };
  const results = await liveResults(
    provider,
    tokenRecord('tracker', { authMethod: 'oauth', accessToken, extra }),
    http,
  );
  expect(results.map(({ answer }) => answer)).toEqual([
    'none (it answered 200)',
    'yes (it answered 200)',
    'yes (it answered 200)',
  ]);
  expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

describe('the webhooks of Jira', () => {
  const url = 'https://portolan.example/webhooks/tracker';
  const desired = {
    service: 'tracker',
    name: 'issues',
    userId: 1,
    url,
    events: ['Issues'],
    secretFingerprint: null,
    account: null,
  } as const;
  const dayMs = 86_400_000;

  it('are registered for all projects, renewed before they end, replaced where a project is missing, and removed (JIRA-010)', async () => {
    const { caller } = connected();
    const webhooks = trackerWebhooks({ caller, dialect: 'jira', secrets: [secret], secretId: 'x' });
    const made = await webhooks.create(desired, null);
    expect(made).toMatchObject({ ok: true });
    const first = emulator.webhooks.all[0];
    expect(first).toMatchObject({
      jqlFilter: 'project IN ("ENG", "OPS")',
      url: expect.stringMatching(/\?proof=[0-9a-f]{64}$/),
    });
    expect(first?.url).not.toContain(secret);
    const remoteId = made.ok ? made.value.remoteId : '';
    expect(await webhooks.list(1)).toMatchObject({
      ok: true,
      value: [{ remoteId, url, events: ['Issues'], isEnabled: true }],
    });
    emulator.webhooks.aheadMs = 21 * dayMs;
    expect(await webhooks.renew(desired, remoteId)).toMatchObject({ ok: true, value: { remoteId } });
    expect(emulator.webhooks.all[0]?.expirationDate).toBeGreaterThan(Date.now() + 50 * dayMs);
    if (first !== undefined) first.jqlFilter = 'project IN ("ENG")';
    expect(await webhooks.list(1)).toMatchObject({ ok: true, value: [{ events: [] }] });
    const replaced = await webhooks.renew(desired, remoteId);
    expect(emulator.webhooks.all).toHaveLength(1);
    expect(replaced.ok && replaced.value.remoteId).toBe(String(emulator.webhooks.all[0]?.id));
    expect(await webhooks.remove(1, replaced.ok ? replaced.value.remoteId : '')).toMatchObject({ ok: true });
    expect(emulator.webhooks.all).toEqual([]);
  });

  it('get another address with another secret: Jira takes one address per app (JIRA-010)', async () => {
    const { caller } = connected();
    await trackerWebhooks({ caller, dialect: 'jira', secrets: ['a former one'], secretId: 'x' }).create(desired, null);
    const webhooks = trackerWebhooks({ caller, dialect: 'jira', secrets: [secret], secretId: 'y' });
    const former = emulator.webhooks.all[0]?.url;
    expect(await webhooks.renew(desired, 'the former')).toMatchObject({ ok: true });
    expect(await webhooks.list(1)).toMatchObject({ ok: true, value: [{ url }] });
    expect(emulator.webhooks.all).toHaveLength(1);
    expect(emulator.webhooks.all[0]?.url).not.toBe(former);
  });

  it('need an app: a user’s own token cannot register any (JIRA-010)', async () => {
    const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
    const record = tokenRecord('tracker', {
      authMethod: 'personal_token',
      accessToken: credentials.apiToken,
      extra: { site: credentials.site },
    });
    const caller = operationsOver({
      providers: [provider],
      tokens: { find: async () => ok(record), renew: async () => ok(record) },
      http,
    });
    const webhooks = trackerWebhooks({ caller, dialect: 'jira', secrets: [secret], secretId: 'x' });
    expect(await webhooks.create(desired, null)).toMatchObject({
      ok: false,
      failure: { failure: { reason: 'forbidden' } },
    });
  });
});
