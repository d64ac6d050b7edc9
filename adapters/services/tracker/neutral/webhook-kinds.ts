import { trackerKinds } from '#domain/events/tracker-event.ts';

/** Our term for what an event is about. */
export type TrackerKind = 'issue' | (typeof trackerKinds)[number] | 'issue_sla';

/**
 * Our terms for the payload's `type`: the neutral names of resource types, plural and singular, and the vendor's.
 * Compared ignoring case and blanks.
 */
const kindsByType: Readonly<Record<TrackerKind, readonly string[]>> = {
  issue: ['Issue', 'Issues'],
  issue_comment: ['Issue comments', 'Issue comment', 'Comment'],
  issue_attachment: ['Issue attachments', 'Issue attachment', 'Attachment'],
  issue_label: ['Issue labels', 'Issue label'],
  comment_reaction: ['Comment reactions', 'Comment reaction', 'Reaction'],
  project: ['Projects', 'Project'],
  project_update: ['Project updates', 'Project update'],
  document: ['Documents', 'Document'],
  initiative: ['Initiatives', 'Initiative'],
  initiative_update: ['Initiative updates', 'Initiative update'],
  cycle: ['Cycles', 'Cycle'],
  customer: ['Customers', 'Customer'],
  customer_request: ['Customer requests', 'Customer request', 'CustomerNeed'],
  user: ['Users', 'User'],
  issue_sla: ['Issue SLA'],
};

const words = (text: string) => text.replaceAll(' ', '').toLowerCase();

const trackerKindWords = ['issue', ...trackerKinds, 'issue_sla'] as const;

const kinds = new Map(
  trackerKindWords.flatMap((kind) => kindsByType[kind].map((type) => [words(type), kind] as const)),
);

/** Our term for a payload's `type`; null for an unknown one. */
export function kindOf(type: string): TrackerKind | null {
  return kinds.get(words(type)) ?? null;
}
