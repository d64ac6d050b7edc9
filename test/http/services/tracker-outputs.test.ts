import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { startTrackerEmulator, type TrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { trackerProvider } from '#test/support/services/providers.ts';

const withId = z.object({ id: z.string() });

// What each tool answers, as its published schema has it: over real sockets, in the neutral dialect and in the vendor's.
describe.each(['neutral', 'linear'] as const)('the answers of the tracker tools, in the %s dialect', (dialect) => {
  let emulator: TrackerEmulator;
  let http: HttpClient;
  let call: ReturnType<typeof documentedTools>;

  beforeEach(async () => {
    emulator = await startTrackerEmulator({ dialect });
    http = new HttpClient(() => 0);
    const provider = trackerProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const record = tokenRecord('tracker', { accessToken: emulator.credentials.apiKey });
    const tokens = onlyTokens(record);
    call = documentedTools(provider, operationsOver({ providers: [provider], tokens, http }));
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  /** An answer that is as documented: nothing is said apart from the JSON of it. */
  const asDocumented = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { texts, content } = await call(tool, args);
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
    return content;
  };
  const idOf = async (tool: string, args: Readonly<Record<string, unknown>>) =>
    withId.parse(await asDocumented(tool, args)).id;

  it.each([
    ['tracker_teams_list', {}, { key: 'OPS', name: 'Operations' }],
    [
      'tracker_teams_list',
      { filter: { key: { eq: 'ENG' } } },
      { key: 'ENG', activeCycle: { number: 2, name: 'Polish' } },
    ],
    [
      'tracker_issues_list',
      { team: 'ENG' },
      {
        identifier: 'ENG-1',
        title: 'Fix login',
        state: { name: 'In Progress', type: 'started' },
        priorityLabel: 'High',
        assignee: { name: 'Ann Smith' },
        labels: [{ name: 'Bug' }],
        project: { name: 'Website' },
        team: { key: 'ENG' },
      },
    ],
    ['tracker_comments_list', { issueId: 'ENG-1' }, { body: 'Seen it too', user: { name: 'Bob Smith' } }],
    [
      'tracker_projects_list',
      {},
      { name: 'Website', status: { type: 'started' }, progress: 0.25, teams: [{ key: 'ENG' }] },
    ],
    ['tracker_cycles_list', { team: 'ENG', when: 'current' }, { number: 2, name: 'Polish', isActive: true }],
    ['tracker_initiatives_list', {}, { name: 'Growth', status: 'Active', owner: { name: 'Ann Smith' } }],
    ['tracker_labels_list', { query: 'bug' }, { name: 'Bug', isGroup: false }],
    ['tracker_workflow_states_list', { team: 'ENG', type: 'triage' }, { name: 'Triage', team: { key: 'ENG' } }],
    ['tracker_users_list', { query: 'bob' }, { name: 'Bob Smith', email: 'bob@example.com', admin: false }],
  ])('are a page of records from %s (%j)', async (tool, args, first) => {
    const content = await asDocumented(tool, args);
    expect(content).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
    });
    expect(z.object({ data: z.array(z.unknown()) }).parse(content).data[0]).toMatchObject(first);
    expect(content).toMatchObject({ pagination: { next: null, hasMore: false } });
  });

  it('are the requested fields from a list, with the next page', async () => {
    const content = await asDocumented('tracker_teams_list', { fields: ['name'], first: 1 });
    expect(content).toEqual({
      data: [{ name: 'Operations' }],
      pagination: { next: expect.any(String), hasMore: true },
    });
  });

  it('are an empty page from a list without records', async () => {
    expect(await asDocumented('tracker_documents_list')).toEqual({
      data: [],
      pagination: { next: null, hasMore: false },
    });
  });

  it.each([
    ['tracker_viewer', {}, { name: 'Ann Smith', email: 'ann@example.com', isMe: true }],
    ['tracker_team_get', { id: 'ENG' }, { key: 'ENG', members: [{ name: 'Bob Smith' }, { name: 'Ann Smith' }] }],
    [
      'tracker_issue_get',
      { id: 'ENG-1' },
      { identifier: 'ENG-1', description: 'Steps to see it', comments: [{ body: 'Seen it too' }], children: [] },
    ],
    ['tracker_issue_update', { issue: 'ENG-1', state: 'Done' }, { identifier: 'ENG-1', state: { name: 'Done' } }],
    ['tracker_issue_archive', { id: 'ENG-1' }, { identifier: 'ENG-1', archivedAt: expect.any(String) }],
    ['tracker_comment_create', { issueId: 'ENG-1', body: 'Soon' }, { body: 'Soon', user: { name: 'Ann Smith' } }],
    ['tracker_project_get', { id: 'Website' }, { name: 'Website', lead: { name: 'Ann Smith' } }],
    [
      'tracker_project_update',
      { project: 'Website', targetDate: '2027-03-01' },
      { name: 'Website', targetDate: '2027-03-01' },
    ],
    ['tracker_cycle_get', { id: 'current', team: 'ENG' }, { number: 2, team: { key: 'ENG' } }],
    ['tracker_initiative_get', { id: 'Growth' }, { name: 'Growth', projects: [{ name: 'Website', progress: 0.25 }] }],
    ['tracker_label_create', { name: 'Urgent', team: 'ENG' }, { name: 'Urgent', team: { key: 'ENG' } }],
    ['tracker_project_create', { name: 'App', teams: ['ENG'] }, { name: 'App', status: { name: 'Backlog' } }],
    [
      'tracker_cycle_create',
      { team: 'OPS', startsAt: '2027-01-04T00:00:00Z', endsAt: '2027-01-18T00:00:00Z' },
      { number: 1, progress: 0 },
    ],
  ])('are a record from %s (%j)', async (tool, args, record) => {
    const content = await asDocumented(tool, args);
    expect(content).toMatchObject({ ...record, id: expect.any(String) });
  });

  it('are the issue from tracker_issue_create, its name and state first', async () => {
    const content = await asDocumented('tracker_issue_create', { title: 'Write docs', team: 'ENG', labels: ['Bug'] });
    expect(Object.keys(content ?? {}).slice(0, 4)).toEqual(['identifier', 'title', 'state', 'priorityLabel']);
    expect(content).toMatchObject({ identifier: 'ENG-2', title: 'Write docs' });
  });

  it('are the document with its text from tracker_document_create and tracker_document_update', async () => {
    const id = await idOf('tracker_document_create', { title: 'Plan', content: 'One', project: 'Website' });
    const content = await asDocumented('tracker_document_update', { id, content: 'Two' });
    expect(content).toMatchObject({ title: 'Plan', content: 'Two', id });
    expect(await asDocumented('tracker_documents_list')).toMatchObject({
      data: [{ title: 'Plan', project: { name: 'Website' }, id }],
    });
  });

  it('have undocumented data in the text only, which says so', async () => {
    const nodes = [{ identifier: 'ENG-1', estimate: 'large', state: 'Done', id: 'i1' }];
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    emulator.failNext({ status: 200, body: { data: { issues: { nodes, pageInfo } } } });
    const { texts, content } = await call('tracker_issues_list');
    expect(content).toEqual({
      data: [{ identifier: 'ENG-1', id: 'i1' }],
      pagination: { next: null, hasMore: false },
    });
    expect(texts[0]).toContain('{"identifier":"ENG-1","state":"Done","estimate":"large","id":"i1"}');
    expect(texts.slice(1)).toEqual([
      '`data[].state` came as text where an object is documented; it is in this text only.',
      '`data[].estimate` came as text where a number is documented; it is in this text only.',
    ]);
  });
});
