import { z } from 'zod';
import { kindOf, type TrackerKind } from '#adapters/services/tracker/neutral/webhook-kinds.ts';
import { parsedTime, realTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import {
  type Issue,
  type IssueChange,
  type IssueEvent,
  issueEventNames,
  otherTrackerEventNames,
  type TrackerEvent,
} from '#domain/events/tracker-event.ts';
import { own } from '#domain/shared/own.ts';
import { isPlainText } from '#domain/shared/plain-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const text = z.string().nullish().catch(null);
const number = z.number().optional().catch(undefined);
const named = z
  .object({ id: z.string().min(1), name: text })
  .transform(({ id, name }) => ({ id, name: name ?? null }))
  .nullish()
  .catch(null);
const fields = z.record(z.string(), z.unknown());

/** The fields common to all payloads; other members pass through. */
export const payloadSchema = z.looseObject({
  action: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  data: z
    .looseObject({ id: z.string().min(1).max(200).refine(isPlainText) })
    .optional()
    .catch(undefined),
  updatedFrom: fields.nullish().catch(null),
  actor: named,
  url: text,
  webhookTimestamp: number,
});

type Payload = z.output<typeof payloadSchema>;

const issueSchema = z.looseObject({
  id: z.string(),
  identifier: text,
  title: text,
  description: text,
  url: text,
  projectId: text,
  assigneeId: text,
  project: named,
  assignee: named,
  priority: number,
  priorityLabel: text,
  state: z.looseObject({ name: text }).nullish().catch(null),
  labels: z.array(z.looseObject({ name: z.string() })).catch([]),
});

/**
 * Converts a verified tracker body to a neutral event. Missing fields of an issue are null; without an id it is
 * unreadable.
 */
export function readTrackerEvent(
  body: unknown,
  receivedAt: number,
): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>> {
  const payload = payloadSchema.safeParse(body).data;
  const { type = '', action = '' } = payload ?? {};
  const kind = kindOf(type);
  const name = trackerEventName(kind, action);
  if (payload === undefined || kind === null || name === null) {
    return err({
      reason: 'unknown',
      detail: `no event of the tracker is called ${JSON.stringify(`${type}.${action}`)}`,
    });
  }
  if (payload.data === undefined) return err({ reason: 'unreadable', detail: `${type}.${action} has no data.id` });
  const facts = {
    service: 'tracker',
    record: { service: 'tracker', kind, id: payload.data.id },
    occurredAt: occurredAt(
      { ...payload, webhookTimestamp: payload.webhookTimestamp ?? receivedAt },
      payload.data,
      action,
    ),
  } as const;
  return isIssueEvent(name)
    ? ok({ ...facts, name, ...issueFacts(payload, payload.data) })
    : ok({ ...facts, name, fields: payload.data, updatedFrom: payload.updatedFrom ?? null });
}

const eventNames = [...issueEventNames, ...otherTrackerEventNames];

/** The neutral name of an event about this kind of record; null when there is none. */
export function trackerEventName(kind: TrackerKind | null, action: string): TrackerEvent['name'] | null {
  return eventNames.find((known) => known === `${kind ?? ''}.${action}`) ?? null;
}

function isIssueEvent(name: TrackerEvent['name']): name is IssueEvent['name'] {
  return issueEventNames.some((known) => known === name);
}

function issueFacts(payload: Payload, data: z.output<typeof fields>) {
  const changed = Object.keys(payload.updatedFrom ?? {}).flatMap((key) => own(changes, key) ?? []);
  return {
    issue: toIssue(data, payload.url ?? null),
    changed: [...new Set(changed)],
    actor: payload.actor?.name === null ? null : (payload.actor ?? null),
  };
}

/** The field of `updatedFrom` that indicates each change. */
const changes: Readonly<Record<string, IssueChange>> = {
  title: 'title',
  description: 'description',
  projectId: 'project',
  assigneeId: 'assignee',
  priority: 'priority',
  stateId: 'state',
  labelIds: 'labels',
};

function toIssue(data: z.output<typeof fields>, url: string | null): Issue {
  const issue = issueSchema.parse(data);
  const byId = (id: string | null | undefined) => (id === null || id === undefined ? null : { id, name: null });
  return {
    id: issue.id,
    identifier: issue.identifier ?? null,
    title: issue.title ?? null,
    description: issue.description ?? null,
    url: issue.url ?? url,
    project: issue.project ?? byId(issue.projectId),
    assignee: issue.assignee ?? byId(issue.assigneeId),
    priority: issue.priority ?? null,
    priorityName: issue.priorityLabel ?? null,
    state: issue.state?.name ?? null,
    labels: issue.labels.map((label) => label.name),
  };
}

/**
 * The record's own `updatedAt`, else the time of sending. A removal happened when it was sent, since the record's time
 * is that of its last change.
 */
function occurredAt({ webhookTimestamp }: Payload, data: z.output<typeof fields>, action: string): number {
  const updatedAt = parsedTime(data['updatedAt']);
  const sentAt = realTime(webhookTimestamp) ?? 0;
  if (updatedAt === null) return sentAt;
  return action === 'remove' ? Math.max(updatedAt, sentAt) : updatedAt;
}
