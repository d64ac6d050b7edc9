import type { Clock } from '#application/ports/clock.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import { addUsage, hourOf, type UsageCount, type UsageSum } from '#domain/activity/usage-count.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** What a meter notes: whose, what and with which service; counts that are not given are 0. */
type Noted = Pick<UsageCount, 'userId' | 'kind' | 'service'> & Partial<Pick<UsageCount, 'count' | 'failed' | 'tokens'>>;

/** Counts in memory what is written with the activity of apps: deliveries, and the tokens that tools took. */
export class UsageMeter {
  readonly #clock: Clock;
  readonly #noted = new Map<string, UsageSum>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes something that happened now. */
  note({ userId, kind, service, count = 0, failed = 0, tokens = 0 }: Noted): void {
    const hour = hourOf(this.#clock.now());
    addUsage(this.#noted, { userId, hour, kind, service, count, failed, tokens });
  }

  /** Notes the tokens of an answer that a tool gave to a user's app. */
  answered(userId: number, service: ServiceKey, tokens: number): void {
    this.note({ userId, kind: 'calls', service, tokens });
    this.note({ userId: null, kind: 'calls', service, tokens });
  }

  /** Returns what was noted since the last call, and clears it. */
  take(): readonly UsageCount[] {
    const taken = [...this.#noted.values()];
    this.#noted.clear();
    return taken;
  }
}

/** Metrics that note in the meter, too, how many deliveries were kept, and how many were given up or done with faults. */
export function meteredWebhooks(metrics: WebhookMetrics, meter: Pick<UsageMeter, 'note'>): WebhookMetrics {
  const note = (service: ServiceKey, counts: Readonly<{ count?: number; failed?: number }>): void =>
    meter.note({ userId: null, kind: 'deliveries', service, ...counts });
  return {
    received: (service, result) => {
      metrics.received(service, result);
      if (result === 'kept') note(service, { count: 1 });
    },
    ended: (service, result) => {
      metrics.ended(service, result);
      if (result === 'dead' || result === 'faulty') note(service, { failed: 1 });
    },
    worked: (ms) => metrics.worked(ms),
    lost: () => metrics.lost(),
  };
}
