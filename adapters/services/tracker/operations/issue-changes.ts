import { z } from 'zod';
import { variable } from '#adapters/services/tracker/details/variables.ts';
import { estimate, issueId, recordId, relationTypes, text } from '#adapters/services/tracker/inputs.ts';
import { act, create, linking, remove, update } from '#adapters/services/tracker/operations/change-rows.ts';
import {
  asMarkdown,
  clearable,
  clearableOnDay,
  colour,
  flag,
  idOf,
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

const issueArgs = { id: variable('String!', issueId) };

/** Mutations of issues and their comments, labels and links (TRACK-003, TRACK-012). */
export const issueChanges = {
  'issues.create': create('issueCreate', '/issues', {
    summary: 'Creates an issue',
    input: {
      teamId: ofId('The id of the team'),
      title: optional('The title; needed unless a template gives it'),
      description: asMarkdown('The description'),
      assigneeId: optional('The id of the user it is assigned to'),
      priority: urgency,
      stateId: optional("The id of a state of the team's workflow"),
      labelIds: several('The ids of its labels'),
      projectId: optional('The id of its project'),
      projectMilestoneId: optional('The id of a milestone of the project'),
      cycleId: optional('The id of its cycle'),
      parentId: optional('Parent issue, by identifier or id'),
      dueDate: onDay('The due date'),
      estimate: variable('Int', estimate),
      subscriberIds: several('The ids of subscribers'),
      templateId: optional('The id of a template to create it from'),
      id: madeByCaller,
    },
    affected: `issue ${selected.issueChanged}`,
    output: outputs.changedIssue,
  }),
  'issues.update': update('issueUpdate', '/issues/{id}', {
    summary: 'Updates an issue; only given inputs change',
    args: issueArgs,
    input: {
      title: optional('The title'),
      description: asMarkdown('The description'),
      assigneeId: clearable('The id of the user it is assigned to'),
      priority: urgency,
      stateId: optional("The id of a state of the team's workflow"),
      labelIds: several('The ids of its labels, replacing the current ones'),
      addedLabelIds: several('The ids of labels to add'),
      removedLabelIds: several('The ids of labels to remove'),
      projectId: clearable('The id of its project'),
      projectMilestoneId: clearable('The id of a milestone of the project'),
      cycleId: clearable('The id of its cycle'),
      parentId: clearable('Parent issue, by identifier or id'),
      teamId: optional('The id of the team it moves to'),
      dueDate: clearableOnDay('The due date'),
      estimate: variable('Int', estimate),
      subscriberIds: several('The ids of subscribers, replacing the current ones'),
    },
    effectBy: whenGiven('lose', 'description', 'labelIds', 'removedLabelIds', 'subscriberIds'),
    affected: `issue ${selected.issueChanged}`,
    output: outputs.changedIssue,
  }),
  'issues.archive': act('issueArchive', '/issues/{id}/archive', {
    summary:
      'Archives an issue; it disappears from lists, and can be restored in the tracker. To close one, change its state with tracker_issue_update',
    args: issueArgs,
    affected: `entity ${selected.issue}`,
    output: outputs.changedIssue,
    effect: 'lose',
    tool: 'tracker_issue_archive',
  }),
  'issues.unarchive': act('issueUnarchive', '/issues/{id}/unarchive', {
    summary: 'Restores an archived issue',
    args: issueArgs,
    affected: `entity ${selected.issue}`,
    output: outputs.changedIssue,
  }),
  'issues.delete': remove('issueDelete', '/issues/{id}', {
    summary: 'Deletes an issue; archiving can be undone',
    args: {
      ...issueArgs,
      permanentlyDelete: flag('Whether to delete it at once, without a grace period'),
    },
    affected: 'entity { id identifier title archivedAt trashed }',
    output: outputs.deletedIssue,
  }),

  'comments.create': create('commentCreate', '/comments', {
    summary:
      'Comments on an issue, or replies to a comment from tracker_comments_list. To edit the issue use tracker_issue_update',
    input: {
      issueId: variable('String', issueId),
      body: variable('String', text('The comment, as Markdown')),
      parentId: optional('The id of the comment to reply to'),
      doNotSubscribeToIssue: flag('Do not subscribe the author to the issue'),
      id: madeByCaller,
    },
    affected: `comment ${selected.comment}`,
    output: outputs.oneComment,
    tool: 'tracker_comment_create',
  }),
  'comments.update': update('commentUpdate', '/comments/{id}', {
    summary: 'Updates a comment',
    effectBy: whenGiven('lose', 'body'),
    args: idOf('comment'),
    input: {
      body: asMarkdown('The comment'),
      resolvingUserId: clearable('The id of the user who resolves the thread'),
    },
    affected: `comment ${selected.comment}`,
    output: outputs.oneComment,
  }),
  'comments.delete': remove('commentDelete', '/comments/{id}', {
    summary: 'Deletes a comment',
    args: idOf('comment'),
    affected: 'entityId',
    output: outputs.deleted,
  }),

  'labels.create': create('issueLabelCreate', '/labels', {
    summary: 'Creates a label for issues',
    input: {
      name: needed('The name'),
      color: colour,
      teamId: optional("The id of the team it is for; the whole workspace's by default"),
      description: optional('What it is for'),
      parentId: optional('The id of the label group it belongs to'),
      isGroup: flag('Whether it is a group of labels'),
    },
    affected: `issueLabel ${selected.label}`,
    output: outputs.oneLabel,
  }),
  'labels.update': update('issueLabelUpdate', '/labels/{id}', {
    summary: 'Updates a label',
    args: idOf('label'),
    input: {
      name: optional('The name'),
      color: colour,
      description: clearable('What it is for'),
      parentId: clearable('The id of the label group it belongs to'),
    },
    affected: `issueLabel ${selected.label}`,
    output: outputs.oneLabel,
  }),

  'issue_relations.create': linking(
    create('issueRelationCreate', '/issues/{issueId}/relations', {
      summary:
        'Links two issues: the first is related to the second, blocks it, is blocked by it, or duplicates it. For sub-issues use parent in tracker_issue_update',
      input: {
        issueId: variable('String!', issueId),
        type: variable('IssueRelationType!', z.enum(relationTypes).describe('What the first issue is to the second')),
        relatedIssueId: variable('String!', recordId('The second issue, by identifier or id')),
      },
      affected: `issueRelation ${selected.relation}`,
      output: outputs.issueRelation,
      tool: 'tracker_issue_link',
    }),
  ),

  'attachments.create': create('attachmentCreate', '/attachments', {
    summary:
      'Attaches a link to an issue, such as to a document, a note or a page; the same address again updates the link',
    effect: 'change',
    input: {
      issueId: variable('String!', issueId),
      title: needed('The title of the link'),
      url: variable('String!', z.url().describe('Address of the link')),
      subtitle: optional('Subtitle'),
      iconUrl: optional('Address of an icon of 20 by 20 pixels'),
      metadata: variable(
        'JSONObject',
        z.record(z.string(), z.unknown()).optional().describe('Data kept with the link'),
      ),
    },
    affected: `attachment ${selected.attachmentSelection}`,
    output: outputs.attachment,
    tool: 'tracker_attachment_create',
    isIdempotent: true,
  }),
} as const;
