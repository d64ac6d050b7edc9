import { pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import { byName, flag, many, number, ownId, part, text, texts } from '#adapters/services/answers/output-members.ts';

/*
 * The main members of the tracker's records, in display order; selections.ts has the fields that are requested. Records
 * inside a record are shown by name, since the tools accept names. Answers of a change are documented briefly, although
 * they contain the whole record.
 */

const named = { name: text(), id: ownId() };
const byItsName = { name: text() };
const person = byItsName;
const member = { ...person, email: text() };
const ofTeam = { key: text() };
const ofIssue = { identifier: text(), title: text() };
const typed = { name: text(), type: text() };

const issueInBrief = {
  ...ofIssue,
  state: part(typed),
  priorityLabel: text(),
  assignee: part(person),
  dueDate: text(),
};
/** Statuses of projects. */
export const projectStatuses = pagesOf(named);

const ends = { url: text(), id: ownId() };

const issue = {
  ...issueInBrief,
  estimate: number(),
  labels: many({ name: text() }),
  project: part(byItsName),
  cycle: part({ number: number() }),
  team: part(ofTeam),
  updatedAt: text(),
  ...ends,
};

/** Issues. */
export const issuePages = pagesOf(issue);

/** An issue that was created or changed. */
export const changedIssue = recordOf({ ...issueInBrief, ...ends });

/** An issue with its text and related records. */
export const issueInFull = recordOf({
  ...ofIssue,
  description: text('Markdown'),
  ...issue,
  children: many(ofIssue, 'Sub-issues'),
  attachments: many({ title: text(), url: text() }),
  comments: many({ body: text(), user: part(person), createdAt: text() }, 'The first 25'),
});

/** An issue that was deleted. */
export const deletedIssue = recordOf({ ...ofIssue, archivedAt: text(), trashed: flag(), id: ownId() });

const comment = {
  body: text('Markdown'),
  user: part(person),
  createdAt: text(),
  resolvedAt: text(),
  parent: part({ id: ownId() }, 'The comment that it replies to'),
  ...ends,
};

/** Comments of an issue. */
export const commentPages = pagesOf(comment);

/** A comment. */
export const oneComment = recordOf(comment);

/** The id of what was deleted. */
export const deleted = recordOf({ entityId: ownId() });

const label = {
  name: text(),
  description: text(),
  isGroup: flag('A group cannot be put on an issue'),
  parent: part({ name: text() }, 'Its group'),
  team: part(ofTeam, "Null: the whole workspace's"),
  id: ownId(),
};

/** Labels of issues. */
export const labelPages = pagesOf(label);

/** A label of issues. */
export const oneLabel = recordOf(label);

/** How two issues are linked. */
export const issueRelation = recordOf({
  type: text('What the issue is to the related one'),
  issue: part(ofIssue),
  relatedIssue: part(ofIssue),
  id: ownId(),
});

/** A link on an issue. */
export const attachment = recordOf({
  title: text(),
  subtitle: text(),
  metadata: byName(),
  issue: part(ofIssue),
  createdAt: text(),
  ...ends,
});

const projectInBrief = {
  name: text(),
  status: part(typed),
  lead: part(person),
  startDate: text(),
  targetDate: text(),
};

const project = {
  ...projectInBrief,
  health: text(),
  progress: number('0 to 1'),
  teams: many(ofTeam),
  description: text(),
  ...ends,
};

const lastUpdate = part({ body: text(), health: text(), createdAt: text() }, 'The last report');

/** Projects. */
export const projectPages = pagesOf(project);

/** A project that was created or changed. */
export const changedProject = recordOf({ ...projectInBrief, ...ends });

/** A project with its text, people and milestones. */
export const projectInFull = recordOf({
  ...project,
  content: text('Markdown'),
  lastUpdate,
  members: many(member),
  projectMilestones: many({ name: text(), targetDate: text() }),
});

const cycle = {
  number: number(),
  name: text(),
  startsAt: text(),
  endsAt: text(),
  completedAt: text(),
  progress: number('0 to 1'),
  isActive: flag(),
  description: text(),
  team: part(ofTeam),
  id: ownId(),
};

/** Cycles. */
export const cyclePages = pagesOf(cycle);

/** A cycle. */
export const oneCycle = recordOf(cycle);

const initiative = {
  name: text(),
  status: text(),
  health: text(),
  owner: part(person),
  targetDate: text(),
  description: text(),
  ...ends,
};

/** Initiatives. */
export const initiativePages = pagesOf(initiative);

/** An initiative that was created or changed. */
export const oneInitiative = recordOf(initiative);

/** An initiative with its text and projects. */
export const initiativeInFull = recordOf({
  ...initiative,
  content: text('Markdown'),
  lastUpdate,
  projects: many({ name: text(), status: part({ name: text() }), progress: number(), targetDate: text(), id: ownId() }),
});

const documentInBrief = { title: text(), updatedAt: text() };

/** Documents, without their texts. */
export const documentPages = pagesOf({
  ...documentInBrief,
  project: part(byItsName),
  initiative: part(byItsName),
  issue: part({ identifier: text() }),
  team: part(ofTeam),
  ...ends,
});

/** A document that was deleted. */
export const deletedDocument = recordOf({ ...documentInBrief, archivedAt: text(), ...ends });

/** A document that was created or changed. */
export const changedDocument = recordOf({ ...documentInBrief, content: text('Markdown'), ...ends });

/** States of the teams' workflows. */
export const statePages = pagesOf({ ...typed, description: text(), team: part(ofTeam), id: ownId() });

const user = {
  name: text(),
  displayName: text(),
  email: text(),
  active: flag(),
  admin: flag(),
  isMe: flag(),
  id: ownId(),
};

/** People. */
export const userPages = pagesOf(user);

/** A person. */
export const oneUser = recordOf(user);

const team = {
  name: text(),
  key: text('Names the team everywhere'),
  description: text(),
  issueCount: number(),
  activeCycle: part({ number: number(), name: text(), startsAt: text(), endsAt: text() }),
  id: ownId(),
};

/** Teams. */
export const teamPages = pagesOf(team);

/** A team with its states and people. */
export const teamInFull = recordOf({
  ...team,
  states: many(typed),
  members: many(member),
});

const webhook = {
  label: text(),
  enabled: flag(),
  resourceTypes: texts(),
  allPublicTeams: flag(),
  createdAt: text(),
  ...ends,
};

/** Webhooks, i.e. the addresses that events are sent to. */
export const webhookPages = pagesOf(webhook);

/** A webhook as created. */
export const oneWebhook = recordOf({ ...webhook, secret: text('For the check of signatures') });
