import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, bad, type DialectName, good } from '#test/emulators/sales-crm/answers.ts';
import { type Delivery, deliveriesOf, type Webhook } from '#test/emulators/sales-crm/deliveries.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import type { Change } from '#test/emulators/sales-crm/records.ts';
import { type EmulatorRoute, jsonBody } from '#test/emulators/sales-crm/request.ts';

/** What came of sending a delivery once. `status` is null when nobody answered. */
export type SentDelivery = Delivery & Readonly<{ url: string; attempt: number; status: number | null }>;

const actions: Readonly<Record<DialectName, readonly string[]>> = {
  neutral: ['added', 'updated', 'deleted', 'merged', '*'],
  pipedrive: ['create', 'change', 'delete', '*'],
};
const objects: Readonly<Record<DialectName, readonly string[]>> = {
  neutral: ['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product', '*'],
  pipedrive: [
    'activity',
    'deal',
    'lead',
    'note',
    'organization',
    'person',
    'pipeline',
    'product',
    'stage',
    'user',
    '*',
  ],
};

/** The provider waits so between the tries of one delivery, in ms. */
const providerWaitsMs: readonly number[] = [3_000, 30_000, 150_000];
const timeoutMs = 10_000;

/** Where changes are published: webhooks as they are registered, deliveries as they are sent. */
export class Webhooks {
  readonly #dialect: DialectName;
  readonly #waitsMs: readonly number[];
  readonly #webhooks: Webhook[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #lastId = 0;
  /** Every try to deliver, in the order in which it ended. */
  readonly sent: SentDelivery[] = [];

  constructor(dialect: DialectName, waitsMs: readonly number[] = providerWaitsMs) {
    this.#dialect = dialect;
    this.#waitsMs = waitsMs;
  }

  routes(): readonly EmulatorRoute[] {
    const register: EmulatorRoute = {
      method: 'POST',
      path: '/v1/webhooks',
      answer: (request) => this.#register(jsonBody(request) ?? {}),
    };
    if (this.#dialect === 'neutral') return [register];
    return [
      register,
      { method: 'GET', path: '/v1/webhooks', answer: () => good(this.#webhooks.map(listed)) },
      { method: 'DELETE', path: '/v1/webhooks/{id}', answer: (_, { id }) => this.#remove(Number(id)) },
    ];
  }

  /** The webhooks that are registered. */
  registered(): readonly Webhook[] {
    return this.#webhooks;
  }

  /** Switches a webhook off, as the provider does when its deliveries keep failing. */
  disable(id: number): void {
    this.edit(id, { isActive: false });
  }

  /** Edits a webhook, as people do in the provider's settings. */
  edit(id: number, change: Partial<Omit<Webhook, 'id'>>): void {
    const at = this.#webhooks.findIndex((webhook) => webhook.id === id);
    const webhook = this.#webhooks[at];
    if (webhook !== undefined) this.#webhooks[at] = { ...webhook, ...change };
  }

  /** Publishes a change to all subscribers, in the background; `settled` waits for it. */
  publish(change: Change): void {
    for (const webhook of this.#webhooks.filter(({ isActive }) => isActive)) {
      for (const delivery of deliveriesOf(change, webhook, this.#dialect, app.clientSecret)) {
        const run = this.#deliver(webhook.url, delivery).finally(() => this.#running.delete(run));
        this.#running.add(run);
      }
    }
  }

  /** Sends a delivery over again, as the provider does when an answer got lost. */
  async resend({ url, event, headers, body }: SentDelivery): Promise<void> {
    await this.#deliver(url, { event, headers, body });
  }

  /** When all that was begun has been delivered or given up. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.settled();
  }

  #register(fields: Readonly<Record<string, unknown>>): Answer {
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
    const [url, action, object] = [text('subscription_url'), text('event_action'), text('event_object')];
    const errors = {
      ...(url !== null && URL.canParse(url) ? {} : { subscription_url: ['invalid or non-reachable URL'] }),
      ...(actions[this.#dialect].includes(action ?? '') ? {} : { event_action: ['is not one of the allowed values'] }),
      ...(objects[this.#dialect].includes(object ?? '') ? {} : { event_object: ['is not one of the allowed values'] }),
      ...(this.#dialect === 'neutral' || text('name') !== null ? {} : { name: ['is required'] }),
    };
    if (Object.keys(errors).length > 0 || url === null || action === null || object === null) {
      return { status: 400, body: { status: 'error', success: false, errors } };
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const [user, password] = [text('http_auth_user'), text('http_auth_password')];
    this.#webhooks.push({ id, url, action, object, user, password, isActive: true });
    return { ...good({ id, ...fields, is_active: 1 }), status: 201 };
  }

  #remove(id: number): Answer {
    const at = this.#webhooks.findIndex((webhook) => webhook.id === id);
    if (at < 0) return bad(404, 'Webhook not found');
    this.#webhooks.splice(at, 1);
    return { status: 200, body: { status: 'ok', success: true } };
  }

  async #deliver(url: string, delivery: Delivery): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const status = await this.#post(url, delivery);
      this.sent.push({ ...delivery, url, attempt, status });
      const waitMs = this.#waitsMs[attempt - 1];
      if ((status !== null && status >= 200 && status < 300) || waitMs === undefined) return;
      const isOver = await delay(waitMs, false, { signal: this.#ended.signal, ref: false }).catch(() => true);
      if (isOver) return;
    }
  }

  async #post(url: string, { headers, body }: Delivery): Promise<number | null> {
    try {
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal,
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}

function listed({ id, url, action, object, user, password, isActive }: Webhook) {
  return {
    id,
    subscription_url: url,
    event_action: action,
    event_object: object,
    http_auth_user: user,
    http_auth_password: password,
    is_active: isActive ? 1 : 0,
    type: 'general',
    version: '2.0',
  };
}
