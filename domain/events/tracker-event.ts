import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What the tracker's webhooks tell of, save issues, in our words (HOOK-011). */
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

/** What may happen to them, and to issues. */
export const trackerActions = ['create', 'update', 'remove'] as const;

/** What may happen to an issue's service level. */
export const issueSlaActions = ['set', 'highRisk', 'breached'] as const;

/** Something with an id and a name that people know it by; the name may be missing. */
export type Named = Readonly<{ id: string; name: string | null }>;

/** An issue as the tracker sent it. What it did not send is null. Texts are untrusted: anybody may have written them. */
export type Issue = Readonly<{
  id: string;
  /** What people call it: 'ENG-7'. */
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

/** What an update may have changed of an issue. */
export type IssueChange = 'title' | 'description' | 'project' | 'assignee' | 'priority' | 'state' | 'labels';

/** The names of the events about an issue itself. */
export const issueEventNames = ['issue.create', 'issue.update', 'issue.remove'] as const;

/** Something happened to an issue. `changed` is empty but for updates; `actor` is who did it, when it is told. */
export type IssueEvent = EventFacts<'tracker', (typeof issueEventNames)[number]> &
  Readonly<{ issue: Issue; changed: readonly IssueChange[]; actor: Named | null }>;

/** The names of all events of the tracker that are not about an issue itself. */
export const otherTrackerEventNames = [
  ...trackerKinds.flatMap((kind) => trackerActions.map((action) => `${kind}.${action}` as const)),
  ...issueSlaActions.map((action) => `issue_sla.${action}` as const),
] as const;

/** Something happened to another record, or to an issue's service level; `fields` are as sent. */
export type OtherTrackerEvent = EventFacts<'tracker', (typeof otherTrackerEventNames)[number]> &
  Readonly<{ fields: Fields; updatedFrom: Fields | null }>;

/** What the tracker tells. */
export type TrackerEvent = IssueEvent | OtherTrackerEvent;
