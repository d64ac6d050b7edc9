import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * What is left of one of a provider's limits for a connection: of how many points, null when the provider said what is
 * left but not of what, and the ms until it is whole again. Only as this server knows: another may have used more, unless
 * the provider said so.
 */
export type BudgetLeft = Readonly<{ name: string; points: number | null; left: number; resetsInMs: number }>;

/** Knows what is left of the providers' limits. */
export interface ProviderBudgets {
  /** Returns what is left for a user's connection of the limits of an hour and longer that were used since they reset. */
  leftOf(userId: number, service: ServiceKey): Promise<readonly BudgetLeft[]>;
}
