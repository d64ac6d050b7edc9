import { createHmac, randomUUID } from 'node:crypto';
import type { Document, Json, Subscription, World } from '#test/emulators/signing/world.ts';
import { detailsOf, moment, stateText } from '#test/emulators/signing/world.ts';

/** A delivery as it was made: what was sent, and the status that it was answered with; null while there was no answer. */
export type Delivery = {
  readonly url: string;
  readonly event: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  status: number | null;
};

/** Sends events to the subscriptions, signed, one after another, and remembers each delivery. */
export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly #world: World;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
  }

  /** Notifies the subscriptions of an event of a document; `more` holds further members of the event. */
  emit(event: string, document: Document, more: Json = {}): void {
    const data =
      event === 'document_creation_failed' || event === 'document_deleted'
        ? { id: document.id, name: document.name, status: stateText(this.#world, document.state), ...more }
        : { ...detailsOf(this.#world, document), ...more };
    for (const subscription of this.#world.subscriptions.values()) {
      const wants = subscription.triggers.length === 0 || subscription.triggers.includes(event);
      if (!subscription.active || subscription.isDeactivated || !wants) continue;
      const delivery = this.#made(subscription, event, data);
      this.deliveries.push(delivery);
      this.#last = this.#last.then(() => post(delivery));
    }
  }

  /** Sends a delivery once more, as it was. */
  async redeliver(delivery: Delivery): Promise<number | null> {
    await post(delivery);
    return delivery.status;
  }

  /** Waits until everything emitted so far was answered or failed. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /**
   * Neutral: one event, dated now, signed in `X-Signing-Signature`. The provider's own words: a list of events, dated as
   * the document, signed in the query parameter `signature`.
   */
  #made({ url, sharedKey }: Subscription, event: string, data: Json): Delivery {
    if (this.#world.words === 'neutral') {
      const body = JSON.stringify({ event, date_created: moment(Date.now()), data });
      const headers = { 'content-type': 'application/json', 'x-signing-signature': signature(sharedKey, body) };
      return { url, event, headers, body, status: null };
    }
    const body = JSON.stringify([{ event, data }]);
    const address = new URL(url);
    address.searchParams.set('signature', signature(sharedKey, body));
    const headers = { 'content-type': 'application/json', 'x-pandadoc-webhook-event-id': randomUUID() };
    return { url: address.href, event, headers, body, status: null };
  }
}

const signature = (key: string, body: string): string => createHmac('sha256', key).update(body).digest('hex');

async function post(delivery: Delivery): Promise<void> {
  try {
    const { status, body } = await fetch(delivery.url, {
      method: 'POST',
      headers: delivery.headers,
      body: delivery.body,
    });
    await body?.cancel();
    delivery.status = status;
  } catch {
    delivery.status = null;
  }
}
