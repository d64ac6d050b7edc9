import { z } from 'zod';
import { graphql } from '#adapters/services/requests/request-rows.ts';
import { documentOf, schemasOf, variable } from '#adapters/services/tracker/details/variables.ts';
import { filterVariable, issueId, pageVariables, projection } from '#adapters/services/tracker/inputs.ts';
import * as selected from '#adapters/services/tracker/operations/selections.ts';
import { list, paged, record } from '#adapters/services/tracker/operations/tables.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';

const none = {};

const viewer = documentOf({ kind: 'query', root: 'viewer', args: none, selection: selected.user });

/** The comments of one issue, via the query `issue(id)`. */
function commentsOfIssue() {
  const own = { issueId: variable('String!', issueId) };
  const paging = { filter: filterVariable('CommentFilter'), ...pageVariables };
  const args = Object.keys(paging).map((name) => `${name}: $${name}`);
  const declared = Object.entries({ ...own, ...paging }).map(([name, { type }]) => `$${name}: ${type}`);
  const connection = `comments(${args.join(', ')}) { nodes ${selected.comment} ${selected.pageInfo} }`;
  const document = `query issue(${declared.join(', ')}) { issue(id: $issueId) { ${connection} } }`.replaceAll(
    /\s+/g,
    ' ',
  );
  const inputs = { ...schemasOf({ ...own, ...paging }), fields: projection };
  return paged(
    graphql(
      'read',
      document,
      'Lists the comments of an issue; newest first. tracker_issue_get has the first 25 with the issue',
      inputs,
      {
        route: { method: 'GET', path: '/issues/{issueId}/comments' },
        tool: 'tracker_comments_list',
        output: outputs.commentPages,
        page: 'relay',
        local: ['fields'],
      },
    ),
  );
}

/** The webhooks, without their secrets. */
function webhookList() {
  const { first, after } = pageVariables;
  const args = { first, after };
  const selection = `{ nodes ${selected.listedWebhook} ${selected.pageInfo} }`;
  const document = documentOf({ kind: 'query', root: 'webhooks', args, selection });
  return paged(
    graphql('read', document, 'Lists the registered addresses', schemasOf(args), {
      route: { method: 'GET', path: '/webhooks' },
      output: outputs.webhookPages,
      page: 'relay',
    }),
  );
}

/** The fifteen queries (TRACK-003), and the comments of an issue, which use one of them. */
export const queries = {
  'viewer.get': graphql(
    'read',
    viewer,
    'Gets the current user of the tracker, to whom "me" refers in other tools',
    none,
    {
      route: { method: 'GET', path: '/viewer' },
      tool: 'tracker_viewer',
      output: outputs.oneUser,
    },
  ),
  // Detects a webhook that was disabled.
  'webhooks.list': webhookList(),
  'teams.list': list('teams', 'TeamFilter', {
    summary:
      'Lists teams. Other tools accept their keys, such as ENG, as team. States and members of one are in tracker_team_get',
    selection: selected.teamFields,
    output: outputs.teamPages,
    path: '/teams',
    tool: 'tracker_teams_list',
    variables: none,
  }),
  'teams.get': record('team', {
    summary: 'Gets a team: its workflow states and members as well',
    selection: selected.teamSelection,
    output: outputs.teamInFull,
    path: null,
    id: 'The id of the team',
  }),
  'issues.list': list('issues', 'IssueFilter', {
    summary: 'Lists issues; filtered and paged both ways',
    selection: selected.issue,
    output: outputs.issuePages,
    path: null,
    variables: none,
  }),
  'issues.get': record('issue', {
    summary:
      'Gets an issue, with its text, sub-issues, links and first 25 comments. More comments are in tracker_comments_list',
    selection: selected.issueSelection,
    output: outputs.issueInFull,
    path: '/issues/{id}',
    id: 'Identifier ("ENG-123") or id',
    tool: 'tracker_issue_get',
  }),
  'comments.list': commentsOfIssue(),
  // Read before a comment is changed (UNDO-021).
  'comments.get': record('comment', {
    summary: 'Gets a comment',
    selection: selected.comment,
    output: outputs.oneComment,
    path: '/comments/{id}',
    id: 'The id of the comment',
  }),
  'projects.list': list('projects', 'ProjectFilter', {
    summary: 'Lists projects; filtered and paged both ways',
    selection: selected.project,
    output: outputs.projectPages,
    path: null,
    variables: none,
  }),
  'projects.get': record('project', {
    summary: 'Gets a project: its text, members, milestones and last report as well',
    selection: selected.projectSelection,
    output: outputs.projectInFull,
    path: null,
    id: 'The id of the project',
  }),
  'cycles.list': list('cycles', 'CycleFilter', {
    summary: 'Lists cycles; filtered and paged both ways',
    selection: selected.cycle,
    output: outputs.cyclePages,
    path: null,
    variables: none,
  }),
  'initiatives.list': list('initiatives', 'InitiativeFilter', {
    summary: 'Lists initiatives; filtered and paged both ways',
    selection: selected.initiative,
    output: outputs.initiativePages,
    path: null,
    variables: none,
  }),
  'initiatives.get': record('initiative', {
    summary: 'Gets an initiative: its text, projects and last report as well',
    selection: selected.initiativeSelection,
    output: outputs.initiativeInFull,
    path: null,
    id: 'The id of the initiative',
  }),
  'workflow_states.list': list('workflowStates', 'WorkflowStateFilter', {
    summary: 'Lists workflow states; filtered and paged both ways',
    selection: selected.workflowState,
    output: outputs.statePages,
    path: null,
    variables: none,
  }),
  'labels.list': list('issueLabels', 'IssueLabelFilter', {
    summary: 'Lists labels of issues; filtered and paged both ways',
    selection: selected.label,
    output: outputs.labelPages,
    path: null,
    variables: none,
  }),
  'users.list': list('users', 'UserFilter', {
    summary: 'Lists users; filtered and paged both ways',
    selection: selected.user,
    output: outputs.userPages,
    path: null,
    variables: {
      includeDisabled: variable('Boolean', z.boolean().optional().describe('Whether to include disabled users')),
    },
  }),
  'users.get': record('user', {
    summary: 'Gets a user',
    selection: selected.user,
    output: outputs.oneUser,
    path: '/users/{id}',
    id: 'The id of the user',
  }),
  // Read before a document is changed (UNDO-021).
  'documents.get': record('document', {
    summary: 'Gets a document, with its text',
    selection: selected.documentChanged,
    output: outputs.changedDocument,
    path: '/documents/{id}',
    id: 'The id of the document',
  }),
  'documents.list': list('documents', 'DocumentFilter', {
    summary: 'Lists documents; filtered and paged both ways',
    selection: selected.document,
    output: outputs.documentPages,
    path: null,
    variables: none,
  }),
} as const;
