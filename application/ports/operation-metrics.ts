import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Counts the calls of operations. */
export interface OperationMetrics {
  /** Counts one call by its service, its outcome, and the operation's tool name; null when it has none. */
  called(service: ServiceKey, outcome: Outcome, tool: string | null): void;
}

/** Metrics that discard everything. */
export const noOperationMetrics: OperationMetrics = { called: () => {} };
