import { z } from 'zod';
import { parsed, withWarnings } from '#adapters/services/answers/read-answers.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import { type OwnFields, ownFields, status, type TrackerIssue } from '#adapters/services/tracker/jira/fields.ts';
import { readIssue } from '#adapters/services/tracker/jira/issue-reading.ts';
import { prioritiesOf, teamsOf } from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import type { issueChanges } from '#adapters/services/tracker/operations/issue-changes.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

type Members = Record<string, unknown>;

type Rows = typeof issueChanges;

/** An issue or project as Jira's inputs name it, by its id or key. */
export const named = (text: string) => (/^\d+$/.test(text) ? { id: text } : { key: text });

/** The inputs of a change of an issue, and those of an epic that a project has besides. */
export type IssueInput = Omit<z.output<Rows['issues.update']['input']>, 'id'> &
  Readonly<{ startDate?: string | null | undefined }>;

/** The fields of Jira for these inputs; inputs that are not given stay out. */
async function fieldsFor(send: Send, input: IssueInput, own: OwnFields, ofTeam: boolean): Promise<Outcome<Members>> {
  const { title, description, assigneeId, priority, labelIds, projectId, cycleId, parentId, dueDate } = input;
  // What takes a change back clears by null.
  const body = description == null ? succeeded(description) : toAdf(description);
  if (!body.ok) return body;
  const level = priority === undefined ? succeeded(undefined) : await priorityFor(send, priority);
  if (!level.ok) return level;
  const parent = parentId ?? projectId;
  const points = ofTeam ? (own.teamPoints ?? own.points) : (own.points ?? own.teamPoints);
  const special = (
    [
      ['estimate', points, input.estimate],
      ['cycle', own.sprint, cycleId == null ? cycleId : Number(cycleId)],
      ['startDate', own.start, input.startDate],
    ] as const
  ).filter(([, , value]) => value !== undefined);
  const missing = special.find(([, field]) => field === null);
  if (missing !== undefined) return failed('invalid_input', `This site of Jira has no field for \`${missing[0]}\`.`);
  const fields = {
    summary: title,
    description: body.data,
    assignee: assigneeId == null ? assigneeId : { accountId: assigneeId },
    priority: level.data,
    labels: labelIds,
    duedate: dueDate,
    parent: typeof parent === 'string' ? named(parent) : undefined,
    ...Object.fromEntries(special.map(([, field, value]) => [field, value])),
  };
  return succeeded(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

const managed = z.looseObject({
  fields: z.looseObject({ project: z.looseObject({ simplified: z.boolean().catch(false) }) }),
});

/** Whether the project of an issue, or one by its id or key, is managed by its team, which has story points of its own. */
async function isOfTeam(send: Send, place: Readonly<{ issue: string }> | Readonly<{ team: string }>): Promise<boolean> {
  if ('issue' in place) {
    const read = parsed(await send('issue', { issue: place.issue, fields: ['project'] }), managed);
    return read.ok && read.data.fields.project.simplified;
  }
  const teams = await teamsOf(send);
  const its = teams.ok ? teams.data.find(({ id, key }) => id === place.team || key === place.team) : undefined;
  return its?.isSimplified === true;
}

async function priorityFor(send: Send, level: number): Promise<Outcome<Readonly<{ id: string }>>> {
  const known = await prioritiesOf(send);
  if (!known.ok) return known;
  const found = known.data.find((one) => one.level === level);
  const choices = known.data.map(({ name, level: own }) => `${own} ${name}`).join(', ');
  return found === undefined
    ? failed('invalid_input', `This site of Jira has no priority ${level}. It has ${choices}.`)
    : succeeded({ id: found.id });
}

const level = { subtask: z.boolean().optional(), hierarchyLevel: z.number().optional() };
const types = z.looseObject({ issueTypes: z.array(z.looseObject({ id: z.string(), name: z.string(), ...level })) });

/** The type of a new issue in a project: an epic, a sub-task, else a task or story, else the first. */
async function typeFor(send: Send, project: string, kind: 'epic' | 'subtask' | 'task'): Promise<Outcome<string>> {
  const listed = parsed(await send('typesOfProject', { project, maxResults: 200 }), types);
  if (!listed.ok) return listed;
  const wanted = { epic: 1, subtask: -1, task: 0 }[kind];
  const ofLevel = listed.data.issueTypes.filter(
    ({ subtask, hierarchyLevel = subtask === true ? -1 : 0 }) => hierarchyLevel === wanted,
  );
  const found =
    ofLevel.find(({ name }) => name === 'Task') ?? ofLevel.find(({ name }) => name === 'Story') ?? ofLevel[0];
  return found === undefined
    ? failed('invalid_input', `Jira's project has no type of issue for this (${kind}).`)
    : succeeded(found.id);
}

const created = z.looseObject({ id: z.string(), key: z.string() });

/** Creates an issue of a project, and moves it to its status. */
export async function createIssue(
  send: Send,
  input: IssueInput & Readonly<{ teamId: string }>,
  context: RecipeContext,
  kind: 'epic' | 'task' = 'task',
): Promise<Outcome<TrackerIssue>> {
  const own = await ownFields(send);
  if (!own.ok) return own;
  const type = await typeFor(send, input.teamId, input.parentId == null ? kind : 'subtask');
  if (!type.ok) return type;
  const ofTeam = input.estimate === undefined ? false : await isOfTeam(send, { team: input.teamId });
  const fields = await fieldsFor(send, input, own.data, ofTeam);
  if (!fields.ok) return fields;
  const all = { ...fields.data, project: named(input.teamId), issuetype: { id: type.data } };
  const made = parsed(await send('createIssue', { fields: all }), created);
  if (!made.ok) return made;
  const step = input.stateId === undefined ? succeeded(null) : await transitionFor(send, made.data.id, input.stateId);
  const moved = step.ok ? await moveBy(send, made.data.id, step.data) : step;
  const read = await afterChange(send, made.data.id, { moved, own: own.data, context });
  return read.ok ? read : { ...read, sent: 'yes' };
}

/** Reads an issue that was changed. That it was not moved as well is a warning. */
async function afterChange(
  send: Send,
  issue: string,
  { moved, own, context }: Readonly<{ moved: Outcome; own: OwnFields; context: RecipeContext }>,
): Promise<Outcome<TrackerIssue>> {
  const read = await readIssue(send, issue, context, own);
  if (moved.ok) return read;
  return withWarnings(read, [`It was saved, but not moved to its state. ${moved.message}`]);
}

/** Updates an issue: a status that cannot be reached is refused before anything is changed. */
export async function updateIssue(
  send: Send,
  issue: string,
  input: IssueInput,
  context: RecipeContext,
): Promise<Outcome<TrackerIssue>> {
  const own = await ownFields(send);
  if (!own.ok) return own;
  const step = input.stateId === undefined ? succeeded(null) : await transitionFor(send, issue, input.stateId);
  if (!step.ok) return step;
  const ofTeam = input.estimate === undefined ? false : await isOfTeam(send, { issue });
  const fields = await fieldsFor(send, input, own.data, ofTeam);
  if (!fields.ok) return fields;
  const { addedLabelIds = [], removedLabelIds = [], parentId, projectId } = input;
  const labels = [...addedLabelIds.map((add) => ({ add })), ...removedLabelIds.map((remove) => ({ remove }))];
  const isFreed = (parentId === null || projectId === null) && parentId == null && projectId == null;
  const update = {
    ...(labels.length === 0 ? {} : { labels }),
    ...(isFreed ? { parent: [{ set: { none: true } }] } : {}),
  };
  const isEdited = Object.keys(fields.data).length + Object.keys(update).length > 0;
  if (isEdited) {
    const edited = await send('editIssue', {
      issue,
      fields: fields.data,
      ...(Object.keys(update).length === 0 ? {} : { update }),
    });
    if (!edited.ok) return edited;
  }
  const moved = await moveBy(send, issue, step.data);
  return !moved.ok && !isEdited ? moved : afterChange(send, issue, { moved, own: own.data, context });
}

const transitions = z.looseObject({
  transitions: z.array(z.looseObject({ id: z.string(), isAvailable: z.boolean().optional(), to: status })),
});

/** The transition to a status; null when the issue is in it. */
async function transitionFor(send: Send, issue: string, stateId: string): Promise<Outcome<string | null>> {
  const listed = parsed(await send('transitions', { issue }), transitions);
  if (!listed.ok) return listed;
  const open = listed.data.transitions.filter(({ isAvailable = true }) => isAvailable);
  const found = open.find(({ to }) => to.id === stateId);
  if (found !== undefined) return succeeded(found.id);
  const read = parsed(
    await send('issue', { issue, fields: ['status'] }),
    z.looseObject({ fields: z.looseObject({ status }) }),
  );
  if (!read.ok) return read;
  if (read.data.fields.status.id === stateId) return succeeded(null);
  const reachable = [...new Set(open.map(({ to }) => `"${to.name}"`))].join(', ');
  const message = `Jira's workflow has no step from "${read.data.fields.status.name}" to that state.`;
  return failed(
    'invalid_input',
    reachable === '' ? `${message} It has none from there that you may take.` : `${message} It leads to ${reachable}.`,
  );
}

const moveBy = async (send: Send, issue: string, step: string | null): Promise<Outcome> =>
  step === null ? succeeded(null) : send('transition', { issue, transition: { id: step } });

const archival = z.looseObject({
  numberOfIssuesUpdated: z.number().optional(),
  errors: z.record(z.string(), z.looseObject({ message: z.string().optional() })).nullish(),
});

const needsPremium =
  'Archiving needs Jira Premium and the right to administer it; a state such as Done closes an issue.';

/** Archives an issue, or restores it. Only some editions of Jira can. */
export async function archiveIssue(
  send: Send,
  how: 'archive' | 'unarchive',
  issue: string,
  context: RecipeContext,
  now: number,
): Promise<Outcome<TrackerIssue>> {
  const before = await readIssue(send, issue, context);
  if (!before.ok) return before;
  const done = parsed(await send(how, { issueIdsOrKeys: [before.data.id] }), archival);
  if (!done.ok) return done.reason === 'forbidden' ? { ...done, message: `${done.message} ${needsPremium}` } : done;
  const [error] = Object.values(done.data.errors ?? {});
  if (error !== undefined && (done.data.numberOfIssuesUpdated ?? 0) === 0)
    return failed('rejected', `The tracker refused: ${error.message ?? 'no reason is given'}`, { sent: 'yes' });
  return succeeded({ ...before.data, archivedAt: how === 'archive' ? new Date(now).toISOString() : null });
}
