import { afterEach, describe, expect, it } from 'vitest';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { operations as salesCrm } from '#adapters/services/sales-crm/operations.ts';
import { operations as tracker } from '#adapters/services/tracker/operations.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { credentials, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { bob } from '#test/emulators/jira/site.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider, trackerProvider } from '#test/support/services/providers.ts';

type Input = Readonly<Record<string, unknown>>;
type Call = (name: string, input?: Input) => Promise<Outcome>;

/** An input that takes a name: one that something of the list has, and one that exists and nothing of it has. */
type Names = Readonly<{ matches: unknown; empty: unknown; besides?: Input }>;

/** What tells a list with one match from one without, by `operation input`. */
type Expectations = Readonly<Record<string, Names>>;

const unknown = 'Zanzibar';
const http = new HttpClient(() => 0);
let close: () => Promise<void> = async () => {};
afterEach(() => close());

/** All inputs of list tools that take names, as the table has them. */
function namedInputs(table: OperationTable): readonly string[] {
  return Object.entries(table)
    .filter(([, { effect, options }]) => effect === 'read' && options.tool?.endsWith('_list') === true)
    .flatMap(([name, { options }]) => Object.keys(options.named ?? {}).map((input) => `${name} ${input}`));
}

const ofTracker: Expectations = {
  'issues.search team': { matches: 'Engineering', empty: 'Design' },
  'issues.search state': { matches: 'In Progress', empty: 'Triage' },
  'issues.search assignee': { matches: 'Ann Smith', empty: 'bob@example.com' },
  'issues.search labels': { matches: ['Bug'], empty: ['Backend'] },
  'issues.search project': { matches: 'Website', empty: 'App' },
  'issues.search cycle': { matches: 'Polish', empty: '3' },
  'labels.search team': { matches: 'ENG', empty: 'Design', besides: { query: 'Backend' } },
  'workflow_states.search team': { matches: 'OPS', empty: 'Design' },
  'projects.search team': { matches: 'ENG', empty: 'OPS' },
  'projects.search lead': { matches: 'ann', empty: 'Bob Smith' },
  'projects.search status': { matches: 'In Progress', empty: 'Completed' },
  'cycles.search team': { matches: 'ENG', empty: 'OPS' },
  'initiatives.search owner': { matches: 'me', empty: 'bob' },
  'documents.search project': { matches: 'Website', empty: 'App' },
  'documents.search initiative': { matches: 'Growth', empty: 'Thrift' },
};

const ofJira: Expectations = {
  'issues.search team': { matches: 'Engineering', empty: 'OPS', besides: { labels: ['Bug'] } },
  'issues.search state': { matches: 'In Progress', empty: 'Cancelled' },
  'issues.search assignee': { matches: 'Ann Smith', empty: bob.accountId },
  'issues.search labels': { matches: ['Bug'], empty: ['rare'], besides: { team: 'ENG' } },
  'issues.search project': { matches: 'Website', empty: 'Nothing yet' },
  'issues.search cycle': { matches: 'Polish', empty: 'Later' },
  'projects.search team': { matches: 'ENG', empty: 'OPS' },
  'projects.search lead': { matches: 'me', empty: 'Bob Smith' },
  'projects.search status': { matches: 'To Do', empty: 'Cancelled' },
  'cycles.search team': { matches: 'ENG', empty: 'OPS' },
};

const ofSalesCrm: Expectations = {
  'deals.list owner': { matches: 'me', empty: 'Bob Seller' },
  'deals.list person': { matches: 'Ann Buyer', empty: 'Carl Idle' },
  'deals.list org': { matches: 'acme', empty: 'Idle Ltd' },
  'deals.list pipeline': { matches: 'Pipeline', empty: 'Partners' },
  'deals.list stage': { matches: 'Qualified', empty: 'Proposal made' },
  'persons.list owner': { matches: 'me', empty: 'Bob Seller' },
  'persons.list org': { matches: 'Acme', empty: 'Idle Ltd' },
  'organizations.list owner': { matches: 'me', empty: 'bob@example.com' },
  'activities.list owner': { matches: 'me', empty: 'Bob Seller' },
  'activities.list person': { matches: 'ann@buyer.example', empty: 'Carl Idle' },
  'activities.list org': { matches: 'Acme', empty: 'Idle Ltd' },
  'leads.list owner': { matches: 'me', empty: 'Bob Seller' },
  'leads.list person': { matches: 'Ann Buyer', empty: 'Carl Idle' },
  'leads.list org': { matches: 'Acme', empty: 'Idle Ltd' },
};

it('name all inputs of all list tools that take names', () => {
  expect(namedInputs(tracker).toSorted()).toEqual(Object.keys(ofTracker).toSorted());
  expect(namedInputs(salesCrm).toSorted()).toEqual(Object.keys(ofSalesCrm).toSorted());
});

/** Checks that a name with nothing of a list answers `[]`, and one that nothing has is refused. */
async function expectTruth(call: Call, expectations: Expectations): Promise<void> {
  for (const [at, { matches, empty, besides = {} }] of Object.entries(expectations)) {
    const [name = '', input = ''] = at.split(' ');
    const found = await call(name, { ...besides, [input]: matches });
    expect(found, at).toMatchObject({ ok: true });
    expect(found.ok ? found.data : [], at).not.toEqual([]);
    expect(await call(name, { ...besides, [input]: empty }), at).toMatchObject({ ok: true, data: [] });
    expect(await call(name, { ...besides, [input]: Array.isArray(matches) ? [unknown] : unknown }), at).toMatchObject({
      ok: false,
      reason: 'not_found',
      message: expect.stringContaining(`"${unknown}"`),
      inputErrors: [{ path: [input] }],
    });
  }
}

function calling(service: ServiceKey, provider: Provider, record: Partial<TokenRecord>): Call {
  const tokens = {
    find: async () => ok(tokenRecord(service, { authMethod: 'personal_token', ...record })),
    renew: async () => err(failed('unauthorized', 'gone')),
  };
  const gateway = operationsOver({ providers: [provider], tokens, http });
  return (name, input = {}) => gateway.call({ userId: 1, service, name, input });
}

describe('names in lists', () => {
  it.each(['neutral', 'linear'] as const)(
    'are those of things that are there, at a tracker, %s (TOOL-013)',
    async (dialect) => {
      const emulator = await startTrackerEmulator({ dialect });
      close = () => emulator.close();
      const { space, seed } = emulator;
      space.add('Team', { key: 'DES', name: 'Design', displayName: 'Design', memberIds: [] });
      space.add('Project', { name: 'App', slugId: 'f7', priority: 0, teamIds: [] });
      const thrift = space.add('Initiative', { name: 'Thrift', slugId: 'f8', status: 'Planned' });
      const growth = space.all('Initiative').find(({ id }) => id !== thrift.id);
      const polish = space.all('Cycle').find((cycle) => cycle['name'] === 'Polish');
      space.change('Issue', seed.issue, { cycleId: polish?.id });
      for (const place of [{ projectId: seed.website.id }, { initiativeId: growth?.id }]) {
        space.add('Document', { title: 'Plan', slugId: 'f9', ...place });
      }
      const provider = trackerProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
      await expectTruth(calling('tracker', provider, { accessToken: emulator.credentials.apiKey }), ofTracker);
    },
  );

  it('are those of things that are there, at Jira (TOOL-013)', async () => {
    const emulator = await startJiraEmulator();
    close = () => emulator.close();
    emulator.site.add('ENG', '10100', { summary: 'Nothing yet' });
    emulator.site.add('OPS', '10102', { summary: 'Rare', labels: ['rare'] });
    const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
    const extra = { site: credentials.site };
    await expectTruth(calling('tracker', provider, { accessToken: credentials.apiToken, extra }), ofJira);
  });

  it.each(['neutral', 'pipedrive'] as const)(
    'are those of things that are there, at a sales CRM, %s (TOOL-013)',
    async (dialect) => {
      const emulator = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
      close = () => emulator.close();
      const provider = salesCrmProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
      const call = calling('sales_crm', provider, {
        accessToken: personalToken,
        extra: { plan: 'ultimate', seats: 100 },
      });
      await call('pipelines.create', { name: 'Partners' });
      await sold(call);
      await expectTruth(call, ofSalesCrm);
    },
  );

  it('are those of things that are there, at HubSpot (TOOL-013)', async () => {
    const emulator = await startHubSpotEmulator();
    close = () => emulator.close();
    const { url, authorizeUrl, tokenUrl } = emulator;
    const provider = salesCrmProvider({ dialect: 'hubspot', url, authorizeUrl, tokenUrl });
    const extra = { portal_id: 62_515, user_id: 11, company_currency: 'EUR' };
    const call = calling('sales_crm', provider, { accessToken: privateAppToken, extra });
    await sold(call);
    // The other lists take the same names, and a search costs much of HubSpot's budget.
    const ofDeals = Object.entries(ofSalesCrm).filter(([at]) => at.startsWith('deals.list'));
    await expectTruth(call, {
      ...Object.fromEntries(ofDeals),
      'deals.list owner': { matches: 'me', empty: 'Ben Baker' },
      'deals.list pipeline': { matches: 'Sales Pipeline', empty: 'Partners' },
      'deals.list stage': { matches: 'Appointment Scheduled', empty: 'Signed' },
    });
  });

  it('mean all things of that name, such as the states of several teams (TOOL-013)', async () => {
    const emulator = await startTrackerEmulator({ dialect: 'neutral' });
    close = () => emulator.close();
    const provider = trackerProvider({ dialect: 'neutral', url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const call = calling('tracker', provider, { accessToken: emulator.credentials.apiKey });
    expect(await call('issues.search', { state: 'Triage' })).toMatchObject({ ok: true, data: [] });
    for (const team of ['ENG', 'OPS']) await call('issues.make', { team, title: team, state: 'Triage' });
    expect(await call('issues.search', { state: 'Triage' })).toMatchObject({
      data: [{ title: 'OPS' }, { title: 'ENG' }],
    });
    expect(await call('issues.search', { state: 'Triage', team: 'ENG' })).toMatchObject({ data: [{ title: 'ENG' }] });
    for (const state of [[], ['no'], { no: 1 }]) {
      expect(await call('issues.search', { state })).toMatchObject({ ok: false, reason: 'invalid_input' });
    }
  });

  it('find what somebody who left was assigned, and what belongs to an archived project (TOOL-013)', async () => {
    const emulator = await startTrackerEmulator({ dialect: 'neutral' });
    close = () => emulator.close();
    const { space, seed } = emulator;
    const provider = trackerProvider({ dialect: 'neutral', url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const call = calling('tracker', provider, { accessToken: emulator.credentials.apiKey });
    space.change('User', seed.ann, { active: false });
    space.change('Project', seed.website, { archivedAt: new Date().toISOString() });
    const found = { ok: true, data: [{ identifier: 'ENG-1' }] };
    expect(await call('issues.search', { assignee: 'Ann Smith' })).toMatchObject(found);
    expect(await call('issues.search', { project: 'Website' })).toMatchObject(found);
    expect(await call('issues.make', { team: 'ENG', title: 'x', assignee: 'Ann Smith' })).toMatchObject({ ok: false });
  });
});

/** One of each record, of Ann and her organization; others have none. */
async function sold(call: Call): Promise<void> {
  await call('organizations.create', { name: 'Idle Ltd', owner: 'me' });
  await call('organizations.create', { name: 'Acme', owner: 'me' });
  await call('persons.create', { name: 'Carl Idle', owner: 'me' });
  const emails = [{ value: 'ann@buyer.example', primary: true }];
  await call('persons.create', { name: 'Ann Buyer', owner: 'me', org: 'Acme', emails });
  const about = { person: 'Ann Buyer', org: 'Acme', owner: 'me' };
  for (const [name, input] of [
    ['deals.create', { title: 'A' }],
    ['activities.create', { subject: 'Call', type: 'call' }],
    ['leads.create', { title: 'L' }],
  ] as const) {
    expect(await call(name, { ...input, ...about }), name).toMatchObject({ ok: true });
  }
}
