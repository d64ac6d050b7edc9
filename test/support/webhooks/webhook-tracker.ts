import { createHmac, randomUUID } from 'node:crypto';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';

/** The signing secret of the tests. */
export const trackerSecret = 'the signing secret of the webhook';

type Fields = Readonly<Record<string, unknown>>;

/** An issue as the tracker sends it; `more` replaces its fields. */
export const issueData = (more: Fields = {}): Fields => ({
  id: 'a7c0f1f6-7a51-4f4e-9d5e-0c2b8e1d4f10',
  createdAt: '2026-01-23T12:53:18.084Z',
  updatedAt: '2026-01-23T12:53:18.084Z',
  number: 7,
  identifier: 'ENG-7',
  title: 'Fix login',
  description: 'Steps to see it:\n\n1. Open the page',
  priority: 2,
  priorityLabel: 'High',
  url: 'https://tracker.example/acme/issue/ENG-7',
  projectId: 'b1',
  project: { id: 'b1', name: 'Auth' },
  assigneeId: 'c1',
  assignee: { id: 'c1', name: 'Ann' },
  state: { id: 'd1', name: 'In Progress', type: 'started' },
  labels: [{ id: 'e1', name: 'Bug' }],
  ...more,
});

/** A tracker payload. */
export const issuePayload = (sentAt: number, more: Fields = {}): Fields => ({
  action: 'create',
  type: 'Issue',
  data: issueData(),
  actor: { id: 'c2', name: 'Bea' },
  url: 'https://tracker.example/acme/issue/ENG-7',
  webhookTimestamp: sentAt,
  webhookId: 'f1',
  ...more,
});

/** The hexadecimal HMAC-SHA256 of the bytes. */
export function sign(body: string | Uint8Array, secret = trackerSecret): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** A signed request that delivers a new issue now, with an id of its own and an identifier that begins with `team`. */
export function newIssueRequest(team: string, title: string) {
  const id = randomUUID();
  const identifier = `${team}-${id.slice(0, 8)}`;
  const body = JSON.stringify(issuePayload(Date.now(), { data: issueData({ id, identifier, title }) }));
  const headers = {
    'content-type': 'application/json',
    'tracker-signature': sign(body),
    'tracker-delivery': id,
    'tracker-event': 'Issue',
  };
  return { identifier, headers, body };
}

/** A signed delivery as a receiver is given it; `headers` replaces some of its headers. */
export function trackerDelivery(
  payload: unknown,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Delivery {
  const body = Buffer.from(JSON.stringify(payload));
  const own = { 'tracker-signature': sign(body), 'tracker-delivery': '9b8c', 'tracker-event': 'Issue' };
  return { ...sentTo('tracker'), headers: { ...own, ...headers }, query: {}, body };
}
