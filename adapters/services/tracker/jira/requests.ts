import { z } from 'zod';
import type { SendRequest } from '#adapters/services/definitions/vendor-operations.ts';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';

const text = z.string();
const texts = z.array(text);
const number = z.number();
const some = number.optional();
const members = z.record(text, z.unknown()).optional();
const page = { startAt: some, maxResults: some };
const issue = { issue: text };
const ids = { issueIdsOrKeys: texts };
const sprint = { name: text.optional(), goal: text.optional(), startDate: text.optional(), endDate: text.optional() };
/** What a site is set up with is asked for once in a while, in ms. */
const setUp = { keptMs: 5 * 60_000 };
const reads = { effect: 'read', isIdempotent: true } as const;
const v3 = '/rest/api/3';
const agile = '/rest/agile/1.0';

/** The requests of Jira Cloud's platform and agile REST interfaces that the recipes send. */
export const requests = {
  myself: get(`${v3}/myself`, 'Gets the current user', {}),
  user: get(`${v3}/user`, 'Gets a user', { accountId: text }),
  findUsers: get(`${v3}/user/search`, 'Finds users', { query: text, maxResults: some }),
  users: get(`${v3}/users/search`, 'Lists users', page),
  assignable: get(`${v3}/user/assignable/search`, 'Lists who can be assigned', { project: text, maxResults: some }),
  projects: get(`${v3}/project/search`, 'Lists projects', { ...page, expand: text.optional() }),
  projectStatuses: get(`${v3}/project/{project}/statuses`, "Lists a project's statuses", { project: text }),
  statuses: get(`${v3}/status`, 'Lists statuses', {}),
  issueTypes: get(`${v3}/issuetype`, 'Lists types of issues', {}, setUp),
  typesOfProject: get(`${v3}/issue/createmeta/{project}/issuetypes`, "Lists a project's types of issues", {
    project: text,
    maxResults: some,
  }),
  fields: get(`${v3}/field`, 'Lists fields', {}, setUp),
  // Their search needs the right to configure Jira.
  priorities: get(`${v3}/priority`, 'Lists priorities', {}, setUp),
  labels: get(`${v3}/label`, 'Lists labels', page),
  search: post(
    `${v3}/search/jql`,
    'Finds issues',
    { jql: text, fields: texts, maxResults: some, nextPageToken: text.optional() },
    reads,
  ),
  issue: get(`${v3}/issue/{issue}`, 'Gets an issue', { ...issue, fields: texts }),
  createIssue: post(`${v3}/issue`, 'Creates an issue', { fields: members }),
  editIssue: put(`${v3}/issue/{issue}`, 'Updates an issue', { ...issue, fields: members, update: members }),
  deleteIssue: del(`${v3}/issue/{issue}`, 'Deletes an issue', issue),
  archive: put(`${v3}/issue/archive`, 'Archives issues', ids),
  unarchive: put(`${v3}/issue/unarchive`, 'Restores issues', ids),
  transitions: get(`${v3}/issue/{issue}/transitions`, 'Lists the transitions of an issue', issue),
  transition: post(`${v3}/issue/{issue}/transitions`, 'Changes the status of an issue', {
    ...issue,
    transition: members,
  }),
  comments: get(`${v3}/issue/{issue}/comment`, 'Lists comments', { ...issue, ...page, orderBy: text.optional() }),
  commentsById: post(`${v3}/comment/list`, 'Gets comments', { ids: z.array(number) }, reads),
  createComment: post(`${v3}/issue/{issue}/comment`, 'Adds a comment', { ...issue, body: z.unknown() }),
  editComment: put(`${v3}/issue/{issue}/comment/{id}`, 'Updates a comment', { ...issue, id: text, body: z.unknown() }),
  deleteComment: del(`${v3}/issue/{issue}/comment/{id}`, 'Deletes a comment', { ...issue, id: text }),
  links: get(`${v3}/issue/{issue}/remotelink`, 'Lists the links of an issue', issue),
  link: post(`${v3}/issue/{issue}/remotelink`, 'Adds a link to an issue', {
    ...issue,
    globalId: text,
    object: members,
  }),
  relate: post(
    `${v3}/issueLink`,
    'Links two issues',
    { type: members, inwardIssue: members, outwardIssue: members },
    { answer: 'none' },
  ),
  boards: get(`${agile}/board`, 'Lists boards', { ...page, projectKeyOrId: text.optional() }),
  sprints: get(`${agile}/board/{board}/sprint`, 'Lists sprints', { board: number, ...page }),
  createSprint: post(`${agile}/sprint`, 'Creates a sprint', { ...sprint, originBoardId: number }),
  editSprint: post(`${agile}/sprint/{sprint}`, 'Updates a sprint', { sprint: text, ...sprint, state: text.optional() }),
  webhooks: get(`${v3}/webhook`, 'Lists webhooks', page),
  createWebhooks: post(`${v3}/webhook`, 'Registers webhooks', { url: text, webhooks: z.array(members) }),
  refreshWebhooks: put(`${v3}/webhook/refresh`, 'Renews webhooks', { webhookIds: z.array(number) }),
  deleteWebhooks: del(`${v3}/webhook`, 'Deletes webhooks', { which: z.unknown() }, { body: 'which' }),
} as const;

/** Sends one of these requests. */
export type Send = SendRequest<typeof requests>;
