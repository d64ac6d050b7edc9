import { ForwardingInbox } from '#adapters/stores/forwarding-inbox.ts';
import type { KnownServices } from '#adapters/stores/known-services.ts';
import type { Claim, InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How long a due entry of an unknown service is postponed, in ms. */
const postponeMs = 3_600_000;

/**
 * Hides deliveries of services that this server does not have: they are neither shown nor processed, but stay stored.
 */
export class KnownInbox extends ForwardingInbox {
  readonly #services: KnownServices;

  constructor(inner: WebhookInbox, services: KnownServices) {
    super(inner);
    this.#services = services;
  }

  override async claim(claim: Claim): Promise<readonly InboxEntry[]> {
    const claimed = await this.inner.claim(claim);
    const known = claimed.filter((entry) => this.#has(entry.service));
    for (const entry of claimed) if (!known.includes(entry)) await this.#postpone(entry);
    return known;
  }

  override async find(seq: number): Promise<InboxEntry | null> {
    const entry = await this.inner.find(seq);
    return entry === null || !this.#has(entry.service) ? null : entry;
  }

  override async list(query: Parameters<WebhookInbox['list']>[0]): Promise<readonly InboxEntry[]> {
    const found: InboxEntry[] = [];
    for (let place = {}; ; ) {
      const limit = query.limit - found.length;
      const page = await this.inner.list({ ...query, ...place, limit });
      found.push(...page.filter((entry) => this.#has(entry.service)));
      const last = page.at(-1);
      if (last === undefined || page.length < limit || found.length === query.limit) return found;
      place = { before: last.seq };
    }
  }

  override async awaited(): Promise<readonly ServiceKey[]> {
    return (await this.inner.awaited()).filter((service) => this.#has(service));
  }

  override async replay(seq: number): Promise<boolean> {
    return (await this.find(seq)) !== null && this.inner.replay(seq);
  }

  override async skip(seq: number): Promise<boolean> {
    return (await this.find(seq)) !== null && this.inner.skip(seq);
  }

  #has(service: ServiceKey): boolean {
    return this.#services.has(service, 'webhookInbox');
  }

  /** Releases a claim without counting an attempt, so that the entry is kept until its service is back. */
  async #postpone(entry: InboxEntry): Promise<void> {
    await this.inner.end(entry, { kind: 'waits', error: entry.error, delayMs: postponeMs, calls: entry.calls });
  }
}
