import { z } from 'zod';
import { variable } from '#adapters/services/tracker/details/variables.ts';
import { initiativeStatus, moment, recordId, resourceTypes } from '#adapters/services/tracker/inputs.ts';
import { act, create, remove, update } from '#adapters/services/tracker/operations/change-rows.ts';
import {
  asMarkdown,
  changedLook,
  clearable,
  clearableOnDay,
  flag,
  idOf,
  look,
  madeByCaller,
  needed,
  ofId,
  onDay,
  optional,
  several,
  urgency,
} from '#adapters/services/tracker/operations/members.ts';
import * as selected from '#adapters/services/tracker/operations/selections.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';

/** Mutations of projects, cycles, documents, initiatives and webhooks (TRACK-003). */
export const planningChanges = {
  'projects.create': create('projectCreate', '/projects', {
    summary: 'Creates a project',
    input: {
      name: needed('The name'),
      teamIds: variable(
        '[String!]!',
        z.array(recordId('The id of a team')).min(1).max(100).describe('The ids of its teams'),
      ),
      description: optional('What it is about, in at most 255 characters'),
      content: asMarkdown('The overview'),
      leadId: optional('The id of the user who leads it'),
      memberIds: several('The ids of its members'),
      statusId: optional('The id of its status, as other projects show it'),
      priority: urgency,
      startDate: onDay('The start date'),
      targetDate: onDay('The target date'),
      ...look,
      id: madeByCaller,
    },
    affected: `project ${selected.project}`,
    output: outputs.changedProject,
  }),
  'projects.update': update('projectUpdate', '/projects/{id}', {
    summary: 'Updates a project; only given inputs change',
    effectBy: whenGiven('lose', 'content', 'teamIds', 'memberIds'),
    args: idOf('project'),
    input: {
      name: optional('The name'),
      description: optional('What it is about, in at most 255 characters'),
      content: asMarkdown('The overview'),
      teamIds: several('The ids of its teams, replacing the current ones'),
      leadId: clearable('The id of the user who leads it'),
      memberIds: several('The ids of its members, replacing the current ones'),
      statusId: optional('The id of its status, as other projects show it'),
      priority: urgency,
      startDate: clearableOnDay('The start date'),
      targetDate: clearableOnDay('The target date'),
      ...changedLook,
    },
    affected: `project ${selected.project}`,
    output: outputs.changedProject,
  }),
  'projects.archive': act('projectArchive', '/projects/{id}/archive', {
    summary: 'Archives a project',
    effect: 'lose',
    args: idOf('project'),
    affected: `entity ${selected.project}`,
    output: outputs.changedProject,
  }),
  // Takes the archiving of a project back (UNDO-024).
  'projects.unarchive': act('projectUnarchive', '/projects/{id}/unarchive', {
    summary: 'Restores an archived project',
    args: idOf('project'),
    affected: `entity ${selected.project}`,
    output: outputs.changedProject,
  }),

  'cycles.create': create('cycleCreate', '/cycles', {
    summary: 'Creates a cycle of a team',
    input: {
      teamId: ofId('The id of the team'),
      startsAt: variable('DateTime!', moment('When it starts')),
      endsAt: variable('DateTime!', moment('When it ends')),
      name: optional('The name; cycles are numbered without one'),
      description: optional('What it is about'),
    },
    affected: `cycle ${selected.cycle}`,
    output: outputs.oneCycle,
  }),
  'cycles.update': update('cycleUpdate', '/cycles/{id}', {
    summary: 'Updates a cycle; only given inputs change',
    args: idOf('cycle'),
    input: {
      name: clearable('The name'),
      description: clearable('What it is about'),
      startsAt: variable('DateTime', moment('When it starts').optional()),
      endsAt: variable('DateTime', moment('When it ends').optional()),
      completedAt: variable('DateTime', moment('When it was completed').optional()),
    },
    affected: `cycle ${selected.cycle}`,
    output: outputs.oneCycle,
  }),

  'documents.create': create('documentCreate', '/documents', {
    summary: 'Creates a document in a project, initiative, issue or team',
    input: {
      title: needed('The title'),
      content: asMarkdown('The text'),
      projectId: optional('The id of the project it belongs to'),
      initiativeId: optional('The id of the initiative it belongs to'),
      issueId: optional('The issue it belongs to, by identifier or id'),
      teamId: optional('The id of the team it belongs to'),
      ...look,
      id: madeByCaller,
    },
    affected: `document ${selected.documentChanged}`,
    output: outputs.changedDocument,
  }),
  'documents.update': update('documentUpdate', '/documents/{id}', {
    summary: 'Updates a document; only given inputs change',
    effectBy: whenGiven('lose', 'content'),
    args: idOf('document'),
    input: {
      title: optional('The title'),
      content: asMarkdown('The new text'),
      projectId: optional('The id of the project it moves to'),
      ...changedLook,
    },
    affected: `document ${selected.documentChanged}`,
    output: outputs.changedDocument,
  }),
  'documents.delete': remove('documentDelete', '/documents/{id}', {
    summary: 'Deletes a document',
    args: idOf('document'),
    affected: `entity ${selected.document}`,
    output: outputs.deletedDocument,
  }),

  'initiatives.create': create('initiativeCreate', '/initiatives', {
    summary: 'Creates an initiative',
    input: {
      name: needed('The name'),
      description: optional('What it is about'),
      content: asMarkdown('The overview'),
      ownerId: optional('The id of the user who owns it'),
      status: variable('InitiativeStatus', initiativeStatus),
      targetDate: onDay('The target date'),
      ...look,
      id: madeByCaller,
    },
    affected: `initiative ${selected.initiative}`,
    output: outputs.oneInitiative,
  }),
  'initiatives.update': update('initiativeUpdate', '/initiatives/{id}', {
    summary: 'Updates an initiative; only given inputs change',
    effectBy: whenGiven('lose', 'content'),
    args: idOf('initiative'),
    input: {
      name: optional('The name'),
      description: clearable('What it is about'),
      content: asMarkdown('The overview'),
      ownerId: clearable('The id of the user who owns it'),
      status: variable('InitiativeStatus', initiativeStatus),
      targetDate: clearableOnDay('The target date'),
      ...changedLook,
    },
    affected: `initiative ${selected.initiative}`,
    output: outputs.oneInitiative,
  }),

  'webhooks.create': create('webhookCreate', '/webhooks', {
    summary: 'Registers a webhook for events',
    // Its deliveries go to an address outside.
    effect: 'reach',
    input: {
      url: variable('String!', z.url({ protocol: /^https?$/ }).describe('Address that events are sent to')),
      resourceTypes: variable(
        '[String!]!',
        z
          .array(z.string().min(1))
          .min(1)
          .describe(`Resource types: ${resourceTypes.join(', ')}`),
      ),
      allPublicTeams: flag('Whether it is for all public teams; else teamId is needed'),
      teamId: optional('The id or key of the team it is for'),
      label: optional('Its label in the settings'),
      secret: optional('The signing secret; the tracker creates one by default'),
      enabled: flag('Whether it is enabled; true by default'),
      id: madeByCaller,
    },
    affected: `webhook ${selected.webhook}`,
    output: outputs.oneWebhook,
  }),
  'webhooks.delete': remove('webhookDelete', '/webhooks/{id}', {
    summary: 'Deletes a webhook',
    args: idOf('webhook'),
    affected: 'entityId',
    output: outputs.deleted,
  }),
} as const;
