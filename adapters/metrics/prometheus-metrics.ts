import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { NotificationMetrics } from '#application/ports/notification-metrics.ts';
import type { OperationMetrics } from '#application/ports/operation-metrics.ts';
import { type InboxState, maxCounted } from '#application/ports/webhook-inbox.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import type { Channel, NotificationKind } from '#domain/notifications/notification.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The sources of the gauges that are read when the page is requested. */
type MetricsSources = Readonly<{
  counts: () => Promise<Readonly<Record<InboxState, number>>>;
  /** The number of deliveries that are done and on which a reaction failed. */
  faulty: () => Promise<number>;
  /** When the oldest open entry arrived, Unix ms; null when there is none. */
  oldestOpen: () => Promise<number | null>;
  /** The remaining lifetime of each expiring webhook. */
  expiries: () => Promise<readonly Readonly<{ service: string; name: string; seconds: number }>[]>;
  /** The tables of the stored rows that cannot be read, one for each row. */
  unreadable: () => readonly Readonly<{ table: string }>[];
  /** The number of notifications that are not sent yet, by channel. */
  notifications: () => Promise<Readonly<Record<Channel, number>>>;
  now: () => number;
}>;

/** Exposes the server's metrics in Prometheus' text format. */
export class PrometheusMetrics implements WebhookMetrics, OperationMetrics, NotificationMetrics {
  readonly #registry = new Registry();
  readonly #received = new Counter({
    name: 'portolan_webhook_deliveries_total',
    help: 'Answered deliveries by outcome: kept, repeated, or the reason for rejection.',
    labelNames: ['service', 'result'],
    registers: [this.#registry],
  });
  readonly #ended = new Counter({
    name: 'portolan_webhook_tries_total',
    help: 'Tries of deliveries by how they ended: done, ignored, retry or dead.',
    labelNames: ['service', 'result'],
    registers: [this.#registry],
  });
  readonly #worked = new Histogram({
    name: 'portolan_webhook_work_seconds',
    help: 'How long the work on one delivery took.',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.#registry],
  });
  readonly #lost = new Counter({
    name: 'portolan_webhook_leases_lost_total',
    help: 'Leases of deliveries that expired before the work on them ended: this server stood still, or has too little processor time.',
    registers: [this.#registry],
  });
  readonly #outbound = new Counter({
    name: 'portolan_outbound_calls_total',
    help: 'Operations of the services by how they ended: ok, or the reason of the failure.',
    labelNames: ['service', 'result'],
    registers: [this.#registry],
  });
  readonly #tools = new Counter({
    name: 'portolan_tool_calls_total',
    help: 'Calls of operations that have a tool, by its name and how they ended: ok, or the reason of the failure.',
    labelNames: ['tool', 'result'],
    registers: [this.#registry],
  });

  readonly #aborted = new Counter({
    name: 'portolan_http_aborted_requests_total',
    help: 'Requests whose clients disconnected before they were complete.',
    registers: [this.#registry],
  });

  readonly #notified = new Counter({
    name: 'portolan_notifications_total',
    help: 'Attempts to send notifications by how they ended: sent, failed (and tried again), or dropped.',
    labelNames: ['kind', 'channel', 'result'],
    registers: [this.#registry],
  });

  constructor({ counts, faulty, oldestOpen, expiries, unreadable, notifications, now }: MetricsSources) {
    // Process metrics (memory, heap, handles, event-loop lag) under the names that dashboards know.
    collectDefaultMetrics({ register: this.#registry });
    const depth: Gauge<'state'> = new Gauge({
      name: 'portolan_webhook_inbox_entries',
      help: `Entries of the inbox by state, counted up to ${maxCounted}.`,
      labelNames: ['state'],
      registers: [this.#registry],
      collect: async () => {
        for (const [state, entries] of Object.entries(await counts())) depth.set({ state }, entries);
      },
    });
    const faults: Gauge = new Gauge({
      name: 'portolan_webhook_faulty_entries',
      help: `Entries of the inbox that are done and on which a reaction failed, counted up to ${maxCounted}.`,
      registers: [this.#registry],
      collect: async () => faults.set(await faulty()),
    });
    const oldest: Gauge = new Gauge({
      name: 'portolan_webhook_oldest_open_seconds',
      help: 'Age of the oldest entry that waits or is being worked on; 0 when there is none.',
      registers: [this.#registry],
      collect: async () => {
        const at = await oldestOpen();
        oldest.set(at === null ? 0 : Math.max(0, now() - at) / 1000);
      },
    });
    const expiry: Gauge<'service' | 'hook'> = new Gauge({
      name: 'portolan_webhook_subscription_expiry_seconds',
      help: 'Seconds until a webhook at a service ends unless it is renewed; none for webhooks that do not end.',
      labelNames: ['service', 'hook'],
      registers: [this.#registry],
      collect: async () => {
        const figures = await expiries();
        expiry.reset();
        for (const { service, name, seconds } of figures) expiry.set({ service, hook: name }, seconds);
      },
    });
    const unread: Gauge<'table'> = new Gauge({
      name: 'portolan_unreadable_rows',
      help: 'Stored rows that cannot be read and are left out, by table.',
      labelNames: ['table'],
      registers: [this.#registry],
      collect: () => {
        unread.reset();
        for (const { table } of unreadable()) unread.inc({ table });
      },
    });
    const waiting: Gauge<'channel'> = new Gauge({
      name: 'portolan_notifications_waiting',
      help: 'Notifications that are not sent yet, by channel.',
      labelNames: ['channel'],
      registers: [this.#registry],
      collect: async () => {
        for (const [channel, count] of Object.entries(await notifications())) waiting.set({ channel }, count);
      },
    });
  }

  received(service: string, result: string): void {
    this.#received.inc({ service, result });
  }

  ended(service: string, result: string): void {
    this.#ended.inc({ service, result });
  }

  worked(ms: number): void {
    this.#worked.observe(ms / 1000);
  }

  lost(): void {
    this.#lost.inc();
  }

  called(service: string, outcome: Outcome, tool: string | null): void {
    const result = outcome.ok ? 'ok' : outcome.reason;
    this.#outbound.inc({ service, result });
    if (tool !== null) this.#tools.inc({ tool, result });
  }

  notified(kind: NotificationKind, channel: Channel, result: 'sent' | 'failed' | 'dropped'): void {
    this.#notified.inc({ kind, channel, result });
  }

  /** Counts a request whose client disconnected before it was complete. */
  aborted(): void {
    this.#aborted.inc();
  }

  /** Renders all metrics: text and media type. */
  async page(): Promise<Readonly<{ text: string; type: string }>> {
    return { text: await this.#registry.metrics(), type: this.#registry.contentType };
  }
}
