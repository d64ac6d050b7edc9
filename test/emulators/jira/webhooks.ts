import { randomUUID } from 'node:crypto';

type Webhook = { id: number; url: string; events: readonly string[]; jqlFilter: string; expirationDate: number };
type Members = Readonly<Record<string, unknown>>;

const lifeMs = 30 * 86_400_000;
const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

/** Dynamic webhooks, which end after 30 days unless they are renewed; deliveries are not signed. */
export class Webhooks {
  readonly all: Webhook[] = [];
  /** Milliseconds by which the site's clock is ahead. */
  aheadMs = 0;
  readonly #sent: Promise<unknown>[] = [];
  #ids = 10_000;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  listed(): readonly Members[] {
    const open = this.all.filter(({ expirationDate }) => expirationDate > this.now());
    return open.map((webhook) => ({
      ...webhook,
      expirationDate: new Date(webhook.expirationDate).toISOString().replace('Z', '+0000'),
    }));
  }

  register({ url, webhooks }: Members): Members {
    const wanted: readonly unknown[] = Array.isArray(webhooks) ? webhooks : [];
    const webhookRegistrationResult = wanted.map((one) => {
      const { events, jqlFilter } = Object.fromEntries(Object.entries(one ?? {}));
      const isKnown = /^\w+ (?:=|!=|IN|NOT IN) \S/.test(String(jqlFilter));
      const others = this.all.filter((webhook) => webhook.url !== url && webhook.expirationDate > this.now());
      if (!isKnown || others.length > 0)
        return {
          errors: [
            isKnown
              ? 'Only a single URL per app is allowed to be registered via REST API.'
              : 'The clause is unsupported.',
          ],
        };
      this.#ids += 1;
      this.all.push({
        id: this.#ids,
        url: String(url),
        events: texts(events),
        jqlFilter: String(jqlFilter),
        expirationDate: this.now() + lifeMs,
      });
      return { createdWebhookId: this.#ids };
    });
    return { webhookRegistrationResult };
  }

  refresh({ webhookIds }: Members): Members {
    const expirationDate = this.now() + lifeMs;
    for (const webhook of this.all)
      if (texts(webhookIds).includes(String(webhook.id))) webhook.expirationDate = expirationDate;
    return { expirationDate };
  }

  remove({ webhookIds }: Members): void {
    const kept = this.all.filter(({ id }) => !texts(webhookIds).includes(String(id)));
    this.all.splice(0, this.all.length, ...kept);
  }

  /** Delivers an event to the webhooks for it, whose filter fits. */
  publish(event: string, body: Members, fits: (jql: string) => boolean): void {
    for (const { id, url, events, jqlFilter, expirationDate } of this.all) {
      if (!events.includes(event) || expirationDate <= this.now() || !fits(jqlFilter)) continue;
      const headers = { 'content-type': 'application/json', 'X-Atlassian-Webhook-Identifier': randomUUID() };
      const text = JSON.stringify({ timestamp: this.now(), ...body, matchedWebhookIds: [id] });
      this.#sent.push(fetch(url, { method: 'POST', headers, body: text }).catch(() => undefined));
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#sent);
  }
}
