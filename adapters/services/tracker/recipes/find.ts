import { z } from 'zod';
import { recipesOver } from '#adapters/services/recipe-rows.ts';
import { cycleIs, teamIs } from '#adapters/services/tracker/details/filters.ts';
import { optionalText, recordId } from '#adapters/services/tracker/inputs.ts';
import { type Call, type Named, resolveNames } from '#adapters/services/tracker/names.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { namedIn } from '#adapters/services/tracker/recipes/naming.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const recipe = recipesOver(rows);

/** Looks up a record by name, then reads it by id. */
const readNamed =
  (kind: Named['kind'], row: 'teams.get' | 'projects.get' | 'initiatives.get') =>
  async (call: Call, { id: name }: Readonly<{ id: string }>): Promise<Outcome> => {
    const names = await resolveNames(call, [{ kind, name }], null);
    return names.ok ? call(row, { id: names.data(kind, name) }) : names;
  };

/** Tools that get one record by name or id (TOOL-007). */
export const findRecipes = {
  'teams.find': recipe(
    'read',
    'Gets a team, by key, name or id, with its workflow states and members. Teams are in tracker_teams_list',
    { id: recordId('Team by key ("ENG"), name or id') },
    { tool: 'tracker_team_get', output: outputs.teamInFull, route: { method: 'GET', path: '/teams/{id}' } },
    readNamed('teams', 'teams.get'),
  ),

  'projects.find': recipe(
    'read',
    'Gets a project, by name or id, with its text, members, milestones and last report. Its issues are in tracker_issues_list',
    { id: recordId('The project by name or id') },
    { tool: 'tracker_project_get', output: outputs.projectInFull, route: { method: 'GET', path: '/projects/{id}' } },
    readNamed('projects', 'projects.get'),
  ),

  'initiatives.find': recipe(
    'read',
    'Gets an initiative, by name or id, with its text, projects and last report. Names come from tracker_initiatives_list',
    { id: recordId('The initiative by name or id') },
    {
      tool: 'tracker_initiative_get',
      output: outputs.initiativeInFull,
      route: { method: 'GET', path: '/initiatives/{id}' },
    },
    readNamed('initiatives', 'initiatives.get'),
  ),

  'cycles.get': recipe(
    'read',
    'Gets a cycle, by id, or with its team by number, name or "current", "next" or "previous". Others come from tracker_cycles_list, its issues from tracker_issues_list',
    {
      id: recordId('The cycle by id; with a team also by number or name, or "current", "next" or "previous"'),
      team: optionalText('Team by key ("ENG"), name or id'),
    },
    { tool: 'tracker_cycle_get', output: outputs.oneCycle, route: { method: 'GET', path: '/cycles/{id}' } },
    async (call, { id, team }) => {
      const within = team === undefined ? {} : { team: teamIs(team) };
      const outcome = await call('cycles.list', {
        first: 10,
        includeArchived: true,
        filter: { ...cycleIs(id), ...within },
      });
      if (!outcome.ok) return outcome;
      const [only, ...others] = z.array(z.unknown()).parse(outcome.data);
      if (only !== undefined && others.length === 0) return succeeded(only);
      if (others.length > 0) {
        return failed(
          'invalid_input',
          `"${id}" names ${others.length + 1} cycles or more. Give \`team\`, or the id of the cycle.`,
        );
      }
      const names = await resolveNames(
        call,
        [{ kind: 'cycles', name: id }, ...namedIn([['teams', team]])],
        team ?? null,
      );
      return names.ok ? failed('not_found', `There is no cycle "${id}".`) : names;
    },
  ),
} as const;
