import { z } from 'zod';
import { recipesOver } from '#adapters/services/recipe-rows.ts';
import {
  assigneeIs,
  cycleIs,
  nameIs,
  slugIs,
  teamIs,
  userIs,
  when,
} from '#adapters/services/tracker/details/filters.ts';
import { initiativeStatus, optionalText } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { contains, listing, listNarrowed, team } from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';

const recipe = recipesOver(rows);

/** The list tools for planning: convenient filters besides the tracker's own (TOOL-001). */
export const planningLists = {
  'projects.search': recipe(
    'read',
    'Lists projects, by team, lead, status, text or any filter. Overview, members and milestones of one are in tracker_project_get',
    {
      team,
      lead: optionalText('"me", "none", or a user by e-mail, name or id'),
      status: optionalText('A status by name, such as "In Progress"'),
      statusType: z
        .enum(['backlog', 'planned', 'started', 'paused', 'completed', 'canceled'])
        .optional()
        .describe('Status of this type'),
      query: optionalText('Text in the name'),
      ...listing('ProjectFilter'),
    },
    { tool: 'tracker_projects_list', output: outputs.projectPages, route: { method: 'GET', path: '/projects' } },
    async (call, { team, lead, status, statusType, query, filter, ...paging }) => {
      const filters = [
        filter,
        when(team, (name) => ({ accessibleTeams: { some: teamIs(name) } })),
        when(lead, (name) => ({ lead: assigneeIs(name) })),
        when(status, (name) => ({ status: nameIs(name) })),
        when(statusType, (type) => ({ status: { type: { eq: type } } })),
        when(query, (text) => ({ name: contains(text) })),
      ];
      return listNarrowed(call, 'projects.list', paging, {
        filters,
        names: [
          ['teams', team],
          ['users', lead?.toLowerCase() === 'none' ? undefined : lead],
        ],
        team,
      });
    },
  ),

  'cycles.search': recipe(
    'read',
    'Lists cycles, by team, time or any filter. For the current one use tracker_cycle_get; for its issues, tracker_issues_list',
    {
      team,
      when: z.enum(['current', 'next', 'previous', 'past', 'future']).optional().describe('Only cycles of this time'),
      ...listing('CycleFilter'),
    },
    { tool: 'tracker_cycles_list', output: outputs.cyclePages, route: { method: 'GET', path: '/cycles' } },
    async (call, { team, when: time, filter, ...paging }) => {
      const times = { past: { isPast: { eq: true } }, future: { isFuture: { eq: true } } } as const;
      const filters = [
        filter,
        when(team, (name) => ({ team: teamIs(name) })),
        when(time, (word) => (word === 'past' || word === 'future' ? times[word] : cycleIs(word))),
      ];
      return listNarrowed(call, 'cycles.list', paging, { filters, names: [['teams', team]], team });
    },
  ),

  'initiatives.search': recipe(
    'read',
    'Lists initiatives, by status, owner, text or any filter. Overview and projects of one are in tracker_initiative_get',
    {
      status: initiativeStatus,
      owner: optionalText('"me", or a user by e-mail, name or id'),
      query: optionalText('Text in the name'),
      ...listing('InitiativeFilter'),
    },
    {
      tool: 'tracker_initiatives_list',
      output: outputs.initiativePages,
      route: { method: 'GET', path: '/initiatives' },
    },
    async (call, { status, owner, query, filter, ...paging }) => {
      const filters = [
        filter,
        when(status, (word) => ({ status: { eq: word } })),
        when(owner, (name) => ({ owner: userIs(name) })),
        when(query, (text) => ({ name: contains(text) })),
      ];
      return listNarrowed(call, 'initiatives.list', paging, { filters, names: [['users', owner]] });
    },
  ),

  'documents.search': recipe(
    'read',
    'Lists documents, by project, initiative, text in the title or any filter. tracker_document_update takes their ids; their texts are at their url',
    {
      project: optionalText('Project by name or id'),
      initiative: optionalText('An initiative by name or id'),
      query: optionalText('Text in the title'),
      ...listing('DocumentFilter'),
    },
    { tool: 'tracker_documents_list', output: outputs.documentPages, route: { method: 'GET', path: '/documents' } },
    async (call, { project, initiative, query, filter, ...paging }) => {
      const filters = [
        filter,
        when(project, (name) => ({ project: slugIs(name) })),
        when(initiative, (name) => ({ initiative: slugIs(name) })),
        when(query, (text) => ({ title: contains(text) })),
      ];
      return listNarrowed(call, 'documents.list', paging, {
        filters,
        names: [
          ['projects', project],
          ['initiatives', initiative],
        ],
      });
    },
  ),

  'users.search': recipe(
    'read',
    'Lists users, by text or any filter. Other tools accept their names as assignee, lead or owner',
    {
      query: optionalText('Text in name or e-mail'),
      includeDisabled: z.boolean().optional().describe('Whether to include disabled users'),
      ...listing('UserFilter'),
    },
    { tool: 'tracker_users_list', output: outputs.userPages, route: { method: 'GET', path: '/users' } },
    async (call, { query, filter, ...paging }) => {
      const anywhere = (text: string) => ({
        or: [{ name: contains(text) }, { displayName: contains(text) }, { email: contains(text) }],
      });
      return listNarrowed(call, 'users.list', paging, { filters: [filter, when(query, anywhere)] });
    },
  ),
} as const;
