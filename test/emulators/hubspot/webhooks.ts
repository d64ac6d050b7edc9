import { createHmac } from 'node:crypto';
import { hubspotApp, portalId } from '#test/emulators/hubspot/oauth.ts';
import type { StoreChange } from '#test/emulators/hubspot/store.ts';

/** One event of a delivery. */
export type WebhookEvent = Readonly<Record<string, unknown>>;

/** The headers of a delivery, signed in the third way: over method, address, body and time. */
export function signedHeaders({
  method = 'POST',
  url,
  body,
  secret = hubspotApp.clientSecret,
  at = Date.now(),
}: Readonly<{
  method?: string;
  url: string;
  body: string;
  secret?: string;
  at?: number;
}>): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', secret).update(`${method}${url}${body}${at}`).digest('base64');
  return {
    'content-type': 'application/json',
    'x-hubspot-signature-version': 'v1',
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': String(at),
  };
}

/** The webhooks of the app: one address, to which all events of a moment are delivered together. */
export class HubSpotWebhooks {
  #target: string | null = null;
  #due: WebhookEvent[] = [];
  #nextEvent = 100;
  /** The status of each delivery, in their order. */
  readonly answered: number[] = [];

  /** The address that the app's developer entered. */
  target(url: string): void {
    this.#target = url;
  }

  publish({ action, record, propertyName, propertyValue, mergedId }: StoreChange): void {
    if (propertyName?.startsWith('hs_lastmodified') === true) return;
    this.#nextEvent += 1;
    this.#due.push({
      eventId: this.#nextEvent,
      subscriptionId: 1,
      portalId,
      appId: 7,
      occurredAt: Date.now(),
      attemptNumber: 0,
      subscriptionType: `object.${action}`,
      objectTypeId: record.type.id,
      objectId: Number(record.id),
      changeSource: 'CRM',
      ...(propertyName === undefined ? {} : { propertyName, propertyValue }),
      ...(mergedId === undefined ? {} : { primaryObjectId: Number(record.id), mergedObjectIds: [Number(mergedId)] }),
    });
  }

  /** The events that are to be delivered; they are delivered no more. */
  take(): readonly WebhookEvent[] {
    const due = this.#due;
    this.#due = [];
    return due;
  }

  /** Delivers what has happened in one request. */
  async deliver(events: readonly WebhookEvent[] = this.take()): Promise<void> {
    if (this.#target === null || events.length === 0) return;
    const body = JSON.stringify(events);
    const response = await fetch(this.#target, {
      method: 'POST',
      headers: signedHeaders({ url: this.#target, body }),
      body,
    });
    await response.body?.cancel();
    this.answered.push(response.status);
  }
}
