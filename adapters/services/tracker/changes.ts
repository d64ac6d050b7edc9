import type { ChangeRule, ChangeRules, ReverseCall } from '#adapters/services/changes/change-rule.ts';
import { archives, irreversible, makes, removes, updates } from '#adapters/services/changes/change-rules.ts';
import type { Members } from '#adapters/services/changes/changed-values.ts';
import type { RecordFacts } from '#adapters/services/changes/record-facts.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The members of records by the inputs that hold their ids. */
const references: Readonly<Record<string, string>> = {
  assigneeId: 'assignee',
  stateId: 'state',
  projectId: 'project',
  projectMilestoneId: 'projectMilestone',
  cycleId: 'cycle',
  parentId: 'parent',
  teamId: 'team',
  leadId: 'lead',
  statusId: 'status',
  ownerId: 'owner',
  initiativeId: 'initiative',
  issueId: 'issue',
  labelIds: 'labels',
  teamIds: 'teams',
  memberIds: 'members',
};

const idOf = (value: unknown): unknown => (isObject(value) ? (value['id'] ?? value['identifier']) : value);

/** What people call a record that another refers to. */
function nameOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { identifier, displayName, key, name, title, number, id } = value;
  return identifier ?? displayName ?? name ?? key ?? title ?? number ?? id;
}

function referred(record: Members, name: string, as: (value: unknown) => unknown): unknown {
  const member = own(references, name);
  const value = own(record, member ?? name) ?? null;
  if (member === undefined) return value;
  return Array.isArray(value) ? value.map(as) : as(value);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An issue is named by its identifier and title, a comment by the beginning of its text. */
function titleOf({ identifier, title, name, number, body }: Members): string | null {
  const called = textOf(title) ?? textOf(name) ?? textOf(body)?.slice(0, 80) ?? null;
  const parts = [textOf(identifier), called].filter((part) => part !== null);
  return parts.length === 0 ? (typeof number === 'number' ? String(number) : null) : parts.join(' ');
}

const sets = ['labelIds', 'teamIds', 'memberIds'];

/** The facts of a kind of record; `get` is the operation that reads it by its id. */
const facts = (one: string, get: string, more: Partial<RecordFacts> = {}): RecordFacts => ({
  one,
  read: ({ id }) => ({ name: get, input: { id } }),
  title: titleOf,
  value: (record, name) => referred(record, name, idOf),
  shown: (record, name) => referred(record, name, nameOf),
  sets,
  ...more,
});

/** Labels to add and to remove become the labels that an issue has then. */
function withLabels(changes: Members, before: Members | null): Members {
  const { addedLabelIds, removedLabelIds, ...rest } = changes;
  if (before === null || (addedLabelIds === undefined && removedLabelIds === undefined)) return changes;
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const had = listOf(rest['labelIds'] ?? referred(before, 'labelIds', idOf));
  const removed = listOf(removedLabelIds);
  return { ...rest, labelIds: [...new Set([...had, ...listOf(addedLabelIds)])].filter((id) => !removed.includes(id)) };
}

const issue = facts('issue', 'issues.get', { unseen: ['subscriberIds'], resolved: withLabels });
const comment = facts('comment', 'comments.get', { unseen: ['resolvingUserId'] });
const project = facts('project', 'projects.get');
const cycle = facts('cycle', 'cycles.get');
const document = facts('document', 'documents.get');
const initiative = facts('initiative', 'initiatives.get');
const first = (data: unknown, { id }: Members): Members | null =>
  (Array.isArray(data) ? data : []).filter(isObject).find((one) => one['id'] === id) ?? null;
const label = facts('label', 'labels.list', {
  read: ({ id }) => ({ name: 'labels.list', input: { first: 1, filter: { id: { eq: id } } } }),
  found: first,
});
const named = (one: string): RecordFacts => ({ one, read: null, title: titleOf });

const isArchived = ({ archivedAt }: Members): boolean => archivedAt !== null && archivedAt !== undefined;
const unarchived = ({ id }: Members): ReverseCall => ({ name: 'issues.unarchive', input: { id } });

const issueInputs =
  'teamId title description assigneeId priority stateId labelIds projectId projectMilestoneId cycleId parentId dueDate estimate'.split(
    ' ',
  );

const deleted = removes(issue, { restore: unarchived, isGone: isArchived, make: 'issues.create', inputs: issueInputs });
const deletedForGood = irreversible('An issue that is deleted permanently cannot be restored.', issue);
const deletes: ChangeRule = {
  ...deleted,
  plan: (input, ...how) => (input['permanentlyDelete'] === true ? deletedForGood : deleted).plan(input, ...how),
};
/** Of a tracker that deletes issues at once. */
export const issueDeletedAtOnce = removes(issue, { make: 'issues.create', inputs: issueInputs });

const webhook = 'Webhooks are not taken back.';

/** How the changes of the tracker are planned and taken back (UNDO-020). */
export const changeRules: ChangeRules = {
  'issues.create': makes(issue, { remove: 'issues.archive' }),
  'issues.update': updates(issue, 'issues.update'),
  'issues.archive': archives(issue, 'issues.unarchive', isArchived),
  'issues.unarchive': archives(issue, 'issues.archive', isArchived, true),
  'issues.delete': deletes,
  'comments.create': makes(comment, { remove: 'comments.delete' }),
  'comments.update': updates(comment, 'comments.update'),
  'comments.delete': removes(comment, { make: 'comments.create', inputs: ['issueId', 'body', 'parentId'] }),
  'labels.create': makes(label, { remove: null }),
  'labels.update': updates(label, 'labels.update'),
  'issue_relations.create': makes(named('link'), { remove: null }),
  'attachments.create': makes(named('link'), { remove: null }),
  'projects.create': makes(project, { remove: 'projects.archive' }),
  'projects.update': updates(project, 'projects.update'),
  'projects.archive': archives(project, 'projects.unarchive', isArchived),
  'projects.unarchive': archives(project, 'projects.archive', isArchived, true),
  'cycles.create': makes(cycle, { remove: null }),
  'cycles.update': updates(cycle, 'cycles.update'),
  'documents.create': makes(document, { remove: 'documents.delete' }),
  'documents.update': updates(document, 'documents.update'),
  'documents.delete': removes(document, {
    make: 'documents.create',
    inputs: ['title', 'content', 'projectId', 'initiativeId', 'issueId', 'teamId', 'color', 'icon'],
  }),
  'initiatives.create': makes(initiative, { remove: null }),
  'initiatives.update': updates(initiative, 'initiatives.update'),
  'webhooks.create': irreversible(webhook),
  'webhooks.delete': irreversible(webhook),
};
