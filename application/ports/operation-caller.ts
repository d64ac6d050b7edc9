import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** A call of an outbound operation under the connection of a user. */
export type UserCall = OperationCall & Readonly<{ userId: number }>;

/**
 * Calls operations for the server's own work, such as deliveries and webhook registrations, without a permission check.
 */
export interface OperationCaller {
  /**
   * Returns the outcome, also of errors with the connection, the input, the network or the provider; throws for none of
   * these.
   */
  call(call: UserCall): Promise<Outcome>;
}
