import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** The record kinds other than issues in the tracker's webhooks, in neutral terms (HOOK-011). */
export const trackerKinds = [
  'issue_comment',
  'issue_attachment',
  'issue_label',
  'comment_reaction',
  'project',
  'project_update',
  'document',
  'initiative',
  'initiative_update',
  'cycle',
  'customer',
  'customer_request',
  'user',
] as const;

/** The actions on issues and on the other kinds. */
const trackerActions = ['create', 'update', 'remove'] as const;

/** The actions on an issue's SLA. */
const issueSlaActions = ['set', 'highRisk', 'breached'] as const;

/** A record with an id and a display name; the name may be missing. */
export type Named = Readonly<{ id: string; name: string | null }>;

/** An issue as the tracker sent it; null means not sent. Texts are untrusted: anybody may have written them. */
export type Issue = Readonly<{
  id: string;
  /** The identifier that people use: 'ENG-7'. */
  identifier: string | null;
  title: string | null;
  description: string | null;
  url: string | null;
  project: Named | null;
  assignee: Named | null;
  /** 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
  priority: number | null;
  priorityName: string | null;
  /** The name of its workflow state: 'In Progress'. */
  state: string | null;
  labels: readonly string[];
}>;

/** A part of an issue that an update may have changed. */
export type IssueChange = 'title' | 'description' | 'project' | 'assignee' | 'priority' | 'state' | 'labels';

/** The names of the events about an issue itself. */
export const issueEventNames = ['issue.create', 'issue.update', 'issue.remove'] as const;

/** An event about an issue. `changed` is empty except for updates; `actor` is who did it, null when not sent. */
export type IssueEvent = EventFacts<'tracker', (typeof issueEventNames)[number]> &
  Readonly<{ issue: Issue; changed: readonly IssueChange[]; actor: Named | null }>;

/** The names of the tracker's events about records other than issues. */
export const otherTrackerEventNames = [
  ...trackerKinds.flatMap((kind) => trackerActions.map((action) => `${kind}.${action}` as const)),
  ...issueSlaActions.map((action) => `issue_sla.${action}` as const),
] as const;

/** An event about a record other than an issue, or about an issue's SLA; `fields` are as sent. */
export type OtherTrackerEvent = EventFacts<'tracker', (typeof otherTrackerEventNames)[number]> &
  Readonly<{ fields: Fields; updatedFrom: Fields | null }>;

/** Any event of the tracker. */
export type TrackerEvent = IssueEvent | OtherTrackerEvent;
