import { z } from 'zod';
import { parsed } from '#adapters/services/answers/read-answers.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { parsedTime } from '#adapters/services/webhooks/webhook-time.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
/** A text that is null where Jira leaves it out. */
const text = orNull(z.string());
/** A time as ISO 8601; Jira writes `2026-11-20T10:00:00.000+0000`. */
export const isoTime = text.transform((value) => {
  const at = parsedTime(value);
  return at === null ? null : new Date(at).toISOString();
});
const id = z.union([z.string(), z.number()]).transform(String);

/** A person. Jira hides e-mail addresses as each person chooses. */
export const person = z
  .looseObject({ accountId: z.string(), displayName: text, emailAddress: text, active: z.boolean().optional() })
  .transform(({ accountId, displayName, emailAddress, active = true }) => {
    return { id: accountId, name: displayName, displayName, email: emailAddress || null, active };
  });

/** A project of Jira, which is a team of the tracker. */
export const jiraProject = z
  .looseObject({ id, key: z.string(), name: text, description: text, simplified: z.boolean().catch(false) })
  .transform(({ id: own, key, name, description, simplified: isSimplified }) => {
    return { id: own, key, name: name ?? key, description, isSimplified };
  });

function stateType(category: string | null, name: string): string {
  if (category === 'indeterminate') return 'started';
  if (category === 'done')
    return /cancel|won.?t|reject|declin|duplicate|obsolete/i.test(name) ? 'canceled' : 'completed';
  return /\btriage\b/i.test(name) ? 'triage' : /\bbacklog\b/i.test(name) ? 'backlog' : 'unstarted';
}

/** A status. Its type follows from its category; its name says whether it is a backlog, a triage, or cancelled work. */
export const status = z
  .looseObject({
    id,
    name: z.string(),
    description: text,
    statusCategory: orNull(z.looseObject({ key: text })),
    scope: orNull(z.looseObject({ project: z.looseObject({ id }) })),
  })
  .transform(({ statusCategory, scope, ...own }) => {
    const type = stateType(statusCategory?.key ?? null, own.name);
    return { id: own.id, name: own.name, type, description: own.description, projectId: scope?.project.id ?? null };
  });

/** A status as it was parsed. */
export type Status = z.output<typeof status>;

const levels: readonly RegExp[] = [
  /^none$/i,
  /^(?:highest|urgent|critical|blocker)$/i,
  /^(?:high|major)$/i,
  /^(?:medium|normal)$/i,
  /^(?:low|lowest|minor|trivial)$/i,
];

/** The tracker's number for a priority's name: 0 none, 1 urgent … 4 low; null for a name of one's own. */
export function priorityLevel(name: string): number | null {
  const level = levels.findIndex((words) => words.test(name));
  return level === -1 ? null : level;
}

/** A sprint, which is a cycle; its number is its id. */
export const sprint = z
  .looseObject({
    id: z.number(),
    name: z.string(),
    state: z.string().catch(''),
    startDate: isoTime,
    endDate: isoTime,
    completeDate: isoTime,
    goal: text,
  })
  .transform(({ id: number, name, state, goal: description, ...times }) => {
    const { startDate: startsAt, endDate: endsAt, completeDate: completedAt } = times;
    const phases = { isActive: state === 'active', isFuture: state === 'future', isPast: state === 'closed' };
    return { id: String(number), number, name, description, startsAt, endsAt, completedAt, ...phases };
  });

/** The fields that have another id on every site; null where a site has none. */
export type OwnFields = Readonly<{
  points: string | null;
  teamPoints: string | null;
  sprint: string | null;
  start: string | null;
}>;

const fieldList = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    schema: z.looseObject({ custom: z.string().optional(), type: z.string().optional() }).optional(),
  }),
);

/** Asks for the site's own fields: story points of both kinds of projects, the sprint, the start date. */
export async function ownFields(send: Send): Promise<Outcome<OwnFields>> {
  const listed = parsed(await send('fields', {}), fieldList);
  if (!listed.ok) return listed;
  const find = (fits: (field: z.output<typeof fieldList>[number]) => boolean) => listed.data.find(fits)?.id ?? null;
  const custom = (kind: string) => find(({ schema }) => schema?.custom?.endsWith(`:${kind}`) === true);
  return succeeded({
    points: find(({ name, schema }) => /^story points$/i.test(name) && schema?.type === 'number'),
    teamPoints: custom('jsw-story-points'),
    sprint: custom('gh-sprint'),
    start: find(({ name, schema }) => /^start date$/i.test(name) && schema?.type === 'date'),
  });
}

/** The fields of an issue that are asked for. */
export function askedFields(own: OwnFields, ...more: readonly string[]): string[] {
  const standard =
    'summary status priority assignee project parent labels duedate created updated resolutiondate issuetype';
  return [...standard.split(' '), ...more, ...Object.values(own).filter((field) => field !== null)];
}

const issueType = z.looseObject({ subtask: z.boolean().optional(), hierarchyLevel: z.number().optional() });
const brief = z.looseObject({
  id,
  key: z.string(),
  fields: z.looseObject({ summary: text, status: orNull(status), issuetype: orNull(issueType) }).optional(),
});
const issueSchema = z.looseObject({
  id,
  key: text,
  fields: z
    .looseObject({
      summary: text,
      description: z.unknown(),
      status: orNull(status),
      priority: orNull(z.looseObject({ name: z.string() })),
      assignee: orNull(person),
      creator: orNull(person),
      project: orNull(jiraProject),
      parent: orNull(brief),
      labels: z.array(z.string()).catch([]),
      subtasks: z.array(brief).catch([]),
      duedate: text,
      created: isoTime,
      updated: isoTime,
      resolutiondate: isoTime,
    })
    .partial()
    .optional(),
});

/** The site of a connection, such as `https://acme.atlassian.net`; null while it is unknown. */
export function siteOf({ connection }: Pick<RecipeContext, 'connection'>): string | null {
  const site = connection.extra['site_url'] ?? connection.extra['site'];
  return typeof site === 'string' && site !== '' ? `https://${site.replace(/^https:\/\//, '')}` : null;
}

const number = (value: unknown) => (typeof value === 'number' ? value : null);

/** An issue in the tracker's words; null when the value is none. A parent of a higher level, an epic, is its project. */
export function issueOf(value: unknown, own: OwnFields, site: string | null) {
  const { id: issueId, key = null, fields = {} } = issueSchema.safeParse(value).data ?? {};
  if (issueId === undefined) return null;
  const { parent = null, labels = [], subtasks = [], priority } = fields;
  const isEpic = (parent?.fields?.issuetype?.hierarchyLevel ?? 0) > 0;
  const member = (field: string | null) => (field === null ? null : fields[field]);
  const sprints = z.array(sprint).safeParse(member(own.sprint)).data ?? [];
  const description = toMarkdown(fields.description);
  return {
    id: issueId,
    identifier: key,
    title: fields.summary ?? null,
    ...(fields.description === undefined ? {} : { description }),
    priority: priority == null ? null : priorityLevel(priority.name),
    priorityLabel: priority?.name ?? null,
    estimate: number(member(own.teamPoints)) ?? number(member(own.points)),
    startDate: member(own.start) ?? null,
    dueDate: fields.duedate ?? null,
    url: site === null || key === null ? null : `${site}/browse/${key}`,
    state: fields.status ?? null,
    assignee: fields.assignee ?? null,
    team: fields.project ?? null,
    project: parent !== null && isEpic ? { id: parent.id, name: parent.fields?.summary ?? parent.key } : null,
    parent:
      parent === null || isEpic
        ? null
        : { id: parent.id, identifier: parent.key, title: parent.fields?.summary ?? null },
    cycle: sprints.find(({ isPast }) => !isPast) ?? sprints.at(-1) ?? null,
    labels: labels.map((name) => ({ id: name, name })),
    children: subtasks.map(({ id: childId, key: identifier, fields: child }) => ({
      id: childId,
      identifier,
      title: child?.summary ?? null,
      state: child?.status ?? null,
    })),
    createdAt: fields.created ?? null,
    updatedAt: fields.updated ?? null,
    completedAt: fields.resolutiondate ?? null,
    archivedAt: null,
  };
}

/** An issue in the tracker's words. */
export type TrackerIssue = Omit<NonNullable<ReturnType<typeof issueOf>>, 'archivedAt'> &
  Readonly<{ archivedAt: string | null }>;

/** An epic in the tracker's words: a project. */
export function projectOf({ title, dueDate, state, assignee, team, description, ...issue }: TrackerIssue) {
  const { id: own, identifier, url, startDate, priority, priorityLabel, createdAt, updatedAt, archivedAt } = issue;
  const same = { id: own, url, startDate, priority, priorityLabel, createdAt, updatedAt, archivedAt };
  const type = state?.type === 'unstarted' ? 'planned' : state?.type === 'triage' ? 'backlog' : state?.type;
  return {
    ...same,
    slugId: identifier,
    name: title,
    status: state === null ? null : { id: state.id, name: state.name, type: type ?? null },
    lead: assignee,
    targetDate: dueDate,
    teams: team === null ? [] : [team],
    ...(description === undefined ? {} : { content: description }),
  };
}
