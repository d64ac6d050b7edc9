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
import { filterInput, initiativeStatus, optionalText, page, projection } from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import {
  checkedWhenEmpty,
  contains,
  filtered,
  isLater,
  namesIn,
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
      lead: optionalText('"me", "none", or a user by e-mail, name or id'),
      status: optionalText('A status by name, such as "In Progress"'),
      statusType: z
        .enum(['backlog', 'planned', 'started', 'paused', 'completed', 'canceled'])
        .optional()
        .describe('Status of this type'),
      query: optionalText('Text in the name'),
      filter: filterInput('ProjectFilter'),
      ...page,
      fields: projection,
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
      const outcome = await call('projects.list', { ...paging, ...filtered(filters) });
      const named = namesIn({ teams: team, users: lead?.toLowerCase() === 'none' ? undefined : lead });
      return checkedWhenEmpty(call, { outcome, isLater: isLater(paging), named, team });
    },
  ),

  'cycles.search': recipe(
    'read',
    'Lists cycles, by team, time or any filter. For the current one use tracker_cycle_get; for its issues, tracker_issues_list',
    {
      team,
      when: z.enum(['current', 'next', 'previous', 'past', 'future']).optional().describe('Only cycles of this time'),
      filter: filterInput('CycleFilter'),
      ...page,
      fields: projection,
    },
    { tool: 'tracker_cycles_list', output: outputs.cyclePages, route: { method: 'GET', path: '/cycles' } },
    async (call, { team, when: time, filter, ...paging }) => {
      const times = { past: { isPast: { eq: true } }, future: { isFuture: { eq: true } } } as const;
      const filters = [
        filter,
        when(team, (name) => ({ team: teamIs(name) })),
        when(time, (word) => (word === 'past' || word === 'future' ? times[word] : cycleIs(word))),
      ];
      const outcome = await call('cycles.list', { ...paging, ...filtered(filters) });
      return checkedWhenEmpty(call, {
        outcome,
        isLater: isLater(paging),
        named: namesIn({ teams: team }),
        team,
      });
    },
  ),

  'initiatives.search': recipe(
    'read',
    'Lists initiatives, by status, owner, text or any filter. Overview and projects of one are in tracker_initiative_get',
    {
      status: initiativeStatus,
      owner: optionalText('"me", or a user by e-mail, name or id'),
      query: optionalText('Text in the name'),
      filter: filterInput('InitiativeFilter'),
      ...page,
      fields: projection,
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
      const outcome = await call('initiatives.list', { ...paging, ...filtered(filters) });
      const named = namesIn({ users: owner });
      return checkedWhenEmpty(call, { outcome, isLater: isLater(paging), named, team: undefined });
    },
  ),

  'documents.search': recipe(
    'read',
    'Lists documents, by project, initiative, text in the title or any filter. tracker_document_update takes their ids; their texts are at their url',
    {
      project: optionalText('Project by name or id'),
      initiative: optionalText('An initiative by name or id'),
      query: optionalText('Text in the title'),
      filter: filterInput('DocumentFilter'),
      ...page,
      fields: projection,
    },
    { tool: 'tracker_documents_list', output: outputs.documentPages, route: { method: 'GET', path: '/documents' } },
    async (call, { project, initiative, query, filter, ...paging }) => {
      const filters = [
        filter,
        when(project, (name) => ({ project: slugIs(name) })),
        when(initiative, (name) => ({ initiative: slugIs(name) })),
        when(query, (text) => ({ title: contains(text) })),
      ];
      const outcome = await call('documents.list', { ...paging, ...filtered(filters) });
      const named = namesIn({ projects: project, initiatives: initiative });
      return checkedWhenEmpty(call, { outcome, isLater: isLater(paging), named, team: undefined });
    },
  ),

  'users.search': recipe(
    'read',
    'Lists users, by text or any filter. Other tools accept their names as assignee, lead or owner',
    {
      query: optionalText('Text in name or e-mail'),
      includeDisabled: z.boolean().optional().describe('Whether to include disabled users'),
      filter: filterInput('UserFilter'),
      ...page,
      fields: projection,
    },
    { tool: 'tracker_users_list', output: outputs.userPages, route: { method: 'GET', path: '/users' } },
    async (call, { query, filter, ...paging }) => {
      const anywhere = (text: string) => ({
        or: [{ name: contains(text) }, { displayName: contains(text) }, { email: contains(text) }],
      });
      return call('users.list', { ...paging, ...filtered([filter, when(query, anywhere)]) });
    },
  ),
} as const;
