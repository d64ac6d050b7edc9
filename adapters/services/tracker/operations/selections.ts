/*
 * What is asked of each kind of record: what a person wants to see of it. Connections inside a record always say how many
 * (`first`), and ask whether there are more, so that a cut shows.
 */

const more = 'pageInfo { hasNextPage }';

/** Where a list goes on, both ways. */
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

/** A team alone: its states and people as well. */
export const teamSelection = `{
  id key name displayName description color icon timezone cyclesEnabled issueCount
  activeCycle { id number name startsAt endsAt }
  defaultIssueState { id name type }
  states(first: 50) { nodes { id name type position color } ${more} }
  members(first: 50) { nodes ${person} ${more} }
  createdAt updatedAt archivedAt
}`;

const issueFields = `
  id identifier title priority priorityLabel estimate dueDate url
  state { id name type }
  assignee ${person}
  team { id key name }
  project { id name }
  cycle { id number name }
  parent { id identifier title }
  labels(first: 10) { nodes { id name color } ${more} }
  createdAt updatedAt completedAt archivedAt`;

/** An issue in a list. */
export const issue = `{ ${issueFields} }`;

/** An issue as a change answers it. */
export const issueChanged = `{ ${issueFields} description }`;

/** A comment. */
export const comment = `{
  id body url
  user ${person}
  parent { id }
  issue { id identifier }
  createdAt updatedAt editedAt resolvedAt
}`;

/** An issue alone: its text, sub-issues, links and first comments as well. */
export const issueSelection = `{
  ${issueFields}
  description branchName startedAt canceledAt
  creator ${person}
  projectMilestone { id name }
  children(first: 25) { nodes { id identifier title url state { name type } } ${more} }
  attachments(first: 25) { nodes { id title subtitle url } ${more} }
  comments(first: 25) { nodes { id body url user ${person} parent { id } createdAt } ${more} }
}`;

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

/** A project alone: its text, people, milestones and last report as well. */
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

/** An initiative alone: its text, projects and last report as well. */
export const initiativeSelection = `{
  ${initiativeFields}
  content
  creator ${person}
  projects(first: 50) { nodes { id name url progress status { name type } targetDate } ${more} }
  lastUpdate { id body health url createdAt user ${person} }
}`;

/** A state of a team's workflow. */
export const workflowState = '{ id name type description color position team { id key name } archivedAt }';

/** A label; one without a team is the whole workspace's. */
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

/** A document as a change answers it: its text as well. */
export const documentChanged = documentWith('content');

/** A webhook; its secret is answered to whom may see it, once made, and is kept by nobody else. */
export const webhook = '{ id url label enabled resourceTypes allPublicTeams team { id key } secret createdAt }';

/** A webhook in a list. */
export const listedWebhook = '{ id url label enabled resourceTypes allPublicTeams team { id key } createdAt }';
