import { z } from 'zod';
import { recipesOver } from '#adapters/services/recipe-rows.ts';
import { isId } from '#adapters/services/tracker/details/filters.ts';
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
import { type Call, resolveNames } from '#adapters/services/tracker/names.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { type Given, idIfGiven, idOrNull, idsOf, namedIn } from '#adapters/services/tracker/recipes/naming.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const recipe = recipesOver(rows);

const labelNames = (about: string) => z.array(z.string().min(1)).max(50).optional().describe(`${about}, by name or id`);

const inTeamOf = z.object({ team: z.object({ key: z.string() }) });

/**
 * The team in which names in an update are looked up: the one it moves to, else the issue's own, which is read only
 * when needed.
 */
async function teamFor(
  call: Call,
  issue: string,
  team: string | undefined,
  names: Given,
): Promise<Outcome<string | null>> {
  if (team !== undefined) return succeeded(team);
  if (namedIn(names).every(({ name }) => isId(name))) return succeeded(null);
  const read = await call('issues.get', { id: issue });
  if (!read.ok) return read;
  const parsed = inTeamOf.safeParse(read.data);
  return parsed.success
    ? succeeded(parsed.data.team.key)
    : failed('unavailable', 'The tracker answered without the team of the issue.');
}

const issueNames = {
  assignee: optionalText('"me", or a user by e-mail, name or id'),
  priority,
  state: optionalText('State by name ("In Progress") or id'),
  project: optionalText('Project by name or id'),
  cycle: optionalText('Cycle by number, name or id; or "current", "next", "previous"'),
  parent: optionalText('Parent issue, by identifier ("ENG-12") or id'),
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

/** Tools that create and change issues and labels, and accept names as well as ids (TOOL-007). */
export const issueRecipes = {
  'issues.make': recipe(
    'write',
    'Creates an issue; names are accepted as ids. States are in tracker_team_get, labels in tracker_labels_list. Each call creates another one',
    {
      title: text('The title'),
      team: recordId('Team by key ("ENG"), name or id'),
      description: markdown('The description'),
      ...issueNames,
      labels: labelNames('Its labels'),
      dueDate: day('The due date'),
      estimate,
    },
    { tool: 'tracker_issue_create', output: outputs.changedIssue, aliases: issueAliases },
    async (call, { team, assignee, state, labels, project, cycle, parent, ...rest }) => {
      const given: Given = [
        ['teams', team],
        ['users', assignee],
        ['workflowStates', state],
        ['issueLabels', labels],
        ['projects', project],
        ['cycles', cycle],
      ];
      const names = await resolveNames(call, namedIn(given), team);
      if (!names.ok) return names;
      const idOf = names.data;
      return call('issues.create', {
        ...rest,
        teamId: idOf('teams', team),
        assigneeId: idIfGiven(idOf, 'users', assignee),
        stateId: idIfGiven(idOf, 'workflowStates', state),
        labelIds: idsOf(idOf, 'issueLabels', labels),
        projectId: idIfGiven(idOf, 'projects', project),
        cycleId: idIfGiven(idOf, 'cycles', cycle),
        parentId: parent,
      });
    },
  ),

  'issues.change': recipe(
    'write',
    'Updates an issue; only given inputs change, null clears, and names are accepted as ids. To comment use tracker_comment_create',
    {
      issue: issueId,
      title: optionalText('The title'),
      description: markdown('The whole description'),
      ...issueNames,
      assignee: clearableText('"me", or a user by e-mail, name or id'),
      project: clearableText('Project by name or id'),
      cycle: clearableText('Cycle by number, name or id; or "current", "next", "previous"'),
      parent: clearableText('Parent issue, by identifier or id'),
      labels: labelNames('Its labels, replacing the current ones'),
      addedLabels: labelNames('Labels to add'),
      removedLabels: labelNames('Labels to remove'),
      team: optionalText('The team it moves to, by key, name or id'),
      dueDate: clearableDay('The due date'),
      estimate,
    },
    {
      tool: 'tracker_issue_update',
      output: outputs.changedIssue,
      isIdempotent: true,
      aliases: { ...issueAliases, id: 'issue', addedLabelIds: 'addedLabels', removedLabelIds: 'removedLabels' },
    },
    async (call, input) => {
      const { issue, team, assignee, state, labels, addedLabels, removedLabels, project, cycle, parent, ...rest } =
        input;
      const local: Given = [
        ['workflowStates', state],
        ['issueLabels', [...(labels ?? []), ...(addedLabels ?? []), ...(removedLabels ?? [])]],
        ['cycles', cycle],
      ];
      const place = await teamFor(call, issue, team, local);
      if (!place.ok) return place;
      const given: Given = [['teams', team], ['users', assignee], ['projects', project], ...local];
      const names = await resolveNames(call, namedIn(given), place.data);
      if (!names.ok) return names;
      const idOf = names.data;
      return call('issues.update', {
        ...rest,
        id: issue,
        teamId: idIfGiven(idOf, 'teams', team),
        assigneeId: idOrNull(idOf, 'users', assignee),
        stateId: idIfGiven(idOf, 'workflowStates', state),
        labelIds: idsOf(idOf, 'issueLabels', labels),
        addedLabelIds: idsOf(idOf, 'issueLabels', addedLabels),
        removedLabelIds: idsOf(idOf, 'issueLabels', removedLabels),
        projectId: idOrNull(idOf, 'projects', project),
        cycleId: idOrNull(idOf, 'cycles', cycle),
        parentId: parent,
      });
    },
  ),

  'labels.make': recipe(
    'write',
    'Creates a label for issues, of one team or the whole workspace. Check tracker_labels_list first',
    {
      name: text('The name'),
      color,
      team: optionalText("The team it is for, by key, name or id; the whole workspace's by default"),
      description: optionalText('What it is for'),
    },
    { tool: 'tracker_label_create', output: outputs.oneLabel, aliases: { teamId: 'team' } },
    async (call, { team, ...rest }) => {
      const names = await resolveNames(call, namedIn([['teams', team]]), null);
      if (!names.ok) return names;
      return call('labels.create', { ...rest, teamId: idIfGiven(names.data, 'teams', team) });
    },
  ),
} as const;
