import { z } from 'zod';
import { recipesOver } from '#adapters/services/recipe-rows.ts';
import { assigneeIs, cycleIs, nameIs, slugIs, teamIs, when } from '#adapters/services/tracker/details/filters.ts';
import { optionalText, priority, stateTypes } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { contains, listing, listNarrowed, since, team } from '#adapters/services/tracker/recipes/narrowing.ts';
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
      assignee: optionalText('"me", "none", or a user by e-mail, name or id'),
      labels: z.array(z.string().min(1)).max(20).optional().describe('Labels by name or id; an issue has all of them'),
      project: optionalText('Project by name or id'),
      cycle: optionalText('Cycle by number, name or id; or "current", "next", "previous"'),
      priority,
      query: optionalText('Text in title or description'),
      updatedSince: since('changed'),
      createdSince: since('made'),
      dueBefore: optionalText('A day such as 2026-12-01, or a duration ahead such as P1W'),
      ...listing('IssueFilter'),
    },
    { tool: 'tracker_issues_list', output: outputs.issuePages, route: { method: 'GET', path: '/issues' } },
    async (call, input) => {
      const { team, state, stateType, assignee, labels = [], project, cycle, priority, query, ...rest } = input;
      const { updatedSince, createdSince, dueBefore, filter, ...paging } = rest;
      const filters = [
        filter,
        when(team, (name) => ({ team: teamIs(name) })),
        when(state, (name) => ({ state: nameIs(name) })),
        when(stateType, (type) => ({ state: { type: { eq: type } } })),
        when(assignee, (name) => ({ assignee: assigneeIs(name) })),
        ...labels.map((name) => ({ labels: { some: nameIs(name) } })),
        when(project, (name) => ({ project: slugIs(name) })),
        when(cycle, (name) => ({ cycle: cycleIs(name) })),
        when(priority, (level) => ({ priority: { eq: level } })),
        when(query, (text) => ({ searchableContent: { contains: text } })),
        when(updatedSince, (time) => ({ updatedAt: { gte: time } })),
        when(createdSince, (time) => ({ createdAt: { gte: time } })),
        when(dueBefore, (time) => ({ dueDate: { lt: time } })),
      ];
      const users = assignee?.toLowerCase() === 'none' ? undefined : assignee;
      return listNarrowed(call, 'issues.list', paging, {
        filters,
        names: [
          ['teams', team],
          ['workflowStates', state],
          ['users', users],
          ['issueLabels', labels],
          ['projects', project],
        ],
        team,
      });
    },
  ),

  'labels.search': recipe(
    'read',
    'Lists labels of issues, by team, text or any filter. A team has its own and those of the whole workspace. Other tools accept their names as labels',
    {
      team,
      query: optionalText('Text in the name'),
      ...listing('IssueLabelFilter'),
    },
    { tool: 'tracker_labels_list', output: outputs.labelPages, route: { method: 'GET', path: '/labels' } },
    async (call, { team, query, filter, ...paging }) => {
      const filters = [
        filter,
        when(team, (name) => ({ or: [{ team: { null: true } }, { team: teamIs(name) }] })),
        when(query, (text) => ({ name: contains(text) })),
      ];
      return listNarrowed(call, 'labels.list', paging, { filters, names: [['teams', team]], team });
    },
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
    },
    async (call, { team, type, filter, ...paging }) => {
      const filters = [
        filter,
        when(team, (name) => ({ team: teamIs(name) })),
        when(type, (word) => ({ type: { eq: word } })),
      ];
      return listNarrowed(call, 'workflow_states.list', paging, { filters, names: [['teams', team]], team });
    },
  ),
} as const;
