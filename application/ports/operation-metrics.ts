import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Counts the calls of operations. */
export interface OperationMetrics {
  /** Counts one call by its service and outcome. */
  called(service: ServiceKey, outcome: Outcome): void;
}

/** Metrics that count nothing. */
export const noOperationMetrics: OperationMetrics = { called: () => {} };
