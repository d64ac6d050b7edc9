import type { KnownServices } from '#adapters/stores/known-services.ts';
import type {
  Claim,
  Ending,
  EntryPlace,
  InboxEntry,
  InboxState,
  NewInboxEntry,
  WebhookInbox,
} from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How long an entry of an unknown service is put aside, in ms, when it is due. */
const asideMs = 3_600_000;

/** Leaves out deliveries of services that this server does not have: they are neither shown nor processed, and stay stored. */
export class KnownInbox implements WebhookInbox {
  readonly #inner: WebhookInbox;
  readonly #services: KnownServices;

  constructor(inner: WebhookInbox, services: KnownServices) {
    this.#inner = inner;
    this.#services = services;
  }

  async claim(claim: Claim): Promise<readonly InboxEntry[]> {
    const claimed = await this.#inner.claim(claim);
    const known = claimed.filter((entry) => this.#has(entry.service));
    for (const entry of claimed) if (!known.includes(entry)) await this.#putAside(entry);
    return known;
  }

  async find(seq: number): Promise<InboxEntry | null> {
    const entry = await this.#inner.find(seq);
    return entry === null || !this.#has(entry.service) ? null : entry;
  }

  async list(query: Parameters<WebhookInbox['list']>[0]): Promise<readonly InboxEntry[]> {
    const found: InboxEntry[] = [];
    for (let place = {}; ; ) {
      const limit = query.limit - found.length;
      const page = await this.#inner.list({ ...query, ...place, limit });
      found.push(...page.filter((entry) => this.#has(entry.service)));
      const last = page.at(-1);
      if (last === undefined || page.length < limit || found.length === query.limit) return found;
      place = { before: last.seq };
    }
  }

  async awaited(): Promise<readonly ServiceKey[]> {
    return (await this.#inner.awaited()).filter((service) => this.#has(service));
  }

  async replay(seq: number): Promise<boolean> {
    return (await this.find(seq)) !== null && this.#inner.replay(seq);
  }

  async skip(seq: number): Promise<boolean> {
    return (await this.find(seq)) !== null && this.#inner.skip(seq);
  }

  keep(entries: readonly NewInboxEntry[]): Promise<number> {
    return this.#inner.keep(entries);
  }

  renew(owner: string, leaseMs: number): Promise<number> {
    return this.#inner.renew(owner, leaseMs);
  }

  end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    return this.#inner.end(entry, ending);
  }

  body(entry: EntryPlace): Promise<string | null> {
    return this.#inner.body(entry);
  }

  counts(): Promise<Readonly<Record<InboxState, number>>> {
    return this.#inner.counts();
  }

  oldestOpen(): Promise<number | null> {
    return this.#inner.oldestOpen();
  }

  lastReceived(service: ServiceKey): Promise<number | null> {
    return this.#inner.lastReceived(service);
  }

  wake(service: ServiceKey, inMs?: number): Promise<number> {
    return this.#inner.wake(service, inMs);
  }

  prune(finishedBefore: number): Promise<number> {
    return this.#inner.prune(finishedBefore);
  }

  #has(service: ServiceKey): boolean {
    return this.#services.has(service, 'webhookInbox');
  }

  /** Gives a claim back without an attempt, so that the entry is there when its service is back. */
  async #putAside(entry: InboxEntry): Promise<void> {
    await this.#inner.end(entry, { kind: 'waits', error: entry.error, delayMs: asideMs, calls: entry.calls });
  }
}
