import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A processing lane: the service that a delivery is from, and the service that processing it calls; null while that is
 * unknown.
 */
export type Lane = Readonly<{ from: ServiceKey; calls: ServiceKey | null }>;

/** Formats a lane as one word: 'sales_crm>suite_crm', 'tracker>'. */
export function laneName({ from, calls }: Lane): string {
  return `${from}>${calls ?? ''}`;
}
