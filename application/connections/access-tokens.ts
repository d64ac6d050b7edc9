import { changeStatus, logChange } from '#application/connections/change-status.ts';
import { noteRejectedCredentials } from '#application/connections/rejected-credentials.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections, StoredConnection } from '#application/ports/connections.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Random } from '#application/ports/random.ts';
import type { Users } from '#application/ports/users.ts';
import { type ConnectionStatus, isHeld, troubleOf } from '#domain/connections/connection-status.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isActive } from '#domain/sessions/session.ts';
import { type Awaitable, err, ok, type Result } from '#domain/shared/result.ts';
import { hasExpired, isOver } from '#domain/tokens/refresh-due.ts';
import { renewalWaitMs } from '#domain/tokens/renewal-wait.ts';
import { isReadable, isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/** The dependencies of the use case. `pause` waits for that many milliseconds. */
type AccessTokensDependencies = Readonly<{
  connections: Connections;
  grants: ProviderGrants;
  leases: Leases;
  users: Pick<Users, 'find'>;
  names: ServiceNames;
  clock: Clock;
  random: Random;
  logger: Logger;
  pause: (ms: number) => Promise<void>;
}>;

/**
 * The lease's duration for one renewal, in ms; longer than a provider may take to answer, shorter than other callers
 * wait for it.
 */
const leaseMs = 30_000;
const pollMs = 250;
const maxWaitMs = 35_000;
/** The delays before storing renewed tokens is retried, in ms: the provider will not issue them twice. */
const storeRetryDelaysMs = [100, 500, 2_000] as const;

type Renewed = Result<TokenRecord, Failure>;

/** Renewals of one token that returned none: how many, and until when none is attempted, Unix ms. */
type FailedRenewals = Readonly<{ accessToken: string; count: number; until: number; message: string }>;

/**
 * Provides access tokens for calls and renews them. A renewal is single-flight per user and service: within this
 * process by a shared promise, across processes by a lease. A caller that waited for the lease rechecks the stored
 * connection before it renews; nobody renews without the lease.
 */
export class AccessTokens {
  readonly #dependencies: AccessTokensDependencies;
  readonly #running = new Map<string, Promise<Renewed>>();
  readonly #unproven = new Set<string>();
  readonly #failedRenewals = new Map<string, FailedRenewals>();

  constructor(dependencies: AccessTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the record to call with, renewed first when it has expired; a failure says why there is none, and what the
   * user can do.
   */
  async find(userId: number, service: ServiceKey): Promise<Renewed> {
    const { connections, clock, names } = this.#dependencies;
    const connection = await connections.find(userId, service);
    if (connection === null) {
      const name = names.of(service);
      return err(
        failed('not_connected', `You are not connected to the ${name}. Connect it on the page /page, then try again.`),
      );
    }
    const { record, status } = connection;
    const inactive = await this.#inactive(userId);
    if (inactive !== null && !isTeams(record)) return err(inactive);
    const isSound = status.state === 'connected' && status.rejections == null;
    const held = isSound ? null : this.#heldBack(connection);
    if (held !== null) return err(held);
    if (record.expiresAt === null) return ok(record);
    if (record.refreshToken !== null) return isOver(record, clock.now()) ? this.renew(record) : ok(record);
    if (!hasExpired(record, clock.now())) return ok(record);
    return this.#requireReconnect(
      record,
      `The token of the ${this.#nameOf(record)} has expired, and it came without a refresh token.`,
    );
  }

  /** Returns the failure of a call over the connection of a user who is not active; null for an active one (CONN-024). */
  async #inactive(userId: number): Promise<Failure | null> {
    const user = await this.#dependencies.users.find(userId);
    if (user !== null && isActive(user)) return null;
    const who = user === null ? `There is no user ${userId}` : `${user.email} is deactivated`;
    return failed('not_connected', `${who}: their connections are not used.`);
  }

  /**
   * Returns the failure of a suspended connection; null when the call may be made. The success of a call over an
   * unproven connection is then recorded.
   */
  #heldBack({ record, status }: StoredConnection): Failure | null {
    const { state, rejections } = status;
    const isProbeDue = rejections?.probeAt != null && rejections.probeAt <= this.#dependencies.clock.now();
    if (isHeld(status) && !isProbeDue) return this.#unauthorized(record, status);
    if (state === 'unchecked' || rejections != null) this.#unproven.add(keyOf(record));
    return null;
  }

  /**
   * Renews a record that was rejected or is due, and returns the record to retry with; a failure says what the user can
   * do.
   */
  async renew(refused: TokenRecord): Promise<Renewed> {
    const key = keyOf(refused);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const renewal = this.#renewOnce(key, refused).finally(() => this.#running.delete(key));
    this.#running.set(key, renewal);
    return renewal;
  }

  /**
   * Records that a call with the record succeeded: an unchecked or previously rejected connection becomes connected.
   */
  worked(record: TokenRecord): Awaitable<void> {
    const isProof = this.#unproven.size > 0 && this.#unproven.delete(keyOf(record));
    return isProof ? this.#noteProof(record) : undefined;
  }

  async #noteProof(record: TokenRecord): Promise<void> {
    try {
      const status = (await this.#dependencies.connections.reload(record.userId, record.service))?.status;
      if (status?.state === 'unchecked' || status?.rejections != null)
        await changeStatus(this.#dependencies, record, { state: 'connected', reason: null });
    } catch (error) {
      // The call was made and answered: its outcome must not be lost over this. The next one proves it again.
      this.#unproven.add(keyOf(record));
      const name = error instanceof Error ? error.name : 'unknown';
      const { userId, service } = record;
      this.#dependencies.logger.warn({ userId, service, error: name }, 'Connection could not be noted as connected');
    }
  }

  /** Records that the provider rejected a record that had just been renewed. */
  async refused(record: TokenRecord): Promise<void> {
    await noteRejectedCredentials(this.#dependencies, record, { isProbe: false });
  }

  async #renewOnce(lease: string, refused: TokenRecord): Promise<Renewed> {
    const owner = this.#dependencies.random.token(12);
    for (let waitedMs = 0; waitedMs <= maxWaitMs; waitedMs += pollMs) {
      const settled = (await this.#recheck(refused)) ?? this.#recentFailure(lease, refused);
      if (settled !== null) return settled;
      if ((await this.#dependencies.leases.acquire(lease, owner, leaseMs)) !== null)
        return this.#renewAs(lease, owner, refused);
      await this.#dependencies.pause(pollMs);
    }
    return err(
      failed('unavailable', `The ${this.#nameOf(refused)} is being renewed elsewhere. Try again.`, {
        retryAfterMs: 5_000,
      }),
    );
  }

  async #renewAs(lease: string, owner: string, refused: TokenRecord): Promise<Renewed> {
    try {
      const settled = await this.#recheck(refused);
      if (settled !== null) return settled;
      return await this.#requestTokens(lease, refused);
    } finally {
      await this.#dependencies.leases.release(lease, owner);
    }
  }

  /**
   * Returns what another process or the user has settled in the meantime: a new token, or the failure of a connection
   * that was removed or has to be connected again; null when nothing changed.
   */
  async #recheck(refused: TokenRecord): Promise<Renewed | null> {
    const { userId, service } = refused;
    const current = await this.#dependencies.connections.reload(userId, service);
    if (current === null)
      return err(failed('not_connected', `You are not connected to the ${this.#nameOf(refused)} any more.`));
    const { record, status } = current;
    if (isReadable(record) && record.accessToken !== refused.accessToken) return ok(record);
    if (status.state === 'reconnect' && status.rejections == null) return err(this.#unauthorized(refused, status));
    if (record.authMethod === 'oauth' && record.refreshToken !== null) return null;
    return err(
      this.#unauthorized(refused, await noteRejectedCredentials(this.#dependencies, refused, { isProbe: false })),
    );
  }

  async #requestTokens(key: string, refused: TokenRecord): Promise<Renewed> {
    const renewed = await this.#dependencies.grants.renew(refused);
    if (renewed.ok) return this.#store(refused, renewed.value);
    // The user may have reconnected during the renewal, or another process may have renewed after this lease expired.
    const settled = await this.#recheck(refused);
    if (settled !== null) return settled;
    const { reason, message, retryAfterMs: askedMs } = renewed.failure;
    if (reason === 'refused') return this.#requireReconnect(refused, message);
    await changeStatus(this.#dependencies, refused, { state: 'degraded', reason: message });
    const { accessToken } = refused;
    const former = this.#failedRenewals.get(key);
    const count = former?.accessToken === accessToken ? former.count + 1 : 1;
    const waitMs = renewalWaitMs(count, askedMs);
    this.#failedRenewals.set(key, { accessToken, count, until: this.#dependencies.clock.now() + waitMs, message });
    return err(failed('unavailable', message, { retryAfterMs: waitMs }));
  }

  /** Stores both tokens before either is used, unless the user changed the connection in the meantime. */
  async #store(refused: TokenRecord, renewed: TokenRecord): Promise<Renewed> {
    const { userId, service } = refused;
    const before = (await this.#dependencies.connections.find(userId, service))?.status.state;
    if (!(await this.#replace(refused, renewed))) {
      return (await this.#recheck(refused)) ?? err(failed('unavailable', 'The tokens changed meanwhile. Try again.'));
    }
    this.#failedRenewals.delete(keyOf(refused));
    if (before !== 'connected')
      logChange(this.#dependencies.logger, { userId, service, state: 'connected', reason: null });
    return ok(renewed);
  }

  async #replace(refused: TokenRecord, renewed: TokenRecord): Promise<boolean> {
    const { connections, logger, pause } = this.#dependencies;
    for (const waitMs of storeRetryDelaysMs) {
      try {
        return await connections.replace(refused, renewed);
      } catch (error) {
        const { userId, service } = refused;
        const name = error instanceof Error ? error.name : 'unknown';
        logger.error({ userId, service, error: name }, 'Renewed tokens could not be stored; it will be retried');
        await pause(waitMs);
      }
    }
    return connections.replace(refused, renewed);
  }

  /** Returns the failure of a recent renewal attempt; null when the provider may be asked. */
  #recentFailure(key: string, refused: TokenRecord): Renewed | null {
    const recent = this.#failedRenewals.get(key);
    if (recent?.accessToken !== refused.accessToken) return null;
    const leftMs = recent.until - this.#dependencies.clock.now();
    return leftMs > 0 ? err(failed('unavailable', recent.message, { retryAfterMs: leftMs })) : null;
  }

  async #requireReconnect(record: TokenRecord, reason: string): Promise<Renewed> {
    const status = { state: 'reconnect', reason } as const;
    await changeStatus(this.#dependencies, record, status);
    return err(this.#unauthorized(record, { ...status, since: this.#dependencies.clock.now() }));
  }

  #unauthorized(record: TokenRecord, status: ConnectionStatus): Failure {
    const reason = status.reason ?? `The ${this.#nameOf(record)} refused the credentials.`;
    return failed('unauthorized', troubleOf({ ...status, reason }, this.#dependencies.clock.now()) ?? reason);
  }

  #nameOf({ service }: TokenRecord): string {
    return this.#dependencies.names.of(service);
  }
}

function keyOf({ userId, service }: TokenRecord): string {
  return `renew:${userId}:${service}`;
}
