import type { ServiceKey, WebhookServiceKey } from '#domain/services/service-key.ts';

/** The service that a delivery is from, and the service that it calls; null while that is not known. */
export type Lane = Readonly<{ from: WebhookServiceKey; calls: ServiceKey | null }>;

/** Formats a lane as one word: 'sales_crm>suite_crm', 'tracker>'. */
export function laneName({ from, calls }: Lane): string {
  return `${from}>${calls ?? ''}`;
}
