import type { AccessTokens } from '#application/connections/access-tokens.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { OperationMetrics } from '#application/ports/operation-metrics.ts';
import type { OperationCall, OutboundRequest, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { mayChange, permissionFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** Runs an operation for a user, permission check included: `RunOperation.run` as a function. */
export type RunOperationFor = (user: User, call: OperationCall) => Promise<Outcome>;

/** The dependencies of the use case. */
export type RunOperationDependencies = Readonly<{
  gateway: ServiceGateway;
  accessTokens: Pick<AccessTokens, 'find' | 'renew' | 'worked' | 'refused'>;
  catalog: Pick<OperationCatalog, 'operations' | 'names'>;
  clock: Clock;
  /** Counts the calls that were permitted. */
  metrics: OperationMetrics;
}>;

/**
 * How long credentials that were rejected right after a renewal are not renewed again, in ms: each call would cost a
 * renewal.
 */
const restMs = 60_000;

/**
 * Runs an outbound operation: checks the permission, finds the connection, sends the operation's requests, each once
 * more with renewed credentials when the provider rejects them, and updates the connection's status.
 */
export class RunOperation implements OperationCaller {
  readonly #dependencies: RunOperationDependencies;
  readonly #reading: ReadonlySet<string>;
  /**
   * The access tokens that were rejected right after their renewal, by connection, and until when (Unix ms) they are
   * not renewed.
   */
  readonly #refusedAnew = new Map<string, Readonly<{ accessToken: string; until: number }>>();

  constructor(dependencies: RunOperationDependencies) {
    this.#dependencies = dependencies;
    const { operations } = dependencies.catalog;
    this.#reading = new Set(operations.filter(({ effect }) => effect === 'read').map(operationKey));
  }

  /**
   * Runs the operation for a user with the service's permission key, within the limits of their access token; else
   * `forbidden`. An operation that the catalog does not list as reading counts as a change.
   */
  async run(user: User, call: OperationCall): Promise<Outcome> {
    const isReading = mayChange(user) || this.#reading.has(operationKey(call));
    const { names } = this.#dependencies.catalog;
    const rejection = permissionFailure(user, { service: call.service, isReading, names });
    return rejection ?? this.call({ ...call, userId: user.id });
  }

  async call({ userId, ...call }: UserCall): Promise<Outcome> {
    const outcome = await this.#applySteps(userId, call);
    this.#dependencies.metrics.called(call.service, outcome);
    return outcome;
  }

  async #applySteps(userId: number, call: OperationCall): Promise<Outcome> {
    const { gateway, accessTokens } = this.#dependencies;
    const operation = gateway.prepare(call);
    if (!operation.ok) return operation.failure;
    const found = await accessTokens.find(userId, call.service);
    if (!found.ok) return found.failure;
    const connection = { record: found.value };
    return operation.value.run(found.value, (request) => this.#send(request, connection));
  }

  /** Sends one request; credentials that are renewed for it also serve the operation's later requests. */
  async #send(request: OutboundRequest, connection: { record: TokenRecord }): Promise<Outcome> {
    const { record } = connection;
    const first = await this.#sendWith(record, request);
    if (!isRefused(first) || this.#isResting(record)) return first;
    const renewed = await this.#dependencies.accessTokens.renew(record);
    if (!renewed.ok) return renewed.failure;
    connection.record = renewed.value;
    if (!request.canBeSentAgain) return this.#spent(record);
    const second = await this.#sendWith(renewed.value, request);
    if (isRefused(second)) await this.#noteRefusedAnew(renewed.value);
    return second;
  }

  /**
   * Sends one request with the record. An answer shows that the credentials are accepted: the next 401 is worth a
   * renewal again.
   */
  async #sendWith(record: TokenRecord, request: OutboundRequest): Promise<Outcome> {
    const outcome = await request.send(record);
    if (!outcome.ok) return outcome;
    this.#refusedAnew.delete(connectionKey(record));
    await this.#dependencies.accessTokens.worked(record);
    return outcome;
  }

  #isResting(record: TokenRecord): boolean {
    const known = this.#refusedAnew.get(connectionKey(record));
    return known?.accessToken === record.accessToken && this.#dependencies.clock.now() < known.until;
  }

  async #noteRefusedAnew(record: TokenRecord): Promise<void> {
    const { clock, accessTokens } = this.#dependencies;
    const { accessToken } = record;
    this.#refusedAnew.set(connectionKey(record), { accessToken, until: clock.now() + restMs });
    await accessTokens.refused(record);
  }

  #spent({ service }: TokenRecord): Outcome {
    const name = this.#dependencies.catalog.names.of(service);
    const message = `The ${name} refused the sign-in, which is renewed now. The file came as a stream and is gone: send it again.`;
    return failed('unavailable', message, { retryAfterMs: 0 });
  }
}

function isRefused(outcome: Outcome): boolean {
  return !outcome.ok && outcome.reason === 'unauthorized';
}

function operationKey({ service, name }: Pick<OperationCall, 'service' | 'name'>): string {
  return `${service} ${name}`;
}

function connectionKey({ userId, service }: TokenRecord): string {
  return `${userId}:${service}`;
}
