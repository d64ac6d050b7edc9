import { z } from 'zod';
import { mapped, parsed, withWarnings } from '#adapters/services/answers/read-answers.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { fits, type ListInput, textsIn } from '#adapters/services/tracker/details/matching.ts';
import { conditionOf } from '#adapters/services/tracker/details/query-condition.ts';
import {
  askedFields,
  issueOf,
  type OwnFields,
  ownFields,
  projectOf,
  siteOf,
  type TrackerIssue,
} from '#adapters/services/tracker/jira/fields.ts';
import { type Column, type Columns, jql, quoted } from '#adapters/services/tracker/jira/jql.ts';
import {
  cyclesFor,
  labelsOf,
  prioritiesOf,
  statesFor,
  teamsOf,
  usersFor,
} from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome, type Pagination, succeeded } from '#domain/operations/outcome.ts';

type Filter = Readonly<Record<string, unknown>>;

const issueTypes = z.array(z.looseObject({ id: z.string(), name: z.string(), hierarchyLevel: z.number().optional() }));

/** How the members of an issue's filter are asked for; `own` are the site's own fields. */
function issueColumns(send: Send, own: OwnFields): Columns {
  const people = (field: string) => ({ field, load: (filter: Filter) => usersFor(send, filter) });
  const column = (column: Column) => ({ column });
  const title = column({ kind: 'text', fields: ['summary'] });
  const key = column({ kind: 'id', field: 'issuekey' });
  const day = column({ kind: 'day', field: 'duedate' });
  const time = (field: string) => column({ kind: 'time', field });
  const state = { field: 'status', load: (filter: Filter) => statesFor(send, filter) };
  const team = { field: 'project', load: () => teamsOf(send) };
  const points = [own.teamPoints, own.points].flatMap((field) =>
    field === null ? [] : [`cf[${field.replace(/^customfield_/, '')}]`],
  );
  return {
    title,
    name: title,
    description: column({ kind: 'text', fields: ['description'] }),
    searchableContent: column({ kind: 'text', fields: ['summary', 'description'] }),
    state,
    status: state,
    assignee: people('assignee'),
    lead: people('assignee'),
    creator: people('creator'),
    team,
    accessibleTeams: team,
    labels: { field: 'labels', load: () => labelsOf(send) },
    project: { field: 'parent', find: (filter) => epicsBy(send, filter) },
    parent: { field: 'parent', find: async (filter) => succeeded(textsIn(filter).map((id) => ({ id }))) },
    priority: {
      field: 'priority',
      find: async (filter) =>
        mapped(await prioritiesOf(send), (list) => list.filter(({ level }) => fits(level, filter))),
    },
    ...(own.sprint === null ? {} : { cycle: { field: 'sprint', load: (filter: Filter) => cyclesFor(send, filter) } }),
    ...(points.length === 0 ? {} : { estimate: column({ kind: 'number', fields: points }) }),
    id: key,
    identifier: key,
    slugId: key,
    dueDate: day,
    targetDate: day,
    createdAt: time('created'),
    updatedAt: time('updated'),
    completedAt: time('resolutiondate'),
  };
}

/** The epics that a filter matches: by their names, keys or ids where it has such, by parts of their names, or all. */
export async function epicsBy(send: Send, filter: unknown, context?: RecipeContext) {
  const isByName = JSON.stringify(filter).includes('"eq');
  if (isByName) return epicsCalled(send, textsIn(filter), context);
  const input = { filter: isObject(filter) ? filter : {}, first: 20 };
  return mapped(await issuesBy(send, input, { context, level: 1 }), (epics) => epics.map(projectOf));
}

async function epicsCalled(send: Send, names: readonly string[], context?: RecipeContext) {
  const either = names
    .slice(0, 50)
    .flatMap((name) => [
      { name: { eq: name } },
      ...(/^(?:\d{1,18}|[A-Za-z]\w{0,30}-\d{1,12})$/.test(name) ? [{ slugId: { eq: name } }] : []),
    ]);
  const found = await issuesBy(send, { filter: { or: either }, first: 100 }, { context, level: 1 });
  const wanted = new Set<string | undefined>(names.map((name) => name.toLowerCase()));
  const isWanted = ({ id, slugId, name }: ReturnType<typeof projectOf>) =>
    [id, slugId, name].some((one) => wanted.has(one?.toLowerCase()));
  return mapped(found, (epics) => epics.map(projectOf).filter(isWanted));
}

const page = z.looseObject({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().optional(),
});

type IssueListInput = ListInput & Readonly<{ includeArchived?: boolean | undefined }>;

/** A page of issues, or of epics: those of a level above. */
export async function issuesBy(
  send: Send,
  { filter = {}, first = 50, after, last, before, includeArchived = false, orderBy }: IssueListInput,
  { context, level = 0 }: Readonly<{ context?: RecipeContext | undefined; level?: 0 | 1 }>,
): Promise<Outcome<readonly TrackerIssue[]>> {
  if (last !== undefined || before !== undefined) {
    return failed('invalid_input', 'The tracker pages forwards only: use `first` and `after`.');
  }
  const own = await ownFields(send);
  if (!own.ok) return own;
  const types = parsed(await send('issueTypes', {}), issueTypes);
  if (!types.ok) return types;
  const condition = await conditionOf(filter, issueColumns(send, own.data), jql);
  if (!condition.ok) return condition;
  const epics = types.data.filter(({ hierarchyLevel = 0 }) => hierarchyLevel > 0).map(({ id }) => quoted(id));
  const end: Pagination = { next: null, hasMore: false };
  if (condition.data === false || (level === 1 && epics.length === 0)) return succeeded([], end);
  const ofLevel =
    epics.length === 0 ? 'project IS NOT EMPTY' : `issuetype ${level === 1 ? 'IN' : 'NOT IN'} (${epics.join(', ')})`;
  const wanted = condition.data === true ? ofLevel : `${ofLevel} AND ${condition.data}`;
  const query = `${wanted} ORDER BY ${orderBy === 'updatedAt' ? 'updated' : 'created'} DESC`;
  const place = after === undefined ? {} : { nextPageToken: after };
  const asked = { jql: query, fields: askedFields(own.data), maxResults: first, ...place };
  const found = parsed(await send('search', asked), page);
  if (!found.ok) return found;
  const { issues, nextPageToken, isLast } = found.data;
  const next = isLast === true ? null : (nextPageToken ?? null);
  const site = context === undefined ? null : siteOf(context);
  const listed = issues.flatMap((value) => issueOf(value, own.data, site) ?? []);
  const warnings = includeArchived ? ["Archived issues are left out: Jira's search does not find them."] : [];
  return withWarnings(succeeded(listed, { next, hasMore: next !== null }), warnings);
}
