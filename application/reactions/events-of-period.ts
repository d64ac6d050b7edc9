import type { InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { ScheduleEvent } from '#domain/events/schedule-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { type EventData, eventData } from '#domain/reaction-notes/event-data.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The maximum number of events per service in a digest, and of deliveries scanned for them. */
const maxEvents = 200;
const maxLookedAt = 5_000;
const perPage = 200;

/**
 * Reads the events received within a schedule's period from the inbox, so that a digest needs no request to a provider.
 */
export class EventsOfPeriod {
  readonly #inbox: Pick<WebhookInbox, 'list' | 'body'>;
  readonly #sources: readonly WebhookSource[];

  constructor(inbox: Pick<WebhookInbox, 'list' | 'body'>, sources: readonly WebhookSource[]) {
    this.#inbox = inbox;
    this.#sources = sources;
  }

  /**
   * Returns the data of a schedule's event: `from`, and `events` by service, the oldest first; of services that are not
   * open there are none.
   */
  async of(
    { name, occurredAt, from }: ScheduleEvent,
    isOpen: (service: ServiceKey) => boolean = () => true,
  ): Promise<EventData> {
    const events = new Map<string, EventData[]>(this.#sources.map(({ service }) => [service, []]));
    for (const entry of await this.#entries(from, occurredAt)) {
      const list = isOpen(entry.service) ? events.get(entry.service) : undefined;
      const event = list === undefined || list.length >= maxEvents ? null : await this.read(entry);
      if (event !== null) list?.unshift(eventData(event));
    }
    const time = (at: number) => new Date(at).toISOString();
    return { event: name, occurredAt: time(occurredAt), from: time(from), events: Object.fromEntries(events) };
  }

  /** Returns the event of an entry; null when it cannot be read, or its body was pruned. */
  async read(entry: InboxEntry): Promise<ServiceEvent | null> {
    const source = this.#sources.find(({ service }) => service === entry.service);
    const body = source === undefined ? null : await this.#inbox.body(entry);
    if (source === undefined || body === null) return null;
    const event = source.read(JSON.parse(body), entry.receivedAt);
    return event.ok ? event.value : null;
  }

  /** Returns up to `limit` of the latest entries that match, the newest first. */
  async latest(isFit: (entry: InboxEntry) => boolean, limit: number): Promise<readonly InboxEntry[]> {
    const found: InboxEntry[] = [];
    for await (const entry of this.#newestFirst()) {
      if (isFit(entry)) found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }

  async #entries(from: number, to: number): Promise<readonly InboxEntry[]> {
    const found: InboxEntry[] = [];
    for await (const entry of this.#newestFirst()) {
      if (entry.receivedAt < from) break;
      if (entry.receivedAt < to) found.push(entry);
    }
    return found;
  }

  async *#newestFirst(): AsyncGenerator<InboxEntry> {
    let before: number | null = null;
    for (let seen = 0; seen < maxLookedAt; seen += perPage) {
      const page: readonly InboxEntry[] = await this.#inbox.list({
        limit: perPage,
        ...(before === null ? {} : { before }),
      });
      yield* page;
      if (page.length < perPage) return;
      before = page.at(-1)?.seq ?? null;
    }
  }
}
