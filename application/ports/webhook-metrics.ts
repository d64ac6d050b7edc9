import type { ServiceKey } from '#domain/services/service-key.ts';

/** Counts what happens to webhook deliveries. */
export interface WebhookMetrics {
  /** Counts an answered delivery: 'kept', 'repeated', or the reason of its rejection. */
  received(service: ServiceKey, result: string): void;
  /** Counts the end of an entry's attempt: 'done', 'ignored', 'retry' or 'dead'. */
  ended(service: ServiceKey, result: string): void;
  /** Records how long one entry took to process, in ms. */
  worked(ms: number): void;
}

/** Metrics that count nothing. */
export const noMetrics: WebhookMetrics = { received: () => {}, ended: () => {}, worked: () => {} };
