import type { ServiceKey } from '#domain/services/service-key.ts';

/** What the webhooks tell to be counted. */
export interface WebhookMetrics {
  /** A delivery was answered: 'kept', 'repeated', or the reason of its refusal. */
  received(service: ServiceKey, result: string): void;
  /** A try of an entry ended: 'done', 'ignored', 'retry' or 'dead'. */
  ended(service: ServiceKey, result: string): void;
  /** The work on one entry took that long. */
  worked(ms: number): void;
}

/** Counts nothing. */
export const noMetrics: WebhookMetrics = { received: () => {}, ended: () => {}, worked: () => {} };
