import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { issueOf } from '#adapters/services/tracker/jira/fields.ts';
import { siteAddress } from '#adapters/services/tracker/jira/oauth.ts';
import { readTrackerEvent } from '#adapters/services/tracker/neutral/webhook-payload.ts';
import { trackerPart } from '#adapters/services/tracker/neutral/webhook-source.ts';
import { type DeliveryProof, deliveryVerifier, signedIn } from '#adapters/services/webhooks/delivery-verifier.ts';
import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { boundId, secretGiven } from '#adapters/services/webhooks/webhook-signature.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { own } from '#domain/shared/own.ts';
import { ok } from '#domain/shared/result.ts';
import { singleHeader, singleParameter } from '#domain/webhooks/delivery.ts';

/** The parameter of the address that proves a delivery of a webhook that Jira does not sign. */
export const proofParameter = 'proof';

/** The proof for a secret; it reveals nothing that would sign a delivery. */
export const proofOf = (key: string) => createHmac('sha256', key).update('address of webhooks').digest('hex');

/** How far a delivery's time may be from now, in ms. Jira sends again for hours what was not accepted. */
const windowMs = 24 * 3_600_000;

const id = z.union([z.string(), z.number()]).transform(String);
const withId = z.looseObject({ id }).optional().catch(undefined);
const changedItem = z.looseObject({ field: z.string().catch(''), fieldId: z.string().catch('') });
const payload = z.looseObject({
  webhookEvent: z.string().catch(''),
  timestamp: z.number().optional().catch(undefined),
  issue: withId,
  comment: withId,
  sprint: withId,
  user: z.looseObject({ accountId: z.string(), displayName: z.string().nullish() }).optional().catch(undefined),
  changelog: z
    .looseObject({ items: z.array(z.unknown()) })
    .transform(({ items }) => items.flatMap((item) => changedItem.safeParse(item).data ?? []))
    .catch([]),
});

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
  return {
    service: 'tracker',
    verify,
    parts: (body) => [{ ...trackerPart(inTrackersWords(body)), body }],
    read: (part, receivedAt) => readTrackerEvent(inTrackersWords(part), receivedAt),
  };
}

const signed = signedIn('X-Hub-Signature', { prefix: 'sha256=' });

/** Only webhooks that an administrator made are signed. */
const proven: DeliveryProof = (secrets, delivery) => {
  const proof = singleParameter(delivery, proofParameter);
  if (proof === null || singleHeader(delivery, 'X-Hub-Signature') !== null) return signed(secrets, delivery);
  const secret = secretGiven(secrets.map(proofOf), proof);
  return secret === null ? rejectedDelivery('bad_signature', 'no configured secret made this address') : ok(secret);
};

/** The tracker's words for records, for what happens to them, and for the fields of a changelog that are parts of an issue. */
const types: Readonly<Record<string, string>> = { issue: 'Issue', comment: 'Comment', sprint: 'Cycle' };
const actions: Readonly<Record<string, string>> = { created: 'create', updated: 'update', deleted: 'remove' };
const changes: Readonly<Record<string, string>> = {
  summary: 'title',
  description: 'description',
  priority: 'priority',
  assignee: 'assigneeId',
  status: 'stateId',
  labels: 'labelIds',
  parent: 'projectId',
  IssueParentAssociation: 'projectId',
  'Epic Link': 'projectId',
};

/** A delivery in the tracker's words. One about another record has the name of its event as its type. */
function inTrackersWords(given: unknown): unknown {
  const body = payload.safeParse(given).data;
  const { webhookEvent = '', user, changelog = [], timestamp } = body ?? {};
  const [, kind = '', what = ''] =
    /^(?:jira:)?(issue|comment|sprint)_(created|updated|deleted)$/.exec(webhookEvent) ?? [];
  const isIssue = kind === 'issue';
  const changed = changelog.flatMap(({ field, fieldId }) => own(changes, fieldId) ?? own(changes, field) ?? []);
  return {
    type: own(types, kind) ?? (webhookEvent || 'unknown'),
    action: own(actions, what) ?? '',
    data: isIssue ? issueIn(body?.issue) : kind === 'comment' ? body?.comment : body?.sprint,
    updatedFrom: isIssue && what === 'updated' ? Object.fromEntries(changed.map((name) => [name, null])) : null,
    actor: user === undefined ? null : { id: user.accountId, name: user.displayName },
    webhookTimestamp: timestamp,
  };
}

const noFields = { points: null, teamPoints: null, sprint: null, start: null };

/** The issue as it was sent. Its address is at the site that its `self` names, unless that is the common one. */
function issueIn(record: z.output<typeof withId>): unknown {
  if (record === undefined) return undefined;
  const site = siteAddress(record['self'])?.origin ?? null;
  // What happened did so at the time of the delivery.
  return { ...issueOf(record, noFields, site), id: record.id, updatedAt: undefined };
}
