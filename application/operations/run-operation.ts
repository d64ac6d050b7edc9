import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { serviceTitles } from '#domain/services/service-key.ts';
import { isPermitted, type User } from '#domain/users/user.ts';

/** Carries out an outbound operation for a user who holds the service's permission key. */
export class RunOperation {
  readonly #gateway: ServiceGateway;

  constructor(gateway: ServiceGateway) {
    this.#gateway = gateway;
  }

  /** The operation's outcome; `forbidden` when the user lacks the permission key of the service. */
  async run(user: User, call: Omit<OperationCall, 'userId'>): Promise<Outcome> {
    if (!isPermitted(user, call.service)) {
      return failed(
        'forbidden',
        `You may not use the ${serviceTitles[call.service]}. An administrator can grant the permission key \`${call.service}\`.`,
      );
    }
    return this.#gateway.call({ ...call, userId: user.id });
  }
}
