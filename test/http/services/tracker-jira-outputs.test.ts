import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { credentials, type JiraEmulator, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { trackerProvider } from '#test/support/services/providers.ts';

const withId = z.object({ id: z.string() });

// What each tool answers at Jira, as its published schema has it: over real sockets.
describe('the answers of the tracker tools at Jira', () => {
  let emulator: JiraEmulator;
  let http: HttpClient;
  let call: ReturnType<typeof documentedTools>;

  beforeEach(async () => {
    emulator = await startJiraEmulator();
    http = new HttpClient(() => 0);
    const provider = trackerProvider({ dialect: 'jira', url: emulator.url });
    const extra = { site: credentials.site };
    const record = tokenRecord('tracker', { authMethod: 'personal_token', accessToken: credentials.apiToken, extra });
    call = documentedTools(provider, operationsOver({ providers: [provider], tokens: onlyTokens(record), http }));
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

  it.each([
    ['tracker_teams_list', {}, { key: 'ENG', name: 'Engineering' }],
    ['tracker_teams_list', { filter: { key: { eq: 'OPS' } } }, { key: 'OPS', name: 'Operations' }],
    [
      'tracker_issues_list',
      { team: 'ENG' },
      {
        identifier: 'ENG-2',
        title: 'Fix login',
        state: { name: 'In Progress', type: 'started' },
        priorityLabel: 'High',
        estimate: 3,
        assignee: { name: 'Ann Smith' },
        labels: [{ name: 'Bug' }],
        project: { name: 'Website' },
        cycle: { number: 2 },
        team: { key: 'ENG' },
        url: 'https://acme.atlassian.net/browse/ENG-2',
      },
    ],
    ['tracker_comments_list', { issueId: 'ENG-2' }, { body: 'Seen it too', user: { name: 'Bob Smith' } }],
    [
      'tracker_projects_list',
      {},
      {
        name: 'Website',
        status: { type: 'started' },
        lead: { name: 'Ann Smith' },
        targetDate: '2026-12-31',
        teams: [{ key: 'ENG' }],
      },
    ],
    [
      'tracker_cycles_list',
      { team: 'ENG', when: 'current' },
      { number: 2, name: 'Polish', isActive: true, description: 'Shine' },
    ],
    ['tracker_labels_list', { query: 'bug' }, { name: 'Bug', isGroup: false }],
    ['tracker_workflow_states_list', { team: 'ENG', type: 'canceled' }, { name: 'Cancelled', team: { key: 'ENG' } }],
    ['tracker_users_list', { query: 'bob' }, { name: 'Bob Smith' }],
  ])('are a page of records from %s (%j) (JIRA-002)', async (tool, args, first) => {
    const content = await asDocumented(tool, args);
    expect(z.object({ data: z.array(z.unknown()) }).parse(content).data[0]).toMatchObject(first);
    expect(content).toMatchObject({ pagination: { next: null, hasMore: false } });
  });

  it.each([
    ['tracker_viewer', {}, { name: 'Ann Smith', email: 'ann@example.com', isMe: true }],
    ['tracker_team_get', { id: 'ENG' }, { key: 'ENG', members: [{ name: 'Ann Smith' }, { name: 'Bob Smith' }] }],
    [
      'tracker_issue_get',
      { id: 'ENG-2' },
      {
        identifier: 'ENG-2',
        description: 'Steps to see it',
        comments: [{ body: 'Seen it too' }],
        children: [],
        attachments: [],
      },
    ],
    [
      'tracker_issue_update',
      { issue: 'ENG-2', state: 'Done' },
      { identifier: 'ENG-2', state: { name: 'Done', type: 'completed' } },
    ],
    ['tracker_issue_archive', { id: 'ENG-2' }, { identifier: 'ENG-2' }],
    [
      'tracker_comment_create',
      { issueId: 'ENG-2', body: '**Soon**' },
      { body: '**Soon**', user: { name: 'Ann Smith' } },
    ],
    ['tracker_project_get', { id: 'Website' }, { name: 'Website', content: 'All of it', lead: { name: 'Ann Smith' } }],
    [
      'tracker_project_update',
      { project: 'Website', targetDate: '2027-03-01' },
      { name: 'Website', targetDate: '2027-03-01' },
    ],
    [
      'tracker_project_create',
      { name: 'App', teams: ['ENG'], lead: 'bob@example.com', startDate: '2026-12-01' },
      { name: 'App', status: { name: 'To Do' }, lead: { name: 'Bob Smith' }, startDate: '2026-12-01' },
    ],
    ['tracker_cycle_get', { id: 'current', team: 'ENG' }, { number: 2, team: { key: 'ENG' } }],
    [
      'tracker_cycle_create',
      { team: 'ENG', startsAt: '2027-01-04T00:00:00Z', endsAt: '2027-01-18T00:00:00Z' },
      { number: 4, startsAt: '2027-01-04T00:00:00.000Z' },
    ],
    [
      'tracker_issue_create',
      {
        team: 'Engineering',
        title: 'Write docs',
        assignee: 'me',
        state: 'In Progress',
        labels: ['bug', 'fresh'],
        project: 'Website',
        cycle: 'current',
        priority: 'urgent',
        estimate: 5,
        dueDate: '2026-12-01',
        description: '# Plan\n\n- [ ] a',
      },
      {
        identifier: 'ENG-3',
        title: 'Write docs',
        state: { name: 'In Progress' },
        assignee: { name: 'Ann Smith' },
        priorityLabel: 'Highest',
        dueDate: '2026-12-01',
      },
    ],
  ])('are a record from %s (%j) (JIRA-002)', async (tool, args, expected) => {
    expect(await asDocumented(tool, args)).toMatchObject(expected);
  });

  it.each([
    ['tracker_documents_list', {}, 'Jira has no documents'],
    ['tracker_label_create', { name: 'x' }, 'putting it on an issue'],
    ['tracker_initiatives_list', {}, 'an epic is a project here'],
  ])('say what Jira lacks: %s (JIRA-003)', async (tool, args, why) => {
    await expect(call(tool, args)).rejects.toThrow(why);
  });

  it('are of the issue as it is stored: Jira has the names that were given (JIRA-002)', async () => {
    const made = withId.parse(
      await asDocumented('tracker_issue_create', {
        team: 'ENG',
        title: 'Docs',
        labels: ['bug', 'fresh'],
        project: 'Website',
        cycle: 'current',
        estimate: 5,
        description: 'a **b**',
      }),
    );
    const stored = emulator.site.find(made.id);
    expect(stored?.fields).toMatchObject({
      labels: ['Bug', 'fresh'],
      parent: emulator.site.find('ENG-1')?.id,
      customfield_10020: 2,
      customfield_10026: 5,
      description: {
        type: 'doc',
        version: 1,
        content: [{ type: 'paragraph', content: [{ text: 'a ' }, { text: 'b', marks: [{ type: 'strong' }] }] }],
      },
    });
  });
});
