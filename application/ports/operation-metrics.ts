import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Counts the calls of operations. */
export interface OperationMetrics {
  /** Counts one call by its service and how it ended. */
  called(service: ServiceKey, outcome: Outcome): void;
}

/** Counts nothing. */
export const noOperationMetrics: OperationMetrics = { called: () => {} };
