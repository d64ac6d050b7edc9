/*
 * The fields selected for each kind of record. Connections inside a record always state a size (`first`), and select
 * whether there are more, so that a truncated list is noticed.
 */

const more = 'pageInfo { hasNextPage }';

/** Paging data of a list, in both directions. */
export const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** A person. */
export const user = '{ id name displayName email active admin guest isMe url createdAt }';

/** A person as part of another record. */
const person = '{ id name displayName email }';

/** A team in a list. */
export const teamFields = `{
  id key name displayName description color icon timezone cyclesEnabled issueCount
  activeCycle { id number name startsAt endsAt }
  createdAt updatedAt archivedAt
}`;

/** A team on its own, including its states and people. */
export const teamSelection = `{
  id key name displayName description color icon timezone cyclesEnabled issueCount
  activeCycle { id number name startsAt endsAt }
  defaultIssueState { id name type }
  states(first: 50) { nodes { id name type position color } ${more} }
  members(first: 50) { nodes ${person} ${more} }
  createdAt updatedAt archivedAt
}`;

/** In the order of outputs.ts, so that an answer has not to be put in order. */
const issueFields = `
  identifier title
  state { id name type }
  priorityLabel
  assignee ${person}
  dueDate estimate
  labels(first: 10) { nodes { id name color } ${more} }
  project { id name }
  cycle { id number name }
  team { id key name }
  updatedAt url id priority
  parent { id identifier title }
  createdAt completedAt archivedAt`;

/** An issue in a list. */
export const issue = `{ ${issueFields} }`;

/** An issue as returned by a change. */
export const issueChanged = `{ ${issueFields} description }`;

/** A comment. */
export const comment = `{
  id body url
  user ${person}
  parent { id }
  issue { id identifier }
  createdAt updatedAt editedAt resolvedAt
}`;

/** An issue on its own, including its text, sub-issues, links and first comments. */
export const issueSelection = `{
  ${issueFields}
  description branchName startedAt canceledAt
  creator ${person}
  projectMilestone { id name }
  children(first: 25) { nodes { id identifier title url state { name type } } ${more} }
  attachments(first: 25) { nodes { id title subtitle url } ${more} }
  comments(first: 25) { nodes { id body url user ${person} parent { id } createdAt } ${more} }
}`;

/** How two issues are linked. */
export const relation = '{ id type issue { id identifier title url } relatedIssue { id identifier title url } }';

/** A link on an issue. */
export const attachmentSelection =
  '{ id title subtitle url sourceType metadata createdAt updatedAt issue { id identifier title url } }';

const projectFields = `
  id name description slugId url color icon priority priorityLabel health progress
  status { id name type }
  lead ${person}
  teams(first: 10) { nodes { id key name } ${more} }
  startDate targetDate startedAt completedAt canceledAt createdAt updatedAt archivedAt`;

/** A project in a list. */
export const project = `{ ${projectFields} }`;

/** A project on its own, including its text, people, milestones and last report. */
export const projectSelection = `{
  ${projectFields}
  content
  creator ${person}
  members(first: 25) { nodes ${person} ${more} }
  labels(first: 10) { nodes { id name color } ${more} }
  initiatives(first: 10) { nodes { id name url } ${more} }
  projectMilestones(first: 25) { nodes { id name targetDate } ${more} }
  lastUpdate { id body health url createdAt user ${person} }
}`;

/** A cycle. */
export const cycle = `{
  id number name description startsAt endsAt completedAt progress isActive isFuture isPast isNext isPrevious
  team { id key name }
  createdAt updatedAt archivedAt
}`;

const initiativeFields = `
  id name description slugId url color icon status health
  owner ${person}
  targetDate startedAt completedAt createdAt updatedAt archivedAt`;

/** An initiative in a list. */
export const initiative = `{ ${initiativeFields} }`;

/** An initiative on its own, including its text, projects and last report. */
export const initiativeSelection = `{
  ${initiativeFields}
  content
  creator ${person}
  projects(first: 50) { nodes { id name url progress status { name type } targetDate } ${more} }
  lastUpdate { id body health url createdAt user ${person} }
}`;

/** A state of a team's workflow. */
export const workflowState = '{ id name type description color position team { id key name } archivedAt }';

/** A label; one without a team belongs to the whole workspace. */
export const label =
  '{ id name description color isGroup parent { id name } team { id key name } createdAt archivedAt }';

const documentWith = (text: string) => `{
  id title ${text} slugId url icon color
  creator ${person}
  project { id name }
  initiative { id name }
  issue { id identifier title }
  team { id key name }
  createdAt updatedAt archivedAt
}`;

/** A document in a list. */
export const document = documentWith('');

/** A document as returned by a change, including its text. */
export const documentChanged = documentWith('content');

/** A webhook as created, including its secret, which the answer shows to those who may see it. */
export const webhook = '{ id url label enabled resourceTypes allPublicTeams team { id key } secret createdAt }';

/** A webhook in a list. */
export const listedWebhook = '{ id url label enabled resourceTypes allPublicTeams team { id key } createdAt }';
