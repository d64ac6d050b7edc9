import type { ServiceKey } from '#domain/services/service-key.ts';

/** Counts events in the processing of webhook deliveries. */
export interface WebhookMetrics {
  /** Counts an answered delivery: 'kept', 'repeated', or the reason of its rejection. */
  received(service: ServiceKey, result: string): void;
  /** Counts the end of an entry's attempt: 'done', 'faulty' (a reaction failed), 'ignored', 'retry' or 'dead'. */
  ended(service: ServiceKey, result: string): void;
  /** Records the processing time of one entry, in ms. */
  worked(ms: number): void;
  /** Counts the lease of an entry that expired before its attempt ended. */
  lost(): void;
}

/** Metrics that discard everything. */
export const noMetrics: WebhookMetrics = { received: () => {}, ended: () => {}, worked: () => {}, lost: () => {} };
