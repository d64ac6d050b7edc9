import { z } from 'zod';
import { allPages, mapped, parsed, withWarnings } from '#adapters/services/answers/read-answers.ts';
import { type LackedInputs, lacks, type VendorOperations } from '#adapters/services/definitions/vendor-operations.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { loadedLists } from '#adapters/services/tracker/details/loaded-lists.ts';
import { pageOf } from '#adapters/services/tracker/details/matching.ts';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import { archiveIssue, createIssue, named, updateIssue } from '#adapters/services/tracker/jira/changes.ts';
import { person, projectOf, sprint } from '#adapters/services/tracker/jira/fields.ts';
import { epicsBy, issuesBy } from '#adapters/services/tracker/jira/issue-lists.ts';
import { commentIn, issueOfComment, readIssue } from '#adapters/services/tracker/jira/issue-reading.ts';
import { boardsOf, labelsNamed, lists, myself, statesFor, teamsOf } from '#adapters/services/tracker/jira/records.ts';
import type { requests, Send } from '#adapters/services/tracker/jira/requests.ts';
import { listWebhooks, registerWebhook } from '#adapters/services/tracker/jira/webhooks.ts';
import type { trackerKind } from '#adapters/services/tracker/kind.ts';
import type { planningChanges } from '#adapters/services/tracker/operations/planning-changes.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

const noDocuments = lacks('Jira has no documents; they are in Confluence.');
const noInitiatives = lacks('Jira has no initiatives: an epic is a project here.');
const noLabels = lacks('A label of Jira is made by putting it on an issue: `labels` of an issue takes new names.');

async function teamInFull(send: Send, id: string): Promise<Outcome> {
  const teams = await teamsOf(send);
  if (!teams.ok) return teams;
  const one = teams.data.find((team) => team.id === id || team.key === id);
  if (one === undefined) return failed('not_found', `There is no team "${id.slice(0, 40)}".`);
  const states = await statesFor(send, { team: { id: { eq: one.id } } });
  const members = parsed(await send('assignable', { project: one.key, maxResults: 50 }), z.array(person));
  return states.ok ? mapped(members, (people) => ({ ...one, states: states.data, members: people })) : states;
}

/** The names of the usual types of links between issues. */
const linkTypes = { related: 'Relates', blocks: 'Blocks', duplicate: 'Duplicate' };

const linked = z.looseObject({ title: z.string(), url: z.string(), summary: z.string().nullish() });
const links = z.array(
  z.looseObject({ id: z.number(), object: linked }).transform(({ id, object: { title, url, summary } }) => ({
    id: String(id),
    title,
    url,
    subtitle: summary ?? null,
  })),
);

async function issueInFull(send: Send, id: string, context: RecipeContext): Promise<Outcome> {
  const issue = await readIssue(send, id, context);
  if (!issue.ok) return issue;
  const comments = await send('comments', { issue: id, maxResults: 25, orderBy: '-created' });
  const read = parsed(comments, z.looseObject({ comments: z.array(commentIn(issue.data.identifier ?? id, context)) }));
  const listed = parsed(await send('links', { issue: id }), links);
  // A site may have switched links off.
  const isOff = !listed.ok && listed.reason === 'forbidden';
  if (!listed.ok && !isOff) return listed;
  const attachments = listed.ok ? listed.data : [];
  const whole = mapped(read, ({ comments: list }) => ({ ...issue.data, attachments, comments: list }));
  return withWarnings(whole, isOff ? ['Its links are left out: Jira does not show them.'] : []);
}

type SprintInput = Omit<z.output<(typeof planningChanges)['cycles.update']['input']>, 'id'>;

/** Creates or changes a sprint, on the board of its team. */
async function saveCycle(
  send: Send,
  path: Readonly<{ teamId: string }> | Readonly<{ id: string }>,
  input: SprintInput,
) {
  const { name, description, startsAt: startDate, endsAt: endDate, completedAt } = input;
  // Jira completes a sprint now, whatever the time.
  const state = completedAt === undefined ? undefined : 'closed';
  const fields = { name: name ?? undefined, goal: description === null ? '' : description, startDate, endDate, state };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if ('id' in path) return parsed(await send('editSprint', { sprint: path.id, ...given }), sprint);
  const boards = await boardsOf(send, path.teamId);
  if (!boards.ok) return boards;
  const [board] = boards.data;
  if (board === undefined) return failed('invalid_input', 'This team has no board with sprints in Jira.');
  const named = { name: `Sprint ${String(startDate).slice(0, 10)}`, ...given };
  return parsed(await send('createSprint', { ...named, originBoardId: board.id }), sprint);
}

type ProjectInput = Omit<z.output<(typeof planningChanges)['projects.update']['input']>, 'id' | 'teamIds'>;

/** A project's inputs as those of its epic. */
function epicInput({ name, description, content, leadId, targetDate, statusId, ...rest }: ProjectInput) {
  const texts = [description, content].filter((text) => text !== undefined);
  const given = { title: name, assigneeId: leadId, dueDate: targetDate, stateId: statusId };
  return { ...rest, ...given, description: texts.length === 0 ? undefined : texts.join('\n\n') };
}

const oneTeam = failed('invalid_input', 'A project at Jira, an epic, has exactly one team: give one in `teams`.');

const staysInTeam = failed(
  'invalid_input',
  'Jira moves issues to another project only on its own pages. Leave `team` out.',
);

const notOfIssues = ['projectMilestoneId', 'subscriberIds'] as const;
const notOfProjects = ['memberIds', 'color', 'icon'] as const;

/** The inputs that Jira has nothing for. */
export const lackedInputs: LackedInputs<typeof trackerKind.operations> = {
  'issues.create': [...notOfIssues, 'templateId', 'id'],
  'issues.update': notOfIssues,
  'comments.create': ['parentId', 'doNotSubscribeToIssue', 'id'],
  'comments.update': ['resolvingUserId'],
  'attachments.create': ['iconUrl', 'metadata'],
  'projects.create': [...notOfProjects, 'id'],
  'projects.update': [...notOfProjects, 'teamIds'],
  'webhooks.create': ['teamId', 'enabled'],
};

/** The operations of the tracker at Jira. */
export const jiraOperations: VendorOperations<typeof trackerKind.operations, typeof requests> = {
  ...loadedLists(lists, { issueLabels: labelsNamed, projects: epicsBy }),
  'viewer.get': (send) => myself(send),
  'project_statuses.list': (send) => statesFor(send, {}),
  'teams.get': (send, { id }) => teamInFull(send, id),
  'users.get': async (send, { id }) => parsed(await send('user', { accountId: id }), person),
  'cycles.create': (send, { teamId, ...input }) => saveCycle(send, { teamId }, input),
  'cycles.update': (send, { id, ...input }) => saveCycle(send, { id }, input),
  'issues.list': (send, input, context) => issuesBy(send, input, { context }),
  'issues.get': (send, { id }, context) => issueInFull(send, id, context),
  'issues.create': (send, input, context) => createIssue(send, input, context),
  'issues.update': (send, { id, teamId, ...input }, context) =>
    teamId === undefined ? updateIssue(send, id, input, context) : Promise.resolve(staysInTeam),
  'issues.archive': (send, { id }, context) => archiveIssue(send, 'archive', id, context, Date.now()),
  'issues.unarchive': (send, { id }, context) => archiveIssue(send, 'unarchive', id, context, Date.now()),
  'issues.delete': async (send, { id }, context) => {
    const issue = await readIssue(send, id, context);
    const done = issue.ok ? await send('deleteIssue', { issue: id }) : issue;
    return issue.ok && done.ok ? succeeded({ ...issue.data, trashed: false }) : done;
  },
  'comments.list': async (send, { issueId: issue, ...input }, context) => {
    const read = async (page: Readonly<{ startAt: number; maxResults: number }>) =>
      mapped(parsed(await send('comments', { issue, ...page, orderBy: '-created' }), comments), (one) => one.comments);
    return listed(await allPages(read, commentIn(issue, context)), input);
  },
  'comments.get': async (send, { id }, context) => {
    const issue = await issueOfComment(send, id);
    if (!issue.ok) return issue;
    const read = parsed(
      await send('commentsById', { ids: [Number(id)] }),
      z.looseObject({ values: z.array(commentIn(issue.data, context)).min(1) }),
    );
    return mapped(read, ({ values }) => values[0]);
  },
  'comments.create': async (send, { issueId, body }, context) => {
    const document = toAdf(body);
    return document.ok
      ? parsed(await send('createComment', { issue: issueId, body: document.data }), commentIn(issueId, context))
      : document;
  },
  'comments.update': async (send, { id, body }, context) => {
    const issue = await issueOfComment(send, id);
    const document = body === undefined ? failed('invalid_input', 'Give the new text as `body`.') : toAdf(body);
    if (!issue.ok || !document.ok) return issue.ok ? document : issue;
    return parsed(
      await send('editComment', { issue: issue.data, id, body: document.data }),
      commentIn(issue.data, context),
    );
  },
  'comments.delete': async (send, { id }) => {
    const issue = await issueOfComment(send, id);
    return issue.ok ? mapped(await send('deleteComment', { issue: issue.data, id }), () => ({ entityId: id })) : issue;
  },
  'issue_relations.create': async (send, { issueId, type, relatedIssueId }) => {
    // The inward issue is the one that blocks or duplicates the other.
    const pair = { inwardIssue: named(issueId), outwardIssue: named(relatedIssueId) };
    const done = await send('relate', { type: { name: own(linkTypes, type) }, ...pair });
    const issues = { issue: { identifier: issueId }, relatedIssue: { identifier: relatedIssueId } };
    return mapped(done, () => ({ type, ...issues }));
  },
  'attachments.create': async (send, { issueId, title, url, subtitle }) => {
    const object = { url, title, ...(subtitle === undefined ? {} : { summary: subtitle }) };
    const made = parsed(
      await send('link', { issue: issueId, globalId: url, object }),
      z.looseObject({ id: z.number() }),
    );
    const about = { title, subtitle: subtitle ?? null, url, issue: { identifier: issueId } };
    return mapped(made, ({ id }) => ({ id: String(id), ...about }));
  },
  'projects.list': async (send, input, context) =>
    mapped(await issuesBy(send, input, { context, level: 1 }), (epics) => epics.map(projectOf)),
  'projects.get': async (send, { id }, context) => mapped(await readIssue(send, id, context), projectOf),
  'projects.create': async (send, { teamIds: [teamId, ...others], ...input }, context) =>
    teamId === undefined || others.length > 0
      ? oneTeam
      : mapped(await createIssue(send, { ...epicInput(input), teamId }, context, 'epic'), projectOf),
  'projects.update': async (send, { id, ...input }, context) =>
    mapped(await updateIssue(send, id, epicInput(input), context), projectOf),
  'projects.archive': async (send, { id }, context) =>
    mapped(await archiveIssue(send, 'archive', id, context, Date.now()), projectOf),
  'projects.unarchive': async (send, { id }, context) =>
    mapped(await archiveIssue(send, 'unarchive', id, context, Date.now()), projectOf),
  'webhooks.list': async (send, input) => listed(await listWebhooks(send), input),
  'webhooks.create': registerWebhook,
  'webhooks.delete': async (send, { id }) =>
    mapped(await send('deleteWebhooks', { which: { webhookIds: [Number(id)] } }), () => ({ entityId: id })),
  'labels.create': noLabels,
  'labels.update': noLabels,
  'documents.list': noDocuments,
  'documents.get': noDocuments,
  'documents.create': noDocuments,
  'documents.update': noDocuments,
  'documents.delete': noDocuments,
  'initiatives.list': noInitiatives,
  'initiatives.get': noInitiatives,
  'initiatives.create': noInitiatives,
  'initiatives.update': noInitiatives,
};

const comments = z.looseObject({ comments: z.array(z.unknown()) });

function listed(
  records: Outcome<readonly Readonly<Record<string, unknown>>[]>,
  input: Parameters<typeof pageOf>[1],
): Outcome {
  return records.ok ? pageOf(records.data, input) : records;
}
