import type { AccessTokens } from '#application/connections/access-tokens.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { OperationMetrics } from '#application/ports/operation-metrics.ts';
import type { OperationCall, OutboundRequest, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { refusalOf } from '#domain/operations/refusal.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { mayChange, type User } from '#domain/users/user.ts';

/** Carries out an operation for a user, permission included: `RunOperation.run` as a function. */
export type RunOperationFor = (user: User, call: OperationCall) => Promise<Outcome>;

/** What the use case works with. */
export type RunOperationDependencies = Readonly<{
  gateway: ServiceGateway;
  accessTokens: Pick<AccessTokens, 'find' | 'renew' | 'worked' | 'refused'>;
  catalog: Pick<OperationCatalog, 'operations' | 'names'>;
  clock: Clock;
  /** Counts the calls that were permitted. */
  metrics: OperationMetrics;
}>;

/** How long credentials that were refused although they were new are not renewed again, in ms: each call would cost a renewal. */
const restMs = 60_000;

/**
 * Calls an outbound operation: permission, connection, the requests of the operation, each sent once more with renewed credentials when the
 * provider refuses them, and what that tells of the connection.
 */
export class RunOperation implements OperationCaller {
  readonly #dependencies: RunOperationDependencies;
  readonly #reading: ReadonlySet<string>;
  /** The access tokens that were refused right after their renewal, by connection, and until when (Unix ms) they are left alone. */
  readonly #refusedAnew = new Map<string, Readonly<{ accessToken: string; until: number }>>();

  constructor(dependencies: RunOperationDependencies) {
    this.#dependencies = dependencies;
    const { operations } = dependencies.catalog;
    this.#reading = new Set(operations.filter(({ effect }) => effect === 'read').map(operationKey));
  }

  /**
   * The outcome for a user who holds the service's permission key, as far as their access token reaches; else `forbidden`. What the
   * catalog does not know to read counts as a change.
   */
  async run(user: User, call: OperationCall): Promise<Outcome> {
    const isReading = mayChange(user) || this.#reading.has(operationKey(call));
    const { names } = this.#dependencies.catalog;
    const refusal = refusalOf(user, { service: call.service, isReading, names });
    return refusal ?? this.call({ ...call, userId: user.id });
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

  /** Sends one request; what is renewed for it serves the operation's later requests, too. */
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

  /** The provider takes credentials that it answers: the next 401 is worth a renewal again. */
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
