import { randomBytes } from 'node:crypto';
import { forbidden, invalidInput, missing } from '#test/emulators/tracker/faults.ts';
import type { MutationFacts } from '#test/emulators/tracker/types.ts';
import type { Item, Workspace } from '#test/emulators/tracker/workspace.ts';

type Members = Readonly<Record<string, unknown>>;

/** Carries a mutation out; the record that was changed, or null when it is gone for good. */
export function applySteps(
  space: Workspace,
  { kind, does }: MutationFacts,
  args: Members,
  input: Members,
): Item | null {
  if (does === 'create') return create(space, kind, input);
  const item = space.find(kind, args['id']);
  if (item === null) throw missing(kind);
  if (does === 'update') return space.change(kind, item, changeOf(space, kind, item, input));
  if (does === 'archive') return space.change(kind, item, { archivedAt: space.stamp() });
  if (does === 'unarchive') return space.change(kind, item, { archivedAt: null, trashed: null });
  if (kind === 'Issue' && args['permanentlyDelete'] !== true) {
    return space.change(kind, item, { archivedAt: space.stamp(), trashed: true });
  }
  if (kind === 'Issue' && space.require('User', space.viewerId)['admin'] !== true) {
    throw forbidden('Only administrators delete permanently.');
  }
  space.remove(kind, item);
  return item;
}

function create(space: Workspace, kind: MutationFacts['kind'], input: Members): Item {
  if (input['id'] != null && space.find(kind, input['id']) !== null) throw invalidInput('The id is taken.');
  checkReferences(space, input);
  if (kind === 'Issue') return createIssue(space, input);
  if (kind === 'Comment') return createComment(space, input);
  if (kind === 'Attachment') return createAttachment(space, input);
  if (kind === 'Cycle')
    return space.add(kind, { ...checkedCycle(space, input, null), number: nextNumber(space, input), progress: 0 });
  if (kind === 'IssueLabel') checkLabelName(space, input);
  if (kind === 'Webhook') return createWebhook(space, input);
  const places = ['projectId', 'initiativeId', 'issueId', 'teamId'].filter((name) => input[name] != null);
  if (kind === 'Document' && places.length !== 1) {
    throw invalidInput('Exactly one of projectId, initiativeId, issueId or teamId must be provided.');
  }
  const slugId = randomBytes(6).toString('hex');
  const defaults = {
    Project: {
      statusId: space.all('ProjectStatus')[0]?.id,
      priority: 0,
      progress: 0,
      description: '',
      color: '#bec2c8',
    },
    Initiative: { status: 'Planned', ownerId: space.viewerId },
    IssueLabel: { color: '#bec2c8', isGroup: false },
    Document: {},
  };
  const own: Members = Object.entries(defaults).find(([name]) => name === kind)?.[1] ?? {};
  const url = `https://tracker.example/acme/${kind.toLowerCase()}/${slugId}`;
  return space.add(kind, { ...own, slugId, url, creatorId: space.viewerId, ...input, ...idsOf(space, input) });
}

function createIssue(space: Workspace, input: Members): Item {
  if (typeof input['title'] !== 'string' && input['templateId'] === undefined)
    throw invalidInput('title must be provided.');
  checkPlace(space, String(input['teamId']), input);
  const states = space.all('WorkflowState').filter((state) => state['teamId'] === input['teamId']);
  const usual = states.find((state) => state['type'] === 'backlog');
  const number = nextNumber(space, input, 'Issue');
  return space.add('Issue', {
    priority: 0,
    labelIds: [],
    stateId: usual?.id,
    creatorId: space.viewerId,
    ...input,
    ...idsOf(space, input),
    number,
  });
}

function createComment(space: Workspace, input: Members): Item {
  if (input['issueId'] == null)
    throw invalidInput('One of issueId, projectUpdateId or initiativeUpdateId must be provided.');
  if (input['parentId'] != null) space.require('Comment', input['parentId']);
  const url = `https://tracker.example/acme/comment/${randomBytes(4).toString('hex')}`;
  return space.add('Comment', { ...input, ...idsOf(space, input), userId: space.viewerId, url });
}

/** One link of an address on an issue: the same again changes it. */
function createAttachment(space: Workspace, input: Members): Item {
  const issueId = space.require('Issue', input['issueId']).id;
  const known = space.all('Attachment').find((link) => link['issueId'] === issueId && link['url'] === input['url']);
  if (known !== undefined) return space.change('Attachment', known, { ...input, issueId });
  return space.add('Attachment', { metadata: {}, ...input, issueId, creatorId: space.viewerId });
}

function createWebhook(space: Workspace, input: Members): Item {
  if (space.hasUniqueUrls && space.all('Webhook').some(({ url }) => url === input['url'])) {
    throw invalidInput('url not unique');
  }
  if (input['allPublicTeams'] !== true && input['teamId'] == null) {
    throw invalidInput('Either teamId or allPublicTeams must be provided.');
  }
  const secret = `lin_wh_${randomBytes(16).toString('hex')}`;
  return space.add('Webhook', { enabled: true, allPublicTeams: false, secret, ...input });
}

function changeOf(space: Workspace, kind: MutationFacts['kind'], item: Item, input: Members): Members {
  checkReferences(space, input);
  if (kind === 'Cycle') return checkedCycle(space, input, item);
  if (kind !== 'Issue') return { ...input, ...idsOf(space, input) };
  const teamId = String(input['teamId'] ?? item['teamId']);
  checkPlace(space, teamId, input);
  const { addedLabelIds, removedLabelIds, labelIds, ...rest } = input;
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  const labels = new Set(list(labelIds ?? item['labelIds']));
  for (const id of list(addedLabelIds)) labels.add(id);
  for (const id of list(removedLabelIds)) labels.delete(id);
  const hasLabels = labelIds !== undefined || addedLabelIds !== undefined || removedLabelIds !== undefined;
  return {
    ...rest,
    ...idsOf(space, rest),
    ...(hasLabels ? { labelIds: [...labels] } : {}),
    ...stateTimes(space, input),
  };
}

/** When work began and ended, as the type of the new state says. */
function stateTimes(space: Workspace, input: Members): Members {
  const state = input['stateId'] == null ? null : space.require('WorkflowState', input['stateId']);
  if (state === null) return {};
  const time = space.stamp();
  const at = (type: string) => (state['type'] === type ? time : null);
  return { startedAt: at('started'), completedAt: at('completed'), canceledAt: at('canceled') };
}

const references = {
  teamId: 'Team',
  assigneeId: 'User',
  leadId: 'User',
  ownerId: 'User',
  stateId: 'WorkflowState',
  projectId: 'Project',
  initiativeId: 'Initiative',
  cycleId: 'Cycle',
  issueId: 'Issue',
  relatedIssueId: 'Issue',
  statusId: 'ProjectStatus',
} as const;

const manyReferences = {
  labelIds: 'IssueLabel',
  addedLabelIds: 'IssueLabel',
  removedLabelIds: 'IssueLabel',
  teamIds: 'Team',
  memberIds: 'User',
  subscriberIds: 'User',
} as const;

function checkReferences(space: Workspace, input: Members): void {
  for (const [name, kind] of Object.entries(references)) if (input[name] != null) space.require(kind, input[name]);
  for (const [name, kind] of Object.entries(manyReferences)) {
    const value = input[name];
    for (const id of Array.isArray(value) ? value : []) space.require(kind, id);
  }
}

/** Issues may be named by their identifier; they are kept by their id. */
function idsOf(space: Workspace, input: Members): Members {
  const issues = ['issueId', 'relatedIssueId'].filter((name) => input[name] != null);
  const ids = Object.fromEntries(issues.map((name) => [name, space.require('Issue', input[name]).id]));
  const isIssue = input['parentId'] != null && space.find('Issue', input['parentId']) !== null;
  return { ...ids, ...(isIssue ? { parentId: space.require('Issue', input['parentId']).id } : {}) };
}

/** State, cycle and labels belong to the issue's team, or to all. */
function checkPlace(space: Workspace, teamId: string, input: Members): void {
  const state = input['stateId'] == null ? null : space.require('WorkflowState', input['stateId']);
  if (state !== null && state['teamId'] !== teamId)
    throw invalidInput('The state is not part of the team of the issue.');
  const cycle = input['cycleId'] == null ? null : space.require('Cycle', input['cycleId']);
  if (cycle !== null && cycle['teamId'] !== teamId)
    throw invalidInput('The cycle is not part of the team of the issue.');
  const labels = [input['labelIds'], input['addedLabelIds']].flatMap((value) => (Array.isArray(value) ? value : []));
  for (const id of labels) {
    const label = space.require('IssueLabel', id);
    if (label['teamId'] != null && label['teamId'] !== teamId)
      throw invalidInput('The label is not of the team of the issue.');
    if (label['isGroup'] === true) throw invalidInput('A label group cannot be put on an issue.');
  }
}

function checkLabelName(space: Workspace, input: Members): void {
  const taken = space
    .all('IssueLabel')
    .some((label) => label['name'] === input['name'] && (label['teamId'] ?? null) === (input['teamId'] ?? null));
  if (taken) throw invalidInput('A label of this name exists already.');
}

function checkedCycle(space: Workspace, input: Members, before: Item | null): Members {
  const startsAt = Date.parse(String(input['startsAt'] ?? before?.['startsAt']));
  const endsAt = Date.parse(String(input['endsAt'] ?? before?.['endsAt']));
  if (!(startsAt < endsAt)) throw invalidInput('The cycle must end after it starts.');
  const teamId = input['teamId'] ?? before?.['teamId'];
  const others = space.all('Cycle').filter((cycle) => cycle['teamId'] === teamId && cycle.id !== before?.id);
  const overlaps = others.some(
    (cycle) => Date.parse(String(cycle['startsAt'])) < endsAt && startsAt < Date.parse(String(cycle['endsAt'])),
  );
  if (overlaps) throw invalidInput('The cycle overlaps another cycle of the team.');
  return input;
}

function nextNumber(space: Workspace, input: Members, kind: 'Cycle' | 'Issue' = 'Cycle'): number {
  const numbers = space
    .all(kind)
    .filter((item) => item['teamId'] === input['teamId'])
    .map((item) => Number(item['number']));
  return Math.max(0, ...numbers) + 1;
}
