import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import {
  dealPayload,
  documentPayload,
  partyPayload,
  salesCrmDelivery,
  signingDelivery,
} from '#test/support/webhooks/webhook-senders.ts';
import { post } from '#test/support/webhooks/webhook-server.ts';
import { issueData, issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

/** What a delivery is about: a note for the first three, a record pushed to the suite CRM for the last. */
export type Kind = 'deal' | 'document' | 'issue' | 'organization';

/** The kinds that end in a note of the vault. */
export const noteKinds = ['deal', 'document', 'issue'] as const;

/** A delivery of the load: `mark` stands in one line of history, or is the name of the pushed record, and nowhere else. */
export type Marked = Readonly<{ kind: Kind; record: string; mark: string; occurredAt: number }>;

/** What the senders' statuses were, by status; 0 counts the tries that got no answer. */
export type Statuses = Readonly<Record<number, number>>;

let marks = 0;

/** The next delivery about a record: the later, the newer. */
export function marked(kind: Kind, record: string): Marked {
  marks += 1;
  return {
    kind,
    record,
    mark: `m${String(marks).padStart(6, '0')}x`,
    occurredAt: Date.UTC(2026, 0, 1) + marks * 1_000,
  };
}

/**
 * The signed request of a delivery that was first sent at `sentAt`, Unix ms. The tracker signs each try with the time of that try, the
 * signing service sends the same bytes again.
 */
function requestOf({ kind, record, mark, occurredAt }: Marked, sentAt: number): Delivery {
  const at = new Date(occurredAt).toISOString();
  switch (kind) {
    case 'deal': {
      const deal = { id: record, title: `Deal ${record}`, status: mark };
      return salesCrmDelivery(dealPayload(deal, { status: 'before', value: 112 }, at));
    }
    case 'organization':
      return salesCrmDelivery(partyPayload('organization', { id: mark, name: mark, address: 'Via Roma 1' }, at));
    case 'document': {
      const document = { id: `document-${record}`, name: `Contract ${record}`, status: mark };
      return signingDelivery(documentPayload(sentAt, 'document_state_changed', document));
    }
    case 'issue': {
      const data = { id: `issue-${record}`, identifier: `ENG-${record}`, title: 'Work', updatedAt: at };
      const state = { id: mark, name: mark };
      const more = { action: 'update', data: issueData({ ...data, state }), updatedFrom: { stateId: 'before' } };
      return trackerDelivery(issuePayload(Date.now(), more), { 'tracker-delivery': `delivery-${mark}` });
    }
  }
}

/** How the sending is done: to which server, which may move, and what is reported of each attempt. */
export type Sending = Readonly<{
  baseUrl: () => string;
  /** Waits so long before it is sent again, as the services do; shorter than theirs. */
  againMs?: number;
  /** Gives up when it has not been acknowledged after so long; no fault of ours lasts so long. */
  withinMs?: number;
  onStatus?: (status: number, response: Response | null, tookMs: number) => void;
}>;

const answerWithinMs = 30_000;

/** Sends a delivery until it is acknowledged with 200. Throws when it is refused, which no fault of ours may bring about, or never is. */
export async function sendUntilAcknowledged(
  one: Marked,
  { baseUrl, againMs = 100, withinMs = 90_000, onStatus }: Sending,
): Promise<void> {
  const sentAt = Date.now();
  const givenUpAt = performance.now() + withinMs;
  for (;;) {
    const begunAt = performance.now();
    const response = await answered(baseUrl(), requestOf(one, sentAt));
    onStatus?.(response?.status ?? 0, response, performance.now() - begunAt);
    if (response?.status === 200) return;
    if (response !== null && response.status < 500) {
      throw new Error(`The delivery ${one.mark} was refused with ${response.status}`);
    }
    if (begunAt > givenUpAt) throw new Error(`The delivery ${one.mark} was not acknowledged within ${withinMs} ms`);
    await delay(againMs);
  }
}

/** Sends a delivery once, as a sender that waits for an answer for so long; null for none. */
export function sendOnce(one: Marked, baseUrl: string, giveUpMs: number): Promise<Response | null> {
  return answered(baseUrl, requestOf(one, Date.now()), giveUpMs);
}

/** The answer with its body read; null when there is none in time, after which the connection is closed. */
async function answered(baseUrl: string, request: Delivery, withinMs = answerWithinMs): Promise<Response | null> {
  const late = delay(withinMs, null, { ref: false });
  const whole = async () => {
    const response = await post(baseUrl, request, AbortSignal.timeout(withinMs));
    await response.arrayBuffer();
    return response;
  };
  return Promise.race([whole().catch(() => null), late]);
}
