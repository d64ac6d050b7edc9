/** The kinds of records that the emulated tracker keeps. */
export const kinds = [
  'User',
  'Team',
  'WorkflowState',
  'IssueLabel',
  'Project',
  'ProjectStatus',
  'ProjectMilestone',
  'ProjectUpdate',
  'ProjectLabel',
  'Cycle',
  'Initiative',
  'InitiativeUpdate',
  'Issue',
  'IssueRelation',
  'Comment',
  'Attachment',
  'Document',
  'Webhook',
] as const;

/** One of these kinds. */
export type RecordKind = (typeof kinds)[number];

/** What can be selected of a kind: plain fields, one record, or a connection of records. */
export type TypeFacts = Readonly<{
  leaves: readonly string[];
  objects: Readonly<Record<string, RecordKind>>;
  connections: Readonly<Record<string, RecordKind>>;
}>;

const facts = (
  leaves: string,
  objects: Readonly<Record<string, RecordKind>> = {},
  connections: Readonly<Record<string, RecordKind>> = {},
): TypeFacts => ({
  leaves: ['id', 'createdAt', 'updatedAt', 'archivedAt', ...leaves.split(' ')],
  objects,
  connections,
});

/** The selectable fields of each kind: no field but these is known. */
export const types: Readonly<Record<RecordKind, TypeFacts>> = {
  User: facts('name displayName email active admin guest isMe url'),
  Team: facts(
    'key name displayName description color icon timezone cyclesEnabled issueCount',
    { activeCycle: 'Cycle', defaultIssueState: 'WorkflowState' },
    { states: 'WorkflowState', members: 'User' },
  ),
  WorkflowState: facts('name type description color position', { team: 'Team' }),
  IssueLabel: facts('name description color isGroup', { team: 'Team', parent: 'IssueLabel' }),
  Project: facts(
    'name description content slugId url color icon priority priorityLabel health progress startDate targetDate startedAt completedAt canceledAt',
    { status: 'ProjectStatus', lead: 'User', creator: 'User', lastUpdate: 'ProjectUpdate' },
    {
      teams: 'Team',
      members: 'User',
      labels: 'ProjectLabel',
      initiatives: 'Initiative',
      projectMilestones: 'ProjectMilestone',
    },
  ),
  ProjectStatus: facts('name type'),
  ProjectMilestone: facts('name targetDate'),
  ProjectUpdate: facts('body health url', { user: 'User' }),
  ProjectLabel: facts('name color'),
  Cycle: facts(
    'number name description startsAt endsAt completedAt progress isActive isFuture isPast isNext isPrevious',
    { team: 'Team' },
  ),
  Initiative: facts(
    'name description content slugId url color icon status health targetDate startedAt completedAt',
    { owner: 'User', creator: 'User', lastUpdate: 'InitiativeUpdate' },
    { projects: 'Project' },
  ),
  InitiativeUpdate: facts('body health url', { user: 'User' }),
  Issue: facts(
    'identifier number title description priority priorityLabel estimate dueDate url branchName startedAt completedAt canceledAt trashed',
    {
      state: 'WorkflowState',
      assignee: 'User',
      creator: 'User',
      team: 'Team',
      project: 'Project',
      projectMilestone: 'ProjectMilestone',
      cycle: 'Cycle',
      parent: 'Issue',
    },
    { labels: 'IssueLabel', children: 'Issue', attachments: 'Attachment', comments: 'Comment' },
  ),
  IssueRelation: facts('type', { issue: 'Issue', relatedIssue: 'Issue' }),
  Comment: facts('body url editedAt resolvedAt', { user: 'User', parent: 'Comment', issue: 'Issue' }),
  Attachment: facts('title subtitle url sourceType metadata', { issue: 'Issue' }),
  Document: facts('title content slugId url icon color', {
    creator: 'User',
    project: 'Project',
    initiative: 'Initiative',
    issue: 'Issue',
    team: 'Team',
  }),
  Webhook: facts('url label enabled resourceTypes allPublicTeams secret', { team: 'Team' }),
};

/** Queries that answer one record by its `id`. */
export const recordQueries: Readonly<Record<string, RecordKind>> = {
  team: 'Team',
  issue: 'Issue',
  project: 'Project',
  initiative: 'Initiative',
  user: 'User',
  workflowState: 'WorkflowState',
  issueLabel: 'IssueLabel',
  cycle: 'Cycle',
  comment: 'Comment',
  document: 'Document',
};

/** Queries that answer a connection. */
export const listQueries: Readonly<Record<string, RecordKind>> = {
  teams: 'Team',
  issues: 'Issue',
  projects: 'Project',
  cycles: 'Cycle',
  initiatives: 'Initiative',
  projectStatuses: 'ProjectStatus',
  workflowStates: 'WorkflowState',
  issueLabels: 'IssueLabel',
  users: 'User',
  documents: 'Document',
  webhooks: 'Webhook',
};

type Members = Readonly<Record<string, string>>;

const members = (text: string): Members =>
  Object.fromEntries(text.split(' ').map((pair) => [pair.split(':')[0] ?? '', pair.split(':')[1] ?? 'String']));

/** How a mutation changes: what it makes or changes, its arguments, the members of its `input`, and what its payload has. */
export type MutationFacts = Readonly<{
  kind: RecordKind;
  does: 'create' | 'update' | 'archive' | 'unarchive' | 'delete';
  args: Members;
  input: Members | null;
  payload: string;
}>;

const id = { id: 'String!' };
const issueInput =
  'title description assigneeId priority:Int stateId labelIds:[String!] projectId projectMilestoneId cycleId parentId dueDate:TimelessDate estimate:Int subscriberIds:[String!]';
const projectInput =
  'description content leadId memberIds:[String!] statusId priority:Int startDate:TimelessDate targetDate:TimelessDate color icon';
const initiativeInput = 'description content ownerId status:InitiativeStatus targetDate:TimelessDate color icon';

const create = (kind: RecordKind, payload: string, input: string): MutationFacts => ({
  kind,
  does: 'create',
  args: {},
  input: members(input),
  payload,
});
const update = (kind: RecordKind, payload: string, input: string): MutationFacts => ({
  kind,
  does: 'update',
  args: id,
  input: members(input),
  payload,
});
const act = (kind: RecordKind, does: MutationFacts['does'], payload: string, args: Members = id): MutationFacts => ({
  kind,
  does,
  args,
  input: null,
  payload,
});

/** The mutations that are known. */
export const mutations: Readonly<Record<string, MutationFacts>> = {
  issueCreate: create('Issue', 'issue', `teamId:String! id templateId ${issueInput}`),
  issueUpdate: update('Issue', 'issue', `teamId addedLabelIds:[String!] removedLabelIds:[String!] ${issueInput}`),
  issueArchive: act('Issue', 'archive', 'entity', { ...id, trash: 'Boolean' }),
  issueUnarchive: act('Issue', 'unarchive', 'entity'),
  issueDelete: act('Issue', 'delete', 'entity', { ...id, permanentlyDelete: 'Boolean' }),
  issueRelationCreate: create(
    'IssueRelation',
    'issueRelation',
    'issueId:String! relatedIssueId:String! type:IssueRelationType! id',
  ),
  commentCreate: create('Comment', 'comment', 'issueId body parentId doNotSubscribeToIssue:Boolean id'),
  commentUpdate: update('Comment', 'comment', 'body resolvingUserId'),
  commentDelete: act('Comment', 'delete', 'entityId'),
  projectCreate: create('Project', 'project', `name:String! teamIds:[String!]! id ${projectInput}`),
  projectUpdate: update('Project', 'project', `name teamIds:[String!] ${projectInput}`),
  projectArchive: act('Project', 'archive', 'entity', { ...id, trash: 'Boolean' }),
  projectUnarchive: act('Project', 'unarchive', 'entity'),
  projectDelete: act('Project', 'archive', 'entity'),
  cycleCreate: create('Cycle', 'cycle', 'teamId:String! startsAt:DateTime! endsAt:DateTime! name description id'),
  cycleUpdate: update('Cycle', 'cycle', 'name description startsAt:DateTime endsAt:DateTime completedAt:DateTime'),
  issueLabelCreate: create(
    'IssueLabel',
    'issueLabel',
    'name:String! color teamId description parentId isGroup:Boolean id',
  ),
  issueLabelUpdate: update('IssueLabel', 'issueLabel', 'name color description parentId'),
  attachmentCreate: create(
    'Attachment',
    'attachment',
    'issueId:String! title:String! url:String! subtitle iconUrl metadata:JSONObject id',
  ),
  documentCreate: create(
    'Document',
    'document',
    'title:String! content projectId initiativeId issueId teamId color icon id',
  ),
  documentUpdate: update('Document', 'document', 'title content projectId initiativeId issueId teamId color icon'),
  documentDelete: act('Document', 'delete', 'entity'),
  initiativeCreate: create('Initiative', 'initiative', `name:String! id ${initiativeInput}`),
  initiativeUpdate: update('Initiative', 'initiative', `name ${initiativeInput}`),
  webhookCreate: create(
    'Webhook',
    'webhook',
    'url:String! resourceTypes:[String!]! allPublicTeams:Boolean teamId label secret enabled:Boolean id',
  ),
  webhookDelete: act('Webhook', 'delete', 'entityId'),
};
