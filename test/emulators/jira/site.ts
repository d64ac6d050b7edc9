import type { QueriedIssue } from '#test/emulators/jira/jql.ts';

/** A person of the site. Bob hides the e-mail address. */
export type Person = Readonly<{
  accountId: string;
  displayName: string;
  emailAddress?: string;
  active: boolean;
  accountType: 'atlassian';
}>;

/** A status with its category. */
export type Status = Readonly<{
  id: string;
  name: string;
  statusCategory: Readonly<{ id: number; key: string; name: string }>;
}>;

/** A comment, whose body is stored as it was sent. */
export type Comment = { id: string; author: Person; body: unknown; created: string; updated: string };

/** An issue as it is stored. */
export type Issue = {
  id: string;
  key: string;
  project: string;
  type: string;
  status: string;
  fields: Record<string, unknown>;
  comments: Comment[];
  links: { id: number; globalId: string; object: unknown }[];
  isArchived: boolean;
};

export const ann: Person = {
  accountId: '5b10a2844c20165700ede21g',
  displayName: 'Ann Smith',
  emailAddress: 'ann@example.com',
  active: true,
  accountType: 'atlassian',
};
export const bob: Person = {
  accountId: '712020:b0b00000-0000-4000-8000-000000000000',
  displayName: 'Bob Smith',
  active: true,
  accountType: 'atlassian',
};
export const people: readonly Person[] = [ann, bob];
/** The address that Bob hides, by which a search finds Bob all the same. */
export const hiddenAddresses: Readonly<Record<string, string>> = { 'bob@example.com': bob.accountId };

const category = {
  new: { id: 2, key: 'new', name: 'To Do' },
  indeterminate: { id: 4, key: 'indeterminate', name: 'In Progress' },
  done: { id: 3, key: 'done', name: 'Done' },
} as const;
export const statuses: readonly Status[] = [
  { id: '1', name: 'Backlog', statusCategory: category.new },
  { id: '2', name: 'To Do', statusCategory: category.new },
  { id: '3', name: 'In Progress', statusCategory: category.indeterminate },
  { id: '4', name: 'Done', statusCategory: category.done },
  { id: '5', name: 'Cancelled', statusCategory: category.done },
];

/** The workflow: which statuses each status leads to. Nothing leads out of Cancelled, and Done only back to To Do. */
export const workflow: Readonly<Record<string, readonly string[]>> = {
  1: ['2', '5'],
  2: ['1', '3', '5'],
  3: ['2', '4', '5'],
  4: ['2'],
  5: [],
};

export const projects = [
  {
    id: '10000',
    key: 'ENG',
    name: 'Engineering',
    description: 'Builds it',
    simplified: false,
    style: 'classic',
    projectTypeKey: 'software',
  },
  {
    id: '10001',
    key: 'OPS',
    name: 'Operations',
    description: '',
    simplified: true,
    style: 'next-gen',
    projectTypeKey: 'software',
  },
] as const;

export const issueTypes = [
  { id: '10100', name: 'Epic', subtask: false, hierarchyLevel: 1 },
  { id: '10101', name: 'Story', subtask: false, hierarchyLevel: 0 },
  { id: '10102', name: 'Task', subtask: false, hierarchyLevel: 0 },
  { id: '10103', name: 'Sub-task', subtask: true, hierarchyLevel: -1 },
] as const;

export const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((name, index) => ({
  id: String(index + 1),
  name,
  isDefault: name === 'Medium',
}));

export const boards = [
  { id: 1, name: 'ENG board', type: 'scrum', project: '10000' },
  { id: 2, name: 'OPS board', type: 'kanban', project: '10001' },
] as const;

/** A sprint of a board. */
export type Sprint = {
  id: number;
  name: string;
  state: 'closed' | 'active' | 'future';
  originBoardId: number;
  startDate?: string;
  endDate?: string;
  completeDate?: string;
  goal?: string;
};

/** The fields of the site that have ids of their own. */
export const customFields = [
  {
    id: 'customfield_10016',
    name: 'Story point estimate',
    schema: { type: 'number', custom: 'com.pyxis.greenhopper.jira:jsw-story-points', customId: 10016 },
  },
  {
    id: 'customfield_10026',
    name: 'Story Points',
    schema: { type: 'number', custom: 'com.atlassian.jira.plugin.system.customfieldtypes:float', customId: 10026 },
  },
  {
    id: 'customfield_10020',
    name: 'Sprint',
    schema: { type: 'array', custom: 'com.pyxis.greenhopper.jira:gh-sprint', customId: 10020 },
  },
  {
    id: 'customfield_10015',
    name: 'Start date',
    schema: { type: 'date', custom: 'com.atlassian.jira.plugin.system.customfieldtypes:datepicker', customId: 10015 },
  },
] as const;

/** The values of an issue by the names that queries have for them. */
export function queried(issue: Issue, sprints: readonly Sprint[], others: readonly Issue[]): QueriedIssue {
  const { fields } = issue;
  const texts = (...values: readonly unknown[]) =>
    values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []));
  const idOf = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null ? texts(Object.entries(value).find(([key]) => key === name)?.[1]) : [];
  const parent = others.find(({ id }) => id === fields['parent']);
  const sprint = sprints.find(({ id }) => id === fields['customfield_10020']);
  const time = (value: unknown) => texts(value).map((text) => String(Date.parse(text)));
  return {
    project: [issue.project, projects.find(({ id }) => id === issue.project)?.key ?? ''],
    issuetype: [issue.type],
    status: [issue.status, statuses.find(({ id }) => id === issue.status)?.name ?? ''],
    assignee: idOf(fields['assignee'], 'accountId'),
    creator: [ann.accountId],
    labels: Array.isArray(fields['labels']) ? fields['labels'].map(String) : [],
    priority: idOf(fields['priority'], 'id'),
    parent: parent === undefined ? [] : [parent.id, parent.key],
    sprint: sprint === undefined ? [] : [String(sprint.id), sprint.name],
    issuekey: [issue.key, issue.id],
    summary: texts(fields['summary']),
    description: texts(JSON.stringify(fields['description'] ?? '')),
    created: time(fields['created']),
    updated: time(fields['updated']),
    resolutiondate: time(fields['resolutiondate']),
    duedate: texts(fields['duedate']),
    'cf[10016]': texts(fields['customfield_10016']),
    'cf[10026]': texts(fields['customfield_10026']),
  };
}
