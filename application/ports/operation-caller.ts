import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { messageOf } from '#domain/shared/error-text.ts';

/** A call of an outbound operation over a user's connection. */
export type UserCall = OperationCall & Readonly<{ userId: number }>;

/**
 * Calls operations for the server's own work, such as deliveries and webhook registrations, without a permission check.
 */
export interface OperationCaller {
  /**
   * Returns the outcome; errors of the connection, the input, the network or the provider are outcomes and never
   * thrown.
   */
  call(call: UserCall): Promise<Outcome>;
}

/** Thrown in place of an error that ended a call before anything of it was sent. */
export class UnsentError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'UnsentError';
  }
}
