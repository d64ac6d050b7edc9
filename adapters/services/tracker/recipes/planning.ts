import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import {
  clearableDay,
  clearableText,
  day,
  markdown,
  moment,
  optionalText,
  priority,
  recordId,
  text,
} from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { naming } from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { failed } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);

const named = (what: string) => optionalText(`${what} by name or id`);

/** Tools that create and change projects, cycles and documents, and accept names as well as ids (TOOL-007). */
export const planningRecipes = {
  'projects.make': recipe(
    'add',
    'Creates a project; names come from tracker_teams_list and tracker_users_list. Each call creates another one',
    {
      name: text('The name'),
      teams: z
        .array(recordId('A team'))
        .min(1)
        .max(20)
        .describe('Its teams, each by key ("ENG"), name or id')
        .meta(inLists('Keys ("ENG"), names or ids')),
      description: optionalText('What it is about, in at most 255 characters'),
      content: markdown('The overview'),
      lead: optionalText('"me", or a user by e-mail, name or id', '"me", e-mail, name or id'),
      priority,
      startDate: day('The start date'),
      targetDate: day('The target date'),
    },
    {
      tool: 'tracker_project_create',
      standsFor: ['projects.create'],
      output: outputs.changedProject,
      aliases: { teamIds: 'teams', leadId: 'lead' },
      named: { teams: naming('teams'), lead: naming('users') },
    },
    (call, { teams, lead, ...rest }) => call('projects.create', { ...rest, teamIds: teams, leadId: lead }),
  ),

  'projects.change': recipe(
    'change',
    'Updates a project; only given inputs change, null clears, and names are accepted as ids. Statuses are in tracker_projects_list',
    {
      project: recordId('The project by name or id', 'Name or id'),
      name: optionalText('The name'),
      description: optionalText('What it is about, in at most 255 characters'),
      content: markdown('The new overview'),
      teams: z.array(recordId('A team')).min(1).max(20).optional().describe('Its teams, each by key, name or id'),
      lead: clearableText('"me", or a user by e-mail, name or id', '"me", e-mail, name or id'),
      statusId: optionalText('The id of its status, as other projects show it'),
      priority,
      startDate: clearableDay('The start date'),
      targetDate: clearableDay('The target date'),
    },
    {
      tool: 'tracker_project_update',
      standsFor: ['projects.update'],
      output: outputs.changedProject,
      isIdempotent: true,
      effectBy: whenGiven('lose', 'content', 'teams'),
      aliases: { id: 'project', teamIds: 'teams', leadId: 'lead' },
      named: { project: naming('projects'), teams: naming('teams'), lead: naming('users') },
    },
    (call, { project, teams, lead, ...rest }) =>
      call('projects.update', { ...rest, id: project, teamIds: teams, leadId: lead }),
  ),

  'cycles.make': recipe(
    'add',
    'Creates a cycle of a team; it must not overlap another one (tracker_cycles_list)',
    {
      team: recordId('Team by key ("ENG"), name or id', 'Key ("ENG"), name or id'),
      startsAt: moment('When it starts'),
      endsAt: moment('When it ends'),
      name: optionalText('The name; cycles are numbered without one'),
      description: optionalText('What it is about'),
    },
    {
      tool: 'tracker_cycle_create',
      standsFor: ['cycles.create'],
      output: outputs.oneCycle,
      aliases: { teamId: 'team' },
      named: { team: naming('teams') },
    },
    (call, { team, ...rest }) => call('cycles.create', { ...rest, teamId: team }),
  ),

  'documents.make': recipe(
    'add',
    'Creates a document, in exactly one project, initiative, issue or team. To edit one use tracker_document_update',
    {
      title: text('The title'),
      content: markdown('The text'),
      project: named('The project it belongs to,'),
      initiative: named('The initiative it belongs to,'),
      issue: optionalText('The issue it belongs to, by identifier ("ENG-123") or id', 'Identifier ("ENG-123") or id'),
      team: optionalText('The team it belongs to, by key, name or id', 'Key, name or id'),
    },
    {
      tool: 'tracker_document_create',
      standsFor: ['documents.create'],
      output: outputs.changedDocument,
      aliases: { projectId: 'project', initiativeId: 'initiative', issueId: 'issue', teamId: 'team' },
      named: { project: naming('projects'), initiative: naming('initiatives'), team: naming('teams') },
    },
    async (call, { title, content, project, initiative, issue, team }) => {
      if ([project, initiative, issue, team].filter((place) => place !== undefined).length !== 1) {
        return failed(
          'invalid_input',
          'A document belongs to one place: give one of `project`, `initiative`, `issue` and `team`.',
        );
      }
      return call('documents.create', {
        title,
        content,
        issueId: issue,
        projectId: project,
        initiativeId: initiative,
        teamId: team,
      });
    },
  ),

  'documents.change': recipe(
    'change',
    'Updates a document; only given inputs change, and `content` replaces the whole text. Its id comes from tracker_documents_list',
    {
      id: recordId('The id of the document'),
      title: optionalText('The title'),
      content: markdown('The new text'),
      project: named('The project it moves to,'),
    },
    {
      tool: 'tracker_document_update',
      standsFor: ['documents.update'],
      output: outputs.changedDocument,
      isIdempotent: true,
      effectBy: whenGiven('lose', 'content'),
      aliases: { projectId: 'project' },
      named: { project: naming('projects') },
    },
    (call, { project, ...rest }) => call('documents.update', { ...rest, projectId: project }),
  ),
} as const;
