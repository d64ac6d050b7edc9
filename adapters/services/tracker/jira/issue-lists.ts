import { z } from 'zod';
import type { RecipeContext } from '#adapters/services/operation-table.ts';
import { mapped, parsed } from '#adapters/services/read-answers.ts';
import { fits, type ListInput, selected, textsIn } from '#adapters/services/tracker/details/matching.ts';
import {
  askedFields,
  issueOf,
  type OwnFields,
  ownFields,
  projectOf,
  siteOf,
  type TrackerIssue,
} from '#adapters/services/tracker/jira/fields.ts';
import { type Columns, conditionOf, quoted } from '#adapters/services/tracker/jira/jql.ts';
import {
  cyclesFor,
  labelsOf,
  prioritiesOf,
  statesFor,
  teamsOf,
  usersFor,
} from '#adapters/services/tracker/jira/records.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { failed, type Outcome, type Pagination, succeeded } from '#domain/operations/outcome.ts';

type Filter = Readonly<Record<string, unknown>>;

const issueTypes = z.array(z.looseObject({ id: z.string(), name: z.string(), hierarchyLevel: z.number().optional() }));

const idsOf = (records: Outcome<readonly Readonly<{ id: string }>[]>) =>
  mapped(records, (list) => list.map(({ id }) => id));

/** How the members of an issue's filter are asked for; `own` are the site's own fields. */
function issueColumns(send: Send, own: OwnFields): Columns {
  const related = (field: string, load: (filter: Filter) => Promise<Outcome<readonly Readonly<{ id: string }>[]>>) => ({
    kind: 'related' as const,
    field,
    find: async (filter: Filter, place: string) => {
      const records = await load(filter);
      return idsOf(records.ok ? selected(records.data, filter, place) : records);
    },
  });
  const people = (field: string) => related(field, (filter) => usersFor(send, filter));
  const day = { kind: 'day', field: 'duedate' } as const;
  const states = related('status', (filter) => statesFor(send, filter));
  const teams = related('project', () => teamsOf(send));
  const title = { kind: 'text', fields: ['summary'] } as const;
  const epics = (field: string) => ({
    kind: 'related' as const,
    field,
    find: async (filter: Filter) => epicsNamed(send, filter),
  });
  const cycle = own.sprint === null ? {} : { cycle: related('sprint', (filter) => cyclesFor(send, filter)) };
  const points = [own.teamPoints, own.points].flatMap((field) =>
    field === null ? [] : [`cf[${field.replace(/^customfield_/, '')}]`],
  );
  return {
    title,
    name: title,
    description: { kind: 'text', fields: ['description'] },
    searchableContent: { kind: 'text', fields: ['summary', 'description'] },
    state: states,
    status: states,
    assignee: people('assignee'),
    lead: people('assignee'),
    creator: people('creator'),
    team: teams,
    accessibleTeams: { ...teams, find: async (filter, place) => teams.find(someOf(filter), place) },
    labels: {
      kind: 'related',
      field: 'labels',
      find: async (filter, place) => {
        const labels = await labelsOf(send);
        return idsOf(labels.ok ? selected(labels.data, someOf(filter), place) : labels);
      },
    },
    project: epics('parent'),
    parent: { kind: 'related', field: 'parent', find: async (filter) => succeeded(textsIn(filter)) },
    priority: {
      kind: 'related',
      field: 'priority',
      find: async (filter) =>
        idsOf(mapped(await prioritiesOf(send), (list) => list.filter(({ level }) => fits(level, filter)))),
    },
    ...cycle,
    ...(points.length === 0 ? {} : { estimate: { kind: 'number', fields: points } }),
    id: { kind: 'id', field: 'issuekey' },
    identifier: { kind: 'id', field: 'issuekey' },
    slugId: { kind: 'id', field: 'issuekey' },
    dueDate: day,
    targetDate: day,
    createdAt: { kind: 'time', field: 'created' },
    updatedAt: { kind: 'time', field: 'updated' },
    completedAt: { kind: 'time', field: 'resolutiondate' },
  };
}

const someOf = (filter: Filter): Filter => {
  const some = filter['some'];
  return typeof some === 'object' && some !== null ? { ...some } : filter;
};

/** The ids of the epics that a filter names by name, key or id. */
async function epicsNamed(send: Send, filter: Filter): Promise<Outcome<readonly string[]>> {
  return idsOf(await epicsBy(send, filter));
}

/** The epics that a filter matches: by their names, keys or ids where it has such, by parts of their names, or all. */
export async function epicsBy(send: Send, filter: Filter, context?: RecipeContext) {
  const isByName = JSON.stringify(filter).includes('"eq');
  if (isByName) return epicsCalled(send, textsIn(filter), context);
  return mapped(await issuesBy(send, { filter, first: 20 }, { context, level: 1 }), (list) => list.map(projectOf));
}

async function epicsCalled(send: Send, names: readonly string[], context?: RecipeContext) {
  const either = names
    .slice(0, 50)
    .flatMap((name) => [
      { name: { eq: name } },
      ...(/^(?:\d{1,18}|[A-Za-z]\w{0,30}-\d{1,12})$/.test(name) ? [{ slugId: { eq: name } }] : []),
    ]);
  const found = await issuesBy(send, { filter: { or: either }, first: 100 }, { context, level: 1 });
  const wanted = names.map((name) => name.toLowerCase());
  return mapped(found, (list) =>
    list
      .map(projectOf)
      .filter(({ id, slugId, name }) =>
        [id, slugId, name].some((one) => one !== null && wanted.includes(one.toLowerCase())),
      ),
  );
}

const page = z.looseObject({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().optional(),
});

/** A page of issues, or of epics: those of a level above. */
export async function issuesBy(
  send: Send,
  {
    filter = {},
    first = 50,
    after,
    last,
    before,
    includeArchived = false,
    orderBy,
  }: ListInput & Readonly<{ includeArchived?: boolean | undefined }>,
  { context, level = 0 }: Readonly<{ context?: RecipeContext | undefined; level?: 0 | 1 }>,
): Promise<Outcome<readonly TrackerIssue[]>> {
  if (last !== undefined || before !== undefined) {
    return failed('invalid_input', 'The tracker pages forwards only: use `first` and `after`.');
  }
  const own = await ownFields(send);
  if (!own.ok) return own;
  const types = parsed(await send('issueTypes', {}), issueTypes);
  if (!types.ok) return types;
  const condition = await conditionOf(filter, issueColumns(send, own.data));
  if (!condition.ok) return condition;
  const epics = types.data.filter(({ hierarchyLevel = 0 }) => hierarchyLevel > 0).map(({ id }) => quoted(id));
  const end: Pagination = { next: null, hasMore: false };
  if (condition.data === false || (level === 1 && epics.length === 0)) return succeeded([], end);
  const ofLevel =
    epics.length === 0 ? 'project IS NOT EMPTY' : `issuetype ${level === 1 ? 'IN' : 'NOT IN'} (${epics.join(', ')})`;
  const jql = `${[ofLevel, ...(condition.data === true ? [] : [condition.data])].join(' AND ')} ORDER BY ${orderBy === 'updatedAt' ? 'updated' : 'created'} DESC`;
  const found = parsed(
    await send('search', {
      jql,
      fields: askedFields(own.data),
      maxResults: first,
      ...(after === undefined ? {} : { nextPageToken: after }),
    }),
    page,
  );
  if (!found.ok) return found;
  const { issues, nextPageToken } = found.data;
  const next = nextPageToken ?? null;
  const site = context === undefined ? null : siteOf(context);
  const listed = issues.flatMap((value) => issueOf(value, own.data, site) ?? []);
  const archived = includeArchived
    ? { warnings: ["Archived issues are left out: Jira's search does not find them."] }
    : {};
  return { ...succeeded(listed, { next, hasMore: next !== null }), ...archived };
}
