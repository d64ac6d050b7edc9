import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** A call of an outbound operation under the connection of a user. */
export type UserCall = OperationCall & Readonly<{ userId: number }>;

/** Where the server's own work, such as deliveries and webhook registrations, calls operations; no permission is asked for. */
export interface OperationCaller {
  /** The outcome, whatever goes wrong with the connection, the input, the network or the provider; throws for none of these. */
  call(call: UserCall): Promise<Outcome>;
}
