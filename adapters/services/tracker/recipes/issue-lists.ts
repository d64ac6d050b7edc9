import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { when } from '#adapters/services/tracker/details/filters.ts';
import { optionalText, priority, stateTypes } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import {
  contains,
  listBy,
  listing,
  narrowing,
  narrowingSome,
  since,
  team,
} from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';

const recipe = recipesOver(rows);

/** The list tools for issues: convenient filters besides the tracker's own (TOOL-001). */
export const issueLists = {
  'issues.search': recipe(
    'read',
    'Lists issues, by team, state, assignee, labels, project, cycle, text or any filter, all of which must match; newest first. Text and comments of one are in tracker_issue_get',
    {
      team,
      state: optionalText('State by name ("In Progress") or id'),
      stateType: z.enum(stateTypes).optional().describe('State of this type'),
      assignee: optionalText('"me", "none", or a user by e-mail, name or id', '"me", "none", e-mail, name or id'),
      labels: z.array(z.string().min(1)).max(20).optional().describe('Labels by name or id; an issue has all of them'),
      project: optionalText('Project by name or id', 'Name or id'),
      cycle: optionalText('Cycle by number, name or id; or "current", "next", "previous"'),
      priority,
      query: optionalText('Text in title or description'),
      updatedSince: since('changed', 'Changed since 2026-11-01, or -P2W for two weeks'),
      createdSince: since('made', 'Made since, like updatedSince'),
      dueBefore: optionalText('A day such as 2026-12-01, or a duration ahead such as P1W'),
      ...listing('IssueFilter'),
    },
    {
      tool: 'tracker_issues_list',
      output: outputs.issuePages,
      route: { method: 'GET', path: '/issues' },
      named: {
        team: narrowing('teams', 'team'),
        state: narrowing('workflowStates', 'state'),
        assignee: narrowing('users', 'assignee'),
        labels: narrowingSome('issueLabels', 'labels'),
        project: narrowing('projects', 'project'),
        cycle: narrowing('cycles', 'cycle'),
      },
    },
    async (call, { stateType, priority, query, updatedSince, createdSince, dueBefore, filter, ...paging }) =>
      listBy(call, 'issues.list', paging, [
        filter,
        when(stateType, (type) => ({ state: { type: { eq: type } } })),
        when(priority, (level) => ({ priority: { eq: level } })),
        when(query, (text) => ({ searchableContent: { contains: text } })),
        when(updatedSince, (time) => ({ updatedAt: { gte: time } })),
        when(createdSince, (time) => ({ createdAt: { gte: time } })),
        when(dueBefore, (time) => ({ dueDate: { lt: time } })),
      ]),
  ),

  'labels.search': recipe(
    'read',
    'Lists labels of issues, by team, text or any filter. A team has its own and those of the whole workspace. Other tools accept their names as labels',
    {
      team,
      query: optionalText('Text in the name'),
      ...listing('IssueLabelFilter'),
    },
    {
      tool: 'tracker_labels_list',
      output: outputs.labelPages,
      route: { method: 'GET', path: '/labels' },
      named: { team: { kind: 'teams', filters: (matches) => ({ or: [{ team: { null: true } }, { team: matches }] }) } },
    },
    async (call, { query, filter, ...paging }) =>
      listBy(call, 'labels.list', paging, [filter, when(query, (text) => ({ name: contains(text) }))]),
  ),

  'workflow_states.search': recipe(
    'read',
    'Lists workflow states, by team, type or any filter. Other tools accept their names as state; those of one team are in tracker_team_get, too',
    {
      team,
      type: z.enum(stateTypes).optional().describe('Of this type'),
      ...listing('WorkflowStateFilter'),
    },
    {
      tool: 'tracker_workflow_states_list',
      output: outputs.statePages,
      route: { method: 'GET', path: '/workflow-states' },
      named: { team: narrowing('teams', 'team') },
    },
    async (call, { type, filter, ...paging }) =>
      listBy(call, 'workflow_states.list', paging, [filter, when(type, (word) => ({ type: { eq: word } }))]),
  ),
} as const;
