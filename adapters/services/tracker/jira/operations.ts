import { z } from 'zod';
import { CachedOutcomes } from '#adapters/services/cached-outcomes.ts';
import type { RecipeContext } from '#adapters/services/operation-table.ts';
import { allPages, mapped, parsed, withWarnings } from '#adapters/services/read-answers.ts';
import { pageOf } from '#adapters/services/tracker/details/matching.ts';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import { archiveIssue, createIssue, unknownInput, updateIssue } from '#adapters/services/tracker/jira/changes.ts';
import { person, projectOf, sprint } from '#adapters/services/tracker/jira/fields.ts';
import { findNames } from '#adapters/services/tracker/jira/found-names.ts';
import { issuesBy } from '#adapters/services/tracker/jira/issue-lists.ts';
import { commentIn, issueOfComment, readIssue } from '#adapters/services/tracker/jira/issue-reading.ts';
import {
  boardsOf,
  cyclesFor,
  labelsOf,
  myself,
  statesFor,
  teamsOf,
  usersFor,
} from '#adapters/services/tracker/jira/records.ts';
import type { requests, Send } from '#adapters/services/tracker/jira/requests.ts';
import { listWebhooks, registerWebhook } from '#adapters/services/tracker/jira/webhooks.ts';
import type { trackerKind } from '#adapters/services/tracker/kind.ts';
import type { planningChanges } from '#adapters/services/tracker/operations/planning-changes.ts';
import { lacks, type VendorOperations } from '#adapters/services/vendor-operations.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

const noDocuments = lacks('Jira has no documents; they are in Confluence.');
const noInitiatives = lacks('Jira has no initiatives: an epic is a project here.');
const noLabels = lacks('A label of Jira is made by putting it on an issue: `labels` of an issue takes new names.');

/** Refuses inputs without an equivalent in Jira, else goes on. */
async function unless(input: Readonly<Record<string, unknown>>, go: () => Promise<Outcome>): Promise<Outcome> {
  return unknownInput(input) ?? go();
}

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

const links = z.array(
  z.looseObject({
    id: z.number(),
    object: z.looseObject({ title: z.string(), url: z.string(), summary: z.string().nullish() }),
  }),
);

async function issueInFull(send: Send, id: string, context: RecipeContext): Promise<Outcome> {
  const issue = await readIssue(send, id, context);
  if (!issue.ok) return issue;
  const comments = await send('comments', { issue: id, maxResults: 25, orderBy: '-created' });
  const read = parsed(comments, z.looseObject({ comments: z.array(commentIn(issue.data.identifier ?? id, context)) }));
  const linked = parsed(await send('links', { issue: id }), links);
  // A site may have switched links off.
  const isOff = !linked.ok && linked.reason === 'forbidden';
  if (!linked.ok && !isOff) return linked;
  const attachments = (linked.ok ? linked.data : []).map(({ id: linkId, object }) => ({
    id: String(linkId),
    title: object.title,
    url: object.url,
    subtitle: object.summary ?? null,
  }));
  const whole = mapped(read, ({ comments: list }) => ({ ...issue.data, attachments, comments: list }));
  return withWarnings(whole, isOff ? ['Its links are left out: Jira does not show them.'] : []);
}

/** Creates or changes a sprint, on the board of its team. */
async function saveCycle(
  send: Send,
  path: Readonly<{ teamId: string }> | Readonly<{ id: string }>,
  input: Readonly<Record<string, unknown>>,
) {
  const textOf = (name: string) => {
    const given = own(input, name);
    return typeof given === 'string' ? given : undefined;
  };
  const fields = {
    name: textOf('name'),
    goal: textOf('description'),
    startDate: textOf('startsAt'),
    endDate: textOf('endsAt'),
    // Jira completes a sprint now, whatever the time.
    state: textOf('completedAt') === undefined ? undefined : 'closed',
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if ('id' in path) return parsed(await send('editSprint', { sprint: path.id, ...given }), sprint);
  const boards = await boardsOf(send, path.teamId);
  if (!boards.ok) return boards;
  const [board] = boards.data;
  if (board === undefined) return failed('invalid_input', 'This team has no board with sprints in Jira.');
  return parsed(
    await send('createSprint', {
      name: `Sprint ${String(fields.startDate).slice(0, 10)}`,
      ...given,
      originBoardId: board.id,
    }),
    sprint,
  );
}

type ProjectInput = Omit<z.output<(typeof planningChanges)['projects.update']['input']>, 'id' | 'teamIds'>;

/** A project's inputs as those of its epic. */
function epicInput({ name, description, content, leadId, targetDate, statusId, ...rest }: ProjectInput) {
  const texts = [description, content].filter((text) => text !== undefined);
  const given = { title: name, assigneeId: leadId, dueDate: targetDate, stateId: statusId };
  return { ...rest, ...given, description: texts.length === 0 ? undefined : texts.join('\n\n') };
}

const oneTeam = failed('invalid_input', 'A project at Jira, an epic, has exactly one team: give one in `teams`.');

/** How long what a site is set up with is cached, in ms: fields, types of issues, priorities. */
const keptMs = 5 * 60_000;
const kept: readonly string[] = ['fields', 'issueTypes', 'priorities'];

/** Sends requests of a connection; what its site is set up with is asked for once. */
const sendingOnce =
  (known: CachedOutcomes<{ data: unknown }>) =>
  (send: Send, { connection }: RecipeContext): Send =>
  async (name, input) => {
    if (!kept.includes(name)) return send(name, input);
    const key = JSON.stringify([connection.id, name, input]);
    return mapped(await known.get(key, () => send(name, input)), ({ data }) => data);
  };

/** The operations of the tracker at Jira, with a cache of their own. */
export function jiraOperations(): VendorOperations<typeof trackerKind.operations, typeof requests> {
  const once = sendingOnce(new CachedOutcomes(keptMs, (data) => ({ data })));
  return {
    'viewer.get': (send) => myself(send),
    'names.find': (send, input, context) => findNames(once(send, context), input, context),
    'project_statuses.list': (send) => statesFor(send, {}),
    'teams.list': async (send, input) => listed(await teamsOf(send), input),
    'teams.get': (send, { id }) => teamInFull(send, id),
    'users.list': async (send, input) => listed(await usersFor(send, input.filter), input),
    'users.get': async (send, { id }) => parsed(await send('user', { accountId: id }), person),
    'labels.list': async (send, input) => listed(await labelsOf(send), input),
    'workflow_states.list': async (send, input) => listed(await statesFor(send, input.filter), input),
    'cycles.list': async (send, input) => listed(await cyclesFor(send, input.filter), input),
    'cycles.create': (send, { teamId, ...input }) => saveCycle(send, { teamId }, input),
    'cycles.update': (send, { id, ...input }) => saveCycle(send, { id }, input),
    'issues.list': (send, input, context) => issuesBy(once(send, context), input, { context }),
    'issues.get': (send, { id }, context) => issueInFull(once(send, context), id, context),
    'issues.create': (send, input, context) => unless(input, () => createIssue(once(send, context), input, context)),
    'issues.update': (send, { id, teamId, ...input }, context) =>
      teamId === undefined
        ? unless(input, () => updateIssue(once(send, context), id, input, context))
        : Promise.resolve(
            failed('invalid_input', 'Jira moves issues to another project only on its own pages. Leave `team` out.'),
          ),
    'issues.archive': (send, { id }, context) => archiveIssue(once(send, context), 'archive', id, context, Date.now()),
    'issues.unarchive': (send, { id }, context) =>
      archiveIssue(once(send, context), 'unarchive', id, context, Date.now()),
    'issues.delete': async (send, { id }, context) => {
      const issue = await readIssue(once(send, context), id, context);
      const done = issue.ok ? await send('deleteIssue', { issue: id }) : issue;
      return issue.ok && done.ok ? succeeded({ ...issue.data, trashed: false }) : done;
    },
    'comments.list': async (send, { issueId, ...input }, context) => {
      const read = async (page: Readonly<{ startAt: number; maxResults: number }>) =>
        mapped(
          parsed(await send('comments', { issue: issueId, ...page, orderBy: '-created' }), commentPage),
          ({ comments }) => comments,
        );
      return listed(await allPages(read, commentIn(issueId, context)), input);
    },
    'comments.create': (send, { issueId, body, parentId, ...input }, context) =>
      unless({ ...input, parentCommentId: parentId }, async () => {
        const document = toAdf(body);
        return document.ok
          ? parsed(await send('createComment', { issue: issueId, body: document.data }), commentIn(issueId, context))
          : document;
      }),
    'comments.update': (send, { id, body, ...input }, context) =>
      unless(input, async () => {
        const issue = await issueOfComment(send, id);
        const document = body === undefined ? failed('invalid_input', 'Give the new text as `body`.') : toAdf(body);
        if (!issue.ok || !document.ok) return issue.ok ? document : issue;
        return parsed(
          await send('editComment', { issue: issue.data, id, body: document.data }),
          commentIn(issue.data, context),
        );
      }),
    'comments.delete': async (send, { id }) => {
      const issue = await issueOfComment(send, id);
      return issue.ok
        ? mapped(await send('deleteComment', { issue: issue.data, id }), () => ({ entityId: id }))
        : issue;
    },
    'issue_relations.create': async (send, { issueId, type, relatedIssueId }) => {
      // The inward issue is the one that blocks or duplicates the other.
      const named = (text: string) => (/^\d+$/.test(text) ? { id: text } : { key: text });
      const pair = { inwardIssue: named(issueId), outwardIssue: named(relatedIssueId) };
      const done = await send('relate', { type: { name: own(linkTypes, type) }, ...pair });
      const issues = { issue: { identifier: issueId }, relatedIssue: { identifier: relatedIssueId } };
      return mapped(done, () => ({ type, ...issues }));
    },
    'attachments.create': (send, { issueId, title, url, subtitle, ...input }) =>
      unless(input, async () => {
        const made = await send('link', {
          issue: issueId,
          globalId: url,
          object: { url, title, ...(subtitle === undefined ? {} : { summary: subtitle }) },
        });
        return mapped(parsed(made, z.looseObject({ id: z.number() })), ({ id }) => ({
          id: String(id),
          title,
          subtitle: subtitle ?? null,
          url,
          issue: { identifier: issueId },
        }));
      }),
    'projects.list': async (send, input, context) =>
      mapped(await issuesBy(once(send, context), input, { context, level: 1 }), (epics) => epics.map(projectOf)),
    'projects.get': async (send, { id }, context) =>
      mapped(await readIssue(once(send, context), id, context), projectOf),
    'projects.create': (send, { teamIds, ...input }, context) =>
      unless(input, async () => {
        const [teamId, ...others] = teamIds;
        if (teamId === undefined || others.length > 0) return oneTeam;
        return mapped(
          await createIssue(once(send, context), { ...epicInput(input), teamId }, context, 'epic'),
          projectOf,
        );
      }),
    'projects.update': (send, { id, teamIds, ...input }, context) =>
      unless(input, async () =>
        teamIds === undefined
          ? mapped(await updateIssue(once(send, context), id, epicInput(input), context), projectOf)
          : oneTeam,
      ),
    'projects.archive': async (send, { id }, context) =>
      mapped(await archiveIssue(once(send, context), 'archive', id, context, Date.now()), projectOf),
    'webhooks.list': async (send, input) => listed(await listWebhooks(send), input),
    'webhooks.create': async (send, input) =>
      input.teamId === undefined && input.enabled !== false
        ? registerWebhook(send, input)
        : failed(
            'invalid_input',
            'A webhook of Jira is for all projects, and enabled: leave `teamId` and `enabled` out.',
          ),
    'webhooks.delete': async (send, { id }) =>
      mapped(await send('deleteWebhooks', { which: { webhookIds: [Number(id)] } }), () => ({ entityId: id })),
    'labels.create': noLabels,
    'labels.update': noLabels,
    'documents.list': noDocuments,
    'documents.create': noDocuments,
    'documents.update': noDocuments,
    'documents.delete': noDocuments,
    'initiatives.list': noInitiatives,
    'initiatives.get': noInitiatives,
    'initiatives.create': noInitiatives,
    'initiatives.update': noInitiatives,
  };
}

const commentPage = z.looseObject({ comments: z.array(z.unknown()) });

function listed(
  records: Outcome<readonly Readonly<Record<string, unknown>>[]>,
  input: Parameters<typeof pageOf>[1],
): Outcome {
  return records.ok ? pageOf(records.data, input) : records;
}
