import { z } from 'zod';
import {
  clearableDay,
  clearableText,
  color,
  day,
  estimate,
  issueId,
  markdown,
  optionalText,
  ownId,
  priority,
  recordId,
  text,
  texts,
} from '#adapters/services/tracker/inputs.ts';
import * as outputs from '#adapters/services/tracker/outputs.ts';
import * as selected from '#adapters/services/tracker/selections.ts';
import { change } from '#adapters/services/tracker/table.ts';
import { variable } from '#adapters/services/tracker/variables.ts';

const none = {};
const issueArgs = { id: variable('String!', issueId) };
const commentArgs = { id: variable('String!', recordId('The id of the comment')) };
const labelArgs = { id: variable('String!', recordId('The id of the label')) };

/** Mutations of issues and of what hangs on them: comments, labels, links (contract, Outbound: tracker). */
export const issueChanges = {
  'issues.create': change('issueCreate', {
    summary: 'Creates an issue',
    args: none,
    input: {
      teamId: variable('String!', recordId('The id of the team')),
      title: variable('String', optionalText('The title; needed unless a template gives it')),
      description: variable('String', markdown('The description')),
      assigneeId: variable('String', optionalText('The id of the user it is assigned to')),
      priority: variable('Int', priority),
      stateId: variable('String', optionalText("The id of a state of the team's workflow")),
      labelIds: variable('[String!]', texts('The ids of its labels')),
      projectId: variable('String', optionalText('The id of its project')),
      projectMilestoneId: variable('String', optionalText('The id of a milestone of the project')),
      cycleId: variable('String', optionalText('The id of its cycle')),
      parentId: variable('String', optionalText('The issue it is a part of, by identifier or id')),
      dueDate: variable('TimelessDate', day('The day it is due')),
      estimate: variable('Int', estimate),
      subscriberIds: variable('[String!]', texts('The ids of users who are told of changes')),
      templateId: variable('String', optionalText('The id of a template it is made from')),
      id: variable('String', ownId),
    },
    affected: `issue ${selected.issueChanged}`,
    output: outputs.changedIssue,
    route: { method: 'POST', path: '/issues' },
  }),
  'issues.update': change('issueUpdate', {
    summary: 'Changes an issue; only what is given changes',
    args: issueArgs,
    input: {
      title: variable('String', optionalText('The title')),
      description: variable('String', markdown('The description')),
      assigneeId: variable('String', clearableText('The id of the user it is assigned to')),
      priority: variable('Int', priority),
      stateId: variable('String', optionalText("The id of a state of the team's workflow")),
      labelIds: variable('[String!]', texts('The ids of its labels, in place of those it has')),
      addedLabelIds: variable('[String!]', texts('The ids of labels to add')),
      removedLabelIds: variable('[String!]', texts('The ids of labels to take away')),
      projectId: variable('String', clearableText('The id of its project')),
      projectMilestoneId: variable('String', clearableText('The id of a milestone of the project')),
      cycleId: variable('String', clearableText('The id of its cycle')),
      parentId: variable('String', clearableText('The issue it is a part of, by identifier or id')),
      teamId: variable('String', optionalText('The id of the team it moves to')),
      dueDate: variable('TimelessDate', clearableDay('The day it is due')),
      estimate: variable('Int', estimate),
      subscriberIds: variable('[String!]', texts('The ids of users who are told of changes, in place of those it has')),
    },
    affected: `issue ${selected.issueChanged}`,
    output: outputs.changedIssue,
    route: { method: 'PATCH', path: '/issues/{id}' },
    isIdempotent: true,
  }),
  'issues.archive': change('issueArchive', {
    summary:
      'Archives an issue; it leaves the lists, and can be restored in the tracker. To close one, change its state with tracker_issue_update. Its identifier comes from tracker_issues_list',
    args: issueArgs,
    input: none,
    affected: `entity ${selected.issue}`,
    output: outputs.changedIssue,
    route: { method: 'POST', path: '/issues/{id}/archive' },
    tool: 'tracker_issue_archive',
    isIdempotent: true,
  }),
  'issues.unarchive': change('issueUnarchive', {
    summary: 'Restores an archived issue',
    args: issueArgs,
    input: none,
    affected: `entity ${selected.issue}`,
    output: outputs.changedIssue,
    route: { method: 'POST', path: '/issues/{id}/unarchive' },
    isIdempotent: true,
  }),
  'issues.delete': change('issueDelete', {
    summary: 'Deletes an issue; archiving is the way that can be undone',
    args: {
      ...issueArgs,
      permanentlyDelete: variable(
        'Boolean',
        z.boolean().optional().describe('Whether it goes at once, without the days of grace that some trackers give'),
      ),
    },
    input: none,
    affected: 'entity { id identifier title archivedAt trashed }',
    output: outputs.deletedIssue,
    route: { method: 'DELETE', path: '/issues/{id}' },
    effect: 'destroy',
    isIdempotent: true,
  }),

  'comments.create': change('commentCreate', {
    summary:
      'Comments on an issue; or answers a comment of it, whose id comes from tracker_comments_list. For the text of the issue itself take tracker_issue_update',
    args: none,
    input: {
      issueId: variable('String', issueId),
      body: variable('String', text('The comment, as Markdown')),
      parentId: variable('String', optionalText('The id of the comment it answers')),
      doNotSubscribeToIssue: variable(
        'Boolean',
        z.boolean().optional().describe('Whether the author is not to be told of later changes'),
      ),
      id: variable('String', ownId),
    },
    affected: `comment ${selected.comment}`,
    output: outputs.oneComment,
    route: { method: 'POST', path: '/comments' },
    tool: 'tracker_comment_create',
  }),
  'comments.update': change('commentUpdate', {
    summary: 'Changes a comment',
    args: commentArgs,
    input: {
      body: variable('String', markdown('The comment')),
      resolvingUserId: variable('String', clearableText('The id of the user who resolves the thread')),
    },
    affected: `comment ${selected.comment}`,
    output: outputs.oneComment,
    route: { method: 'PATCH', path: '/comments/{id}' },
    isIdempotent: true,
  }),
  'comments.delete': change('commentDelete', {
    summary: 'Deletes a comment',
    args: commentArgs,
    input: none,
    affected: 'entityId',
    output: outputs.deleted,
    route: { method: 'DELETE', path: '/comments/{id}' },
    effect: 'destroy',
    isIdempotent: true,
  }),

  'labels.create': change('issueLabelCreate', {
    summary: 'Creates a label for issues',
    args: none,
    input: {
      name: variable('String!', text('The name')),
      color: variable('String', color),
      teamId: variable('String', optionalText("The id of the team it is for; the whole workspace's when not given")),
      description: variable('String', optionalText('What it is for')),
      parentId: variable('String', optionalText('The id of the label group it belongs to')),
      isGroup: variable('Boolean', z.boolean().optional().describe('Whether it is a group of labels')),
    },
    affected: `issueLabel ${selected.label}`,
    output: outputs.oneLabel,
    route: { method: 'POST', path: '/labels' },
  }),
  'labels.update': change('issueLabelUpdate', {
    summary: 'Changes a label',
    args: labelArgs,
    input: {
      name: variable('String', optionalText('The name')),
      color: variable('String', color),
      description: variable('String', clearableText('What it is for')),
      parentId: variable('String', clearableText('The id of the label group it belongs to')),
    },
    affected: `issueLabel ${selected.label}`,
    output: outputs.oneLabel,
    route: { method: 'PATCH', path: '/labels/{id}' },
    isIdempotent: true,
  }),

  'attachments.create': change('attachmentCreate', {
    summary: 'Attaches a link to an issue; the same address again changes the link',
    args: none,
    input: {
      issueId: variable('String!', issueId),
      title: variable('String!', text('The title of the link')),
      url: variable('String!', z.url().describe('Where it leads')),
      subtitle: variable('String', optionalText('A line below the title')),
      iconUrl: variable('String', optionalText('Address of an icon of 20 by 20 pixels')),
      metadata: variable(
        'JSONObject',
        z.record(z.string(), z.unknown()).optional().describe('Data kept with the link'),
      ),
    },
    affected: `attachment ${selected.attachment}`,
    output: outputs.attachment,
    route: { method: 'POST', path: '/attachments' },
    isIdempotent: true,
  }),
} as const;
