import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import {
  clearableDay,
  clearableText,
  color,
  day,
  estimate,
  issueId,
  markdown,
  optionalText,
  priority,
  recordId,
  text,
} from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { naming } from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);

const labelNames = (about: string, brief: string) =>
  z.array(z.string().min(1)).max(50).optional().describe(`${about}, by name or id`).meta(inLists(brief));

const issueNames = {
  assignee: optionalText('"me", or a user by e-mail, name or id', '"me", e-mail, name or id'),
  priority,
  state: optionalText('State by name ("In Progress") or id'),
  project: optionalText('Project by name or id', 'Name or id'),
  cycle: optionalText('Cycle by number, name or id; or "current", "next", "previous"'),
  parent: optionalText('Parent issue, by identifier ("ENG-12") or id', 'Identifier ("ENG-12") or id'),
};

/** The interface's own names of these inputs (TRACK-006), which accept names as well as ids. */
const issueAliases = {
  teamId: 'team',
  assigneeId: 'assignee',
  stateId: 'state',
  labelIds: 'labels',
  projectId: 'project',
  cycleId: 'cycle',
  parentId: 'parent',
} as const;

const issueNamed = {
  team: naming('teams'),
  assignee: naming('users'),
  state: naming('workflowStates'),
  labels: naming('issueLabels'),
  project: naming('projects'),
  cycle: naming('cycles'),
} as const;

/** Tools that create and change issues and labels, and accept names as well as ids (TOOL-007). */
export const issueRecipes = {
  'issues.make': recipe(
    'add',
    'Creates an issue; names are accepted as ids. States are in tracker_team_get, labels in tracker_labels_list. Each call creates another one',
    {
      title: text('The title'),
      team: recordId('Team by key ("ENG"), name or id', 'Key ("ENG"), name or id'),
      description: markdown('The description'),
      ...issueNames,
      labels: labelNames('Its labels', 'Names or ids'),
      dueDate: day('The due date'),
      estimate,
    },
    {
      tool: 'tracker_issue_create',
      standsFor: ['issues.create'],
      output: outputs.changedIssue,
      aliases: issueAliases,
      named: issueNamed,
    },
    (call, { team, assignee, state, labels, project, cycle, parent, ...rest }) =>
      call('issues.create', {
        ...rest,
        teamId: team,
        assigneeId: assignee,
        stateId: state,
        labelIds: labels,
        projectId: project,
        cycleId: cycle,
        parentId: parent,
      }),
  ),

  'issues.change': recipe(
    'change',
    'Updates an issue; only given inputs change, null clears, and names are accepted as ids. To comment use tracker_comment_create',
    {
      issue: issueId,
      title: optionalText('The title'),
      description: markdown('The whole description'),
      ...issueNames,
      assignee: clearableText('"me", or a user by e-mail, name or id', '"me", e-mail, name or id'),
      project: clearableText('Project by name or id', 'Name or id'),
      cycle: clearableText('Cycle by number, name or id; or "current", "next", "previous"'),
      parent: clearableText('Parent issue, by identifier or id', 'Identifier or id'),
      labels: labelNames('Its labels, replacing the current ones', 'All its labels: names or ids'),
      addedLabels: labelNames('Labels to add', 'Names or ids'),
      removedLabels: labelNames('Labels to remove', 'Names or ids'),
      team: optionalText('The team it moves to, by key, name or id', 'To move it: key, name or id'),
      dueDate: clearableDay('The due date'),
      estimate,
    },
    {
      tool: 'tracker_issue_update',
      standsFor: ['issues.update'],
      output: outputs.changedIssue,
      isIdempotent: true,
      effectBy: whenGiven('lose', 'description', 'labels', 'removedLabels'),
      aliases: { ...issueAliases, id: 'issue', addedLabelIds: 'addedLabels', removedLabelIds: 'removedLabels' },
      named: { ...issueNamed, addedLabels: naming('issueLabels'), removedLabels: naming('issueLabels') },
    },
    (call, { issue, team, assignee, state, labels, addedLabels, removedLabels, project, cycle, parent, ...rest }) =>
      call('issues.update', {
        ...rest,
        id: issue,
        teamId: team,
        assigneeId: assignee,
        stateId: state,
        labelIds: labels,
        addedLabelIds: addedLabels,
        removedLabelIds: removedLabels,
        projectId: project,
        cycleId: cycle,
        parentId: parent,
      }),
  ),

  'labels.make': recipe(
    'add',
    'Creates a label for issues, of one team or the whole workspace. Check tracker_labels_list first',
    {
      name: text('The name'),
      color,
      team: optionalText("The team it is for, by key, name or id; the whole workspace's by default"),
      description: optionalText('What it is for'),
    },
    {
      tool: 'tracker_label_create',
      standsFor: ['labels.create'],
      output: outputs.oneLabel,
      aliases: { teamId: 'team' },
      named: { team: naming('teams') },
    },
    (call, { team, ...rest }) => call('labels.create', { ...rest, teamId: team }),
  ),
} as const;
