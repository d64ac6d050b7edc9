import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { refusalOf } from '#domain/operations/refusal.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { mayChange, type User } from '#domain/users/user.ts';

/** Carries out an operation for a user, permission included: `RunOperation.run` as a function. */
export type RunOperationFor = (user: User, call: Omit<OperationCall, 'userId'>) => Promise<Outcome>;

/** Carries out an outbound operation for a user who holds the service's permission key, as far as their access token reaches. */
export class RunOperation {
  readonly #gateway: ServiceGateway;
  readonly #reading: ReadonlySet<string>;
  readonly #names: ServiceNames;

  constructor(gateway: ServiceGateway, { operations, names }: OperationCatalog) {
    this.#gateway = gateway;
    this.#names = names;
    this.#reading = new Set(operations.filter(({ effect }) => effect === 'read').map(keyOf));
  }

  /**
   * The operation's outcome; `forbidden` when the user lacks the permission key of the service, or their access token was not given
   * the service, or may only read. What the catalog does not know to read counts as a change.
   */
  async run(...[user, call]: Parameters<RunOperationFor>): Promise<Outcome> {
    const isReading = mayChange(user) || this.#reading.has(keyOf(call));
    const refusal = refusalOf(user, { service: call.service, isReading, names: this.#names });
    return refusal ?? this.#gateway.call({ ...call, userId: user.id });
  }
}

function keyOf({ service, name }: Pick<OperationCall, 'service' | 'name'>): string {
  return `${service} ${name}`;
}
