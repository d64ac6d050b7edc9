import { z } from 'zod';
import {
  clearableDay,
  clearableText,
  color,
  day,
  initiativeStatus,
  markdown,
  moment,
  optionalText,
  ownId,
  priority,
  recordId,
  text,
  texts,
} from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { ownResourceTypes, withOwnResourceTypes } from '#adapters/services/tracker/resource-types.ts';
import * as selected from '#adapters/services/tracker/selections.ts';
import { change } from '#adapters/services/tracker/table.ts';
import { variable } from '#adapters/services/tracker/variables.ts';

const none = {};
const idOf = (what: string) => ({ id: variable('String!', recordId(`The id of the ${what}`)) });

/** Mutations of projects, cycles, documents, initiatives and webhooks (contract, Outbound: tracker). */
export const planningChanges = {
  'projects.create': change('projectCreate', {
    summary: 'Creates a project',
    args: none,
    input: {
      name: variable('String!', text('The name')),
      teamIds: variable(
        '[String!]!',
        z.array(recordId('The id of a team')).min(1).max(100).describe('The ids of its teams'),
      ),
      description: variable('String', optionalText('What it is about, in at most 255 characters')),
      content: variable('String', markdown('The overview')),
      leadId: variable('String', optionalText('The id of the user who leads it')),
      memberIds: variable('[String!]', texts('The ids of its members')),
      statusId: variable('String', optionalText('The id of its status, as other projects show it')),
      priority: variable('Int', priority),
      startDate: variable('TimelessDate', day('The day it starts')),
      targetDate: variable('TimelessDate', day('The day it is to be done')),
      color: variable('String', color),
      icon: variable('String', optionalText('The name of an icon')),
      id: variable('String', ownId),
    },
    affected: `project ${selected.project}`,
    output: outputs.changedProject,
    route: { method: 'POST', path: '/projects' },
  }),
  'projects.update': change('projectUpdate', {
    summary: 'Changes a project; only what is given changes',
    args: idOf('project'),
    input: {
      name: variable('String', optionalText('The name')),
      description: variable('String', optionalText('What it is about, in at most 255 characters')),
      content: variable('String', markdown('The overview')),
      teamIds: variable('[String!]', texts('The ids of its teams, in place of those it has')),
      leadId: variable('String', clearableText('The id of the user who leads it')),
      memberIds: variable('[String!]', texts('The ids of its members, in place of those it has')),
      statusId: variable('String', optionalText('The id of its status, as other projects show it')),
      priority: variable('Int', priority),
      startDate: variable('TimelessDate', clearableDay('The day it starts')),
      targetDate: variable('TimelessDate', clearableDay('The day it is to be done')),
      color: variable('String', color),
      icon: variable('String', clearableText('The name of an icon')),
    },
    affected: `project ${selected.project}`,
    output: outputs.changedProject,
    route: { method: 'PATCH', path: '/projects/{id}' },
    isIdempotent: true,
  }),
  'projects.archive': change('projectArchive', {
    summary: 'Archives a project',
    args: idOf('project'),
    input: none,
    affected: `entity ${selected.project}`,
    output: outputs.changedProject,
    route: { method: 'POST', path: '/projects/{id}/archive' },
    isIdempotent: true,
  }),

  'cycles.create': change('cycleCreate', {
    summary: 'Creates a cycle of a team',
    args: none,
    input: {
      teamId: variable('String!', recordId('The id of the team')),
      startsAt: variable('DateTime!', moment('When it starts')),
      endsAt: variable('DateTime!', moment('When it ends')),
      name: variable('String', optionalText('The name; cycles have a number without it')),
      description: variable('String', optionalText('What it is about')),
    },
    affected: `cycle ${selected.cycle}`,
    output: outputs.oneCycle,
    route: { method: 'POST', path: '/cycles' },
  }),
  'cycles.update': change('cycleUpdate', {
    summary: 'Changes a cycle; only what is given changes',
    args: idOf('cycle'),
    input: {
      name: variable('String', clearableText('The name')),
      description: variable('String', clearableText('What it is about')),
      startsAt: variable('DateTime', moment('When it starts').optional()),
      endsAt: variable('DateTime', moment('When it ends').optional()),
      completedAt: variable('DateTime', moment('When it was completed').optional()),
    },
    affected: `cycle ${selected.cycle}`,
    output: outputs.oneCycle,
    route: { method: 'PATCH', path: '/cycles/{id}' },
    isIdempotent: true,
  }),

  'documents.create': change('documentCreate', {
    summary: 'Creates a document; in a project, initiative, issue or team',
    args: none,
    input: {
      title: variable('String!', text('The title')),
      content: variable('String', markdown('The text')),
      projectId: variable('String', optionalText('The id of the project it belongs to')),
      initiativeId: variable('String', optionalText('The id of the initiative it belongs to')),
      issueId: variable('String', optionalText('The issue it belongs to, by identifier or id')),
      teamId: variable('String', optionalText('The id of the team it belongs to')),
      color: variable('String', color),
      icon: variable('String', optionalText('The name of an icon')),
      id: variable('String', ownId),
    },
    affected: `document ${selected.documentChanged}`,
    output: outputs.changedDocument,
    route: { method: 'POST', path: '/documents' },
  }),
  'documents.update': change('documentUpdate', {
    summary: 'Changes a document; only what is given changes',
    args: idOf('document'),
    input: {
      title: variable('String', optionalText('The title')),
      content: variable('String', markdown('The text, in place of what is there')),
      projectId: variable('String', optionalText('The id of the project it moves to')),
      color: variable('String', color),
      icon: variable('String', clearableText('The name of an icon')),
    },
    affected: `document ${selected.documentChanged}`,
    output: outputs.changedDocument,
    route: { method: 'PATCH', path: '/documents/{id}' },
    isIdempotent: true,
  }),
  'documents.delete': change('documentDelete', {
    summary: 'Deletes a document',
    args: idOf('document'),
    input: none,
    affected: `entity ${selected.document}`,
    output: outputs.deletedDocument,
    route: { method: 'DELETE', path: '/documents/{id}' },
    effect: 'destroy',
    isIdempotent: true,
  }),

  'initiatives.create': change('initiativeCreate', {
    summary: 'Creates an initiative',
    args: none,
    input: {
      name: variable('String!', text('The name')),
      description: variable('String', optionalText('What it is about')),
      content: variable('String', markdown('The overview')),
      ownerId: variable('String', optionalText('The id of the user who owns it')),
      status: variable('InitiativeStatus', initiativeStatus),
      targetDate: variable('TimelessDate', day('The day it is to be done')),
      color: variable('String', color),
      icon: variable('String', optionalText('The name of an icon')),
      id: variable('String', ownId),
    },
    affected: `initiative ${selected.initiative}`,
    output: outputs.oneInitiative,
    route: { method: 'POST', path: '/initiatives' },
  }),
  'initiatives.update': change('initiativeUpdate', {
    summary: 'Changes an initiative; only what is given changes',
    args: idOf('initiative'),
    input: {
      name: variable('String', optionalText('The name')),
      description: variable('String', clearableText('What it is about')),
      content: variable('String', markdown('The overview')),
      ownerId: variable('String', clearableText('The id of the user who owns it')),
      status: variable('InitiativeStatus', initiativeStatus),
      targetDate: variable('TimelessDate', clearableDay('The day it is to be done')),
      color: variable('String', color),
      icon: variable('String', clearableText('The name of an icon')),
    },
    affected: `initiative ${selected.initiative}`,
    output: outputs.oneInitiative,
    route: { method: 'PATCH', path: '/initiatives/{id}' },
    isIdempotent: true,
  }),

  'webhooks.create': change('webhookCreate', {
    summary: 'Registers an address that the tracker sends events to',
    args: none,
    input: {
      url: variable('String!', z.url({ protocol: /^https?$/ }).describe('Where events are sent')),
      resourceTypes: variable(
        '[String!]!',
        z
          .array(z.string().min(1))
          .min(1)
          .describe(`What events are about: ${Object.keys(ownResourceTypes).join(', ')}`),
      ),
      allPublicTeams: variable(
        'Boolean',
        z.boolean().optional().describe('Whether it is for all public teams; else teamId is needed'),
      ),
      teamId: variable('String', optionalText('The id or key of the team it is for')),
      label: variable('String', optionalText('What it is called in the settings')),
      secret: variable('String', optionalText('The signing secret; the tracker makes one when none is given')),
      enabled: variable('Boolean', z.boolean().optional().describe('Whether it is on; true when not given')),
      id: variable('String', ownId),
    },
    affected: `webhook ${selected.webhook}`,
    output: outputs.oneWebhook,
    route: { method: 'POST', path: '/webhooks' },
    own: { adapt: withOwnResourceTypes },
  }),
  'webhooks.delete': change('webhookDelete', {
    summary: 'Removes a registered address',
    args: idOf('webhook'),
    input: none,
    affected: 'entityId',
    output: outputs.deleted,
    route: { method: 'DELETE', path: '/webhooks/{id}' },
    effect: 'destroy',
    isIdempotent: true,
  }),
} as const;
