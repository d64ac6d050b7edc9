import { z } from 'zod';
import { parsed } from '#adapters/services/answers/read-answers.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { usualStatuses } from '#adapters/services/tracker/details/kinds.ts';
import { optionalText, recordId } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { naming } from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import { failed, succeeded } from '#domain/operations/outcome.ts';

const recipe = recipesOver(rows);

const statusHolders = z.array(z.object({ status: z.object({ id: z.string(), name: z.string() }).nullish() }));

/** Tools that get one record by name or id (TOOL-007). */
export const findRecipes = {
  'teams.find': recipe(
    'read',
    'Gets a team, by key, name or id, with its workflow states and members. Teams are in tracker_teams_list',
    { id: recordId('Team by key ("ENG"), name or id', 'Key ("ENG"), name or id') },
    {
      tool: 'tracker_team_get',
      output: outputs.teamInFull,
      route: { method: 'GET', path: '/teams/{id}' },
      named: { id: naming('teams') },
    },
    (call, { id }) => call('teams.get', { id }),
  ),

  'projects.find': recipe(
    'read',
    'Gets a project, by name or id, with its text, members, milestones and last report. Its issues are in tracker_issues_list',
    { id: recordId('The project by name or id', 'Name or id') },
    {
      tool: 'tracker_project_get',
      output: outputs.projectInFull,
      route: { method: 'GET', path: '/projects/{id}' },
      named: { id: naming('projects') },
    },
    (call, { id }) => call('projects.get', { id }),
  ),

  'initiatives.find': recipe(
    'read',
    'Gets an initiative, by name or id, with its text, projects and last report. Names come from tracker_initiatives_list',
    { id: recordId('The initiative by name or id', 'Name or id') },
    {
      tool: 'tracker_initiative_get',
      output: outputs.initiativeInFull,
      route: { method: 'GET', path: '/initiatives/{id}' },
      named: { id: naming('initiatives') },
    },
    (call, { id }) => call('initiatives.get', { id }),
  ),

  'cycles.get': recipe(
    'read',
    'Gets a cycle, by id, or with its team by number, name or "current", "next" or "previous". Others come from tracker_cycles_list, its issues from tracker_issues_list',
    {
      id: recordId(
        'The cycle by id; with a team also by number or name, or "current", "next" or "previous"',
        'Id; with team also number, name, "current", "next", "previous"',
      ),
      team: optionalText('Team by key ("ENG"), name or id', 'Key ("ENG"), name or id'),
    },
    {
      tool: 'tracker_cycle_get',
      output: outputs.oneCycle,
      route: { method: 'GET', path: '/cycles/{id}' },
      named: { id: naming('cycles'), team: naming('teams') },
    },
    async (call, { id, team }) => {
      const within = team === undefined ? {} : { team: { id: { eq: team } } };
      const filter = { id: { eq: id }, ...within };
      const listed = await call('cycles.list', { first: 1, includeArchived: true, filter });
      const found = parsed(listed, z.array(z.unknown()));
      if (!found.ok) return found;
      const [cycle] = found.data;
      return cycle === undefined ? failed('not_found', `There is no cycle "${id}".`) : succeeded(cycle);
    },
  ),

  'project_statuses.list': recipe(
    'read',
    'Lists the statuses of projects; those that projects have, and the usual ones',
    {},
    { output: outputs.projectStatuses },
    async (call) => {
      const listed = parsed(await call('projects.list', { first: 100, includeArchived: true }), statusHolders);
      const names = listed.ok ? listed.data.flatMap(({ status }) => status ?? []) : [];
      const usual = usualStatuses.filter((name) => !names.some((one) => one.name === name));
      const all = [...names, ...usual.map((name) => ({ id: name, name }))];
      return listed.ok ? succeeded([...new Map(all.map((one) => [one.id, one])).values()]) : listed;
    },
  ),
} as const;
