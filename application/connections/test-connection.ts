import type { AccessTokens } from '#application/connections/access-tokens.ts';
import { type ChangeStatusDependencies, changeStatus } from '#application/connections/change-status.ts';
import { noteRejectedCredentials } from '#application/connections/rejected-credentials.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import { type ConnectionState, troubleOf } from '#domain/connections/connection-status.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

type TestConnectionDependencies = ChangeStatusDependencies &
  Readonly<{
    probe: CredentialsProbe;
    accessTokens: Pick<AccessTokens, 'renew'>;
    names: ServiceNames;
  }>;

/** The result of a test: whether the provider could be reached, and the connection's resulting status. */
export type TestedConnection = Readonly<{
  service: ServiceKey;
  state: ConnectionState;
  checked: boolean;
  reason: string | null;
}>;

/** Tests a connection at its user's request, even one that is no longer retried. */
export class TestConnection {
  readonly #dependencies: TestConnectionDependencies;

  constructor(dependencies: TestConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Tests a permitted user's connection with a small read request; on a 401 renews renewable tokens and tries again.
   */
  async run(user: User, service: ServiceKey): Promise<Result<TestedConnection, Failure>> {
    if (isPermitted(user, service)) return this.probe(user.id, service);
    return err(failed('forbidden', `You may not use the ${this.#dependencies.names.of(service)}.`));
  }

  /** Tests a connection without a permission check, for the server itself. */
  async probe(userId: number, service: ServiceKey): Promise<Result<TestedConnection, Failure>> {
    const { connections, names, clock } = this.#dependencies;
    const connection = await connections.reload(userId, service);
    if (connection === null) return err(failed('not_connected', `You are not connected to the ${names.of(service)}.`));
    const { record } = connection;
    if (!isReadable(record)) {
      const { state } = connection.status;
      return ok({ service, state, checked: false, reason: troubleOf(connection.status, clock.now()) });
    }
    const outcome = await this.#try(record);
    const isChecked = outcome.ok || (outcome.reason !== 'unavailable' && outcome.reason !== 'rate_limited');
    const tried = (await connections.reload(userId, service)) ?? connection;
    if (isChecked) await this.#note(tried.record, outcome);
    const { status } = (await connections.reload(userId, service)) ?? tried;
    const reason = troubleOf(status, clock.now()) ?? status.reason ?? (outcome.ok ? null : outcome.message);
    return ok({ service, state: status.state, checked: isChecked, reason: outcome.ok ? null : reason });
  }

  async #try(record: TokenRecord): Promise<Outcome> {
    const { probe, accessTokens } = this.#dependencies;
    const first = await probe.probe(record);
    if (first.ok || first.reason !== 'unauthorized' || record.refreshToken === null) return first;
    const renewed = await accessTokens.renew(record);
    return renewed.ok ? probe.probe(renewed.value) : renewed.failure;
  }

  /** Updates the status. Any answer but 401 shows that the credentials are valid, even if they lack a permission. */
  async #note(record: TokenRecord, outcome: Outcome): Promise<void> {
    if (outcome.ok || outcome.reason !== 'unauthorized') {
      await changeStatus(this.#dependencies, record, { state: 'connected', reason: null });
      return;
    }
    await noteRejectedCredentials(this.#dependencies, record, { isProbe: true });
  }
}
