import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { issueOf } from '#adapters/services/tracker/jira/fields.ts';
import { type DeliveryProof, deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { boundId, secretGiven } from '#adapters/services/webhooks/webhook-signature.ts';
import { realTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { DeliveryPart, WebhookSource } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { IssueChange, IssueEvent, OtherTrackerEvent } from '#domain/events/tracker-event.ts';
import { own } from '#domain/shared/own.ts';
import { isPlainText } from '#domain/shared/plain-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { singleHeader, singleParameter } from '#domain/webhooks/delivery.ts';

/** The parameter of the address that proves a delivery of a webhook that Jira does not sign. */
export const proofParameter = 'proof';

/** The proof for a secret; it reveals nothing that would sign a delivery. */
export const proofOf = (key: string) => createHmac('sha256', key).update('address of webhooks').digest('hex');

/** How far a delivery's time may be from now, in ms. Jira sends again for hours what was not accepted. */
const windowMs = 24 * 3_600_000;

const eventNames: Readonly<Record<string, IssueEvent['name'] | OtherTrackerEvent['name']>> = {
  'jira:issue_created': 'issue.create',
  'jira:issue_updated': 'issue.update',
  'jira:issue_deleted': 'issue.remove',
  comment_created: 'issue_comment.create',
  comment_updated: 'issue_comment.update',
  comment_deleted: 'issue_comment.remove',
  sprint_created: 'cycle.create',
  sprint_updated: 'cycle.update',
  sprint_deleted: 'cycle.remove',
};

const id = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => text.length > 0 && text.length <= 200 && isPlainText(text));
const withId = z.looseObject({ id });
const changedItem = z.looseObject({ field: z.string().catch(''), fieldId: z.string().catch('') });
const payload = z.looseObject({
  webhookEvent: z.string().catch(''),
  timestamp: z.number().optional().catch(undefined),
  issue: withId.optional().catch(undefined),
  comment: withId.optional().catch(undefined),
  sprint: withId.optional().catch(undefined),
  user: z.looseObject({ accountId: z.string(), displayName: z.string().nullish() }).optional().catch(undefined),
  changelog: z
    .looseObject({ items: z.array(z.unknown()) })
    .transform(({ items }) => items.flatMap((item) => changedItem.safeParse(item).data ?? []))
    .catch([]),
});

type Payload = z.output<typeof payload>;

/** Verifies Jira's deliveries, by signature or by the proof in their address, and reads them. */
export function jiraWebhookSource(secrets: readonly string[]): WebhookSource {
  const verify = deliveryVerifier({
    secrets,
    setting: 'TRACKER_WEBHOOK_SECRET',
    proof: proven,
    idOf: (delivery, body) =>
      boundId(singleHeader(delivery, 'X-Atlassian-Webhook-Identifier'), body, ['matchedWebhookIds']),
    freshness: {
      field: 'timestamp',
      windowMs,
      timesOf: (_, body) => [payload.safeParse(body).data?.timestamp ?? null],
    },
  });
  return { service: 'tracker', verify, parts, read };
}

const signed = signedIn('X-Hub-Signature', { prefix: 'sha256=' });

/** Only webhooks that an administrator made are signed. */
const proven: DeliveryProof = (secrets, delivery) => {
  const proof = singleParameter(delivery, proofParameter);
  if (proof === null || singleHeader(delivery, 'X-Hub-Signature') !== null) return signed(secrets, delivery);
  const secret = secretGiven(secrets.map(proofOf), proof);
  return secret === null ? rejectedDelivery('bad_signature', 'no configured secret made this address') : ok(secret);
};

/** The kind and the record that an event is about. */
function subjectOf(body: Payload) {
  const name = own(eventNames, body.webhookEvent) ?? null;
  const [kind] = name?.split('.') ?? [];
  if (kind === 'issue') return { name, kind, record: body.issue } as const;
  if (kind === 'issue_comment') return { name, kind, record: body.comment } as const;
  return { name, kind: 'cycle', record: body.sprint } as const;
}

function parts(body: unknown): readonly DeliveryPart[] {
  const read = payload.safeParse(body).data;
  const subject = read === undefined ? null : subjectOf(read);
  const orderKey =
    subject?.name == null || subject.record === undefined
      ? null
      : orderKeyOf({ service: 'tracker', kind: subject.kind, id: subject.record.id });
  return [{ name: (subject?.name ?? (read?.webhookEvent || 'unknown')).slice(0, 100), orderKey, body }];
}

/** The fields of a changelog that are parts of an issue. */
const changes: Readonly<Record<string, IssueChange>> = {
  summary: 'title',
  description: 'description',
  assignee: 'assignee',
  priority: 'priority',
  status: 'state',
  labels: 'labels',
  parent: 'project',
  IssueParentAssociation: 'project',
  'Epic Link': 'project',
};

function read(
  part: unknown,
  receivedAt: number,
): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>> {
  const body = payload.safeParse(part).data;
  const { name, kind, record } =
    body === undefined ? ({ name: null, kind: 'issue', record: undefined } as const) : subjectOf(body);
  if (body === undefined || name === null) {
    return err({
      reason: 'unknown',
      detail: `no event of the tracker is called ${JSON.stringify(body?.webhookEvent ?? '')}`,
    });
  }
  if (record === undefined)
    return err({ reason: 'unreadable', detail: `${body.webhookEvent} has no id of its record` });
  const occurredAt = realTime(body.timestamp) ?? receivedAt;
  const facts = { service: 'tracker', record: { service: 'tracker', kind, id: record.id }, occurredAt } as const;
  const items = body.changelog;
  if (name === 'issue.create' || name === 'issue.update' || name === 'issue.remove') {
    const changed =
      name === 'issue.update'
        ? items.flatMap(({ field, fieldId }) => own(changes, fieldId) ?? own(changes, field) ?? [])
        : [];
    const actor = body.user === undefined ? null : { id: body.user.accountId, name: body.user.displayName ?? null };
    return ok({ ...facts, name, issue: eventIssue(record), changed: [...new Set(changed)], actor });
  }
  return ok({ ...facts, name, fields: record, updatedFrom: null });
}

const noFields = { points: null, teamPoints: null, sprint: null, start: null };
const self = z.looseObject({ self: z.string() });

/** The issue as it was sent. Its address is at the site that its `self` names, unless that is the common one. */
function eventIssue(record: z.output<typeof withId>): IssueEvent['issue'] {
  const url = URL.parse(self.safeParse(record).data?.self ?? '');
  const isSite = url !== null && /\.(?:atlassian\.net|jira\.com)$/.test(url.host) && url.protocol === 'https:';
  const issue = issueOf(record, noFields, isSite ? url.origin : null);
  const { identifier = null, title = null, description = null, priority = null, priorityLabel = null } = issue ?? {};
  return {
    id: record.id,
    identifier,
    title,
    description,
    url: issue?.url ?? null,
    project: issue?.project ?? null,
    assignee: issue?.assignee ?? null,
    priority,
    priorityName: priorityLabel,
    state: issue?.state?.name ?? null,
    labels: (issue?.labels ?? []).map(({ name }) => name),
  };
}
