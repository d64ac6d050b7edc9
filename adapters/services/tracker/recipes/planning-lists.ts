import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { cycleIs, when } from '#adapters/services/tracker/details/filters.ts';
import { initiativeStatus, optionalText } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import {
  contains,
  listBy,
  listing,
  narrowing,
  narrowingSome,
  team,
} from '#adapters/services/tracker/recipes/narrowing.ts';
import { rows } from '#adapters/services/tracker/rows.ts';

const recipe = recipesOver(rows);

/** The list tools for planning: convenient filters besides the tracker's own (TOOL-001). */
export const planningLists = {
  'projects.search': recipe(
    'read',
    'Lists projects, by team, lead, status, text or any filter. Overview, members and milestones of one are in tracker_project_get',
    {
      team,
      lead: optionalText('"me", "none", or a user by e-mail, name or id', '"me", "none", e-mail, name or id'),
      status: optionalText('A status by name, such as "In Progress"'),
      statusType: z
        .enum(['backlog', 'planned', 'started', 'paused', 'completed', 'canceled'])
        .optional()
        .describe('Status of this type'),
      query: optionalText('Text in the name'),
      ...listing('ProjectFilter'),
    },
    {
      tool: 'tracker_projects_list',
      output: outputs.projectPages,
      route: { method: 'GET', path: '/projects' },
      named: {
        team: narrowingSome('teams', 'accessibleTeams'),
        lead: narrowing('users', 'lead'),
        status: narrowing('projectStatuses', 'status'),
      },
    },
    async (call, { statusType, query, filter, ...paging }) =>
      listBy(call, 'projects.list', paging, [
        filter,
        when(statusType, (type) => ({ status: { type: { eq: type } } })),
        when(query, (text) => ({ name: contains(text) })),
      ]),
  ),

  'cycles.search': recipe(
    'read',
    'Lists cycles, by team, time or any filter. For the current one use tracker_cycle_get; for its issues, tracker_issues_list',
    {
      team,
      when: z.enum(['current', 'next', 'previous', 'past', 'future']).optional().describe('Only cycles of this time'),
      ...listing('CycleFilter'),
    },
    {
      tool: 'tracker_cycles_list',
      output: outputs.cyclePages,
      route: { method: 'GET', path: '/cycles' },
      named: { team: narrowing('teams', 'team') },
    },
    async (call, { when: time, filter, ...paging }) => {
      const times = { past: { isPast: { eq: true } }, future: { isFuture: { eq: true } } } as const;
      const ofTime = when(time, (word) => (word === 'past' || word === 'future' ? times[word] : cycleIs(word)));
      return listBy(call, 'cycles.list', paging, [filter, ofTime]);
    },
  ),

  'initiatives.search': recipe(
    'read',
    'Lists initiatives, by status, owner, text or any filter. Overview and projects of one are in tracker_initiative_get',
    {
      status: initiativeStatus,
      owner: optionalText('"me", or a user by e-mail, name or id', '"me", e-mail, name or id'),
      query: optionalText('Text in the name'),
      ...listing('InitiativeFilter'),
    },
    {
      tool: 'tracker_initiatives_list',
      output: outputs.initiativePages,
      route: { method: 'GET', path: '/initiatives' },
      named: { owner: narrowing('users', 'owner') },
    },
    async (call, { status, query, filter, ...paging }) =>
      listBy(call, 'initiatives.list', paging, [
        filter,
        when(status, (word) => ({ status: { eq: word } })),
        when(query, (text) => ({ name: contains(text) })),
      ]),
  ),

  'documents.search': recipe(
    'read',
    'Lists documents, by project, initiative, text in the title or any filter. tracker_document_update takes their ids; their texts are at their url',
    {
      project: optionalText('Project by name or id', 'Name or id'),
      initiative: optionalText('An initiative by name or id', 'Name or id'),
      query: optionalText('Text in the title'),
      ...listing('DocumentFilter'),
    },
    {
      tool: 'tracker_documents_list',
      output: outputs.documentPages,
      route: { method: 'GET', path: '/documents' },
      named: { project: narrowing('projects', 'project'), initiative: narrowing('initiatives', 'initiative') },
    },
    async (call, { query, filter, ...paging }) =>
      listBy(call, 'documents.list', paging, [filter, when(query, (text) => ({ title: contains(text) }))]),
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
      return listBy(call, 'users.list', paging, [filter, when(query, anywhere)]);
    },
  ),
} as const;
