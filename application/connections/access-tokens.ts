import { changeStatus, logChange } from '#application/connections/change-status.ts';
import { noteRejectedCredentials } from '#application/connections/rejected-credentials.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections, StoredConnection } from '#application/ports/connections.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Random } from '#application/ports/random.ts';
import { type ConnectionStatus, isHeld, troubleOf } from '#domain/connections/connection-status.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { type Awaitable, err, ok, type Result } from '#domain/shared/result.ts';
import { hasExpired, isOver } from '#domain/tokens/refresh-due.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';

/** The dependencies of the use case. `pause` waits that many milliseconds. */
export type AccessTokensDependencies = Readonly<{
  connections: Connections;
  grants: ProviderGrants;
  leases: Leases;
  names: ServiceNames;
  clock: Clock;
  random: Random;
  logger: Logger;
  pause: (ms: number) => Promise<void>;
}>;

/**
 * The longest time that one renewal may hold its lease, in ms; longer than a provider may take to answer, shorter than
 * others wait.
 */
const leaseMs = 30_000;
const lookAgainEveryMs = 250;
const maxWaitMs = 35_000;
/** How long no renewal is attempted after a provider gave no tokens, in ms, however many calls are made. */
const restMs = 10_000;
/** The waits before storing renewed tokens is retried, in ms: the provider will not issue them twice. */
const storeAgainAfterMs = [100, 500, 2_000] as const;

type Renewed = Result<TokenRecord, Failure>;

/**
 * Provides the tokens for calls and renews them. A renewal is single-flight per user and service: within this process
 * by one shared promise, across processes by a lease. A caller that waited checks again first; without the lease
 * nothing is renewed.
 */
export class AccessTokens {
  readonly #dependencies: AccessTokensDependencies;
  readonly #running = new Map<string, Promise<Renewed>>();
  readonly #unproven = new Set<string>();
  readonly #resting = new Map<string, Readonly<{ accessToken: string; until: number; failure: Failure }>>();

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
    const isSound = status.state === 'connected' && status.rejections == null;
    const held = isSound ? null : this.#heldBack(connection);
    if (held !== null) return err(held);
    if (record.expiresAt === null) return ok(record);
    if (record.refreshToken !== null) return isOver(record, clock.now()) ? this.renew(record) : ok(record);
    if (!hasExpired(record, clock.now())) return ok(record);
    return this.#giveUp(
      record,
      `The token of the ${this.#nameOf(record)} has expired, and it came without a refresh token.`,
    );
  }

  /** Returns the failure of a connection that is held back; null for one to try, whose success is then recorded. */
  #heldBack({ record, status }: StoredConnection): Failure | null {
    const { state, rejections } = status;
    const isProbeDue = rejections?.probeAt != null && rejections.probeAt <= this.#dependencies.clock.now();
    if (isHeld(status) && !isProbeDue) return this.#unauthorized(record, status);
    if (state === 'unchecked' || rejections != null) this.#unproven.add(keyOf(record));
    return null;
  }

  /**
   * Renews a record that was rejected or is due, and returns the one to retry with; a failure says what the user can
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
    const status = (await this.#dependencies.connections.reload(record.userId, record.service))?.status;
    if (status?.state === 'unchecked' || status?.rejections != null)
      await changeStatus(this.#dependencies, record, { state: 'connected', reason: null });
  }

  /** Records that the provider rejected a record that had just been renewed. */
  async refused(record: TokenRecord): Promise<void> {
    await noteRejectedCredentials(this.#dependencies, record, { isProbe: false });
  }

  async #renewOnce(lease: string, refused: TokenRecord): Promise<Renewed> {
    const owner = this.#dependencies.random.token(12);
    for (let waitedMs = 0; waitedMs <= maxWaitMs; waitedMs += lookAgainEveryMs) {
      const settled = (await this.#lookAgain(refused)) ?? this.#restOf(lease, refused);
      if (settled !== null) return settled;
      if ((await this.#dependencies.leases.acquire(lease, owner, leaseMs)) !== null)
        return this.#renewAs(lease, owner, refused);
      await this.#dependencies.pause(lookAgainEveryMs);
    }
    return err(
      failed('unavailable', `The ${this.#nameOf(refused)} is being renewed elsewhere. Try again.`, {
        retryAfterMs: 5_000,
      }),
    );
  }

  async #renewAs(lease: string, owner: string, refused: TokenRecord): Promise<Renewed> {
    try {
      const settled = await this.#lookAgain(refused);
      if (settled !== null) return settled;
      return await this.#ask(lease, refused);
    } finally {
      await this.#dependencies.leases.release(lease, owner);
    }
  }

  /**
   * Returns what others have settled meanwhile: a new token, a connection that is gone or needs its user; null for no
   * change.
   */
  async #lookAgain(refused: TokenRecord): Promise<Renewed | null> {
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

  async #ask(key: string, refused: TokenRecord): Promise<Renewed> {
    const renewed = await this.#dependencies.grants.renew(refused);
    if (renewed.ok) return this.#store(refused, renewed.value);
    // The user may have connected again during the renewal, or another process renewed after this lease had expired.
    const settled = await this.#lookAgain(refused);
    if (settled !== null) return settled;
    const { reason, message } = renewed.failure;
    if (reason === 'refused') return this.#giveUp(refused, message);
    await changeStatus(this.#dependencies, refused, { state: 'degraded', reason: message });
    const failure = failed('unavailable', message, { retryAfterMs: restMs });
    const { accessToken } = refused;
    this.#resting.set(key, { accessToken, until: this.#dependencies.clock.now() + restMs, failure });
    return err(failure);
  }

  /** Stores both tokens before either is used; what a user did meanwhile is kept. */
  async #store(refused: TokenRecord, renewed: TokenRecord): Promise<Renewed> {
    const { userId, service } = refused;
    const before = (await this.#dependencies.connections.find(userId, service))?.status.state;
    if (!(await this.#replace(refused, renewed))) {
      return (await this.#lookAgain(refused)) ?? err(failed('unavailable', 'The tokens changed meanwhile. Try again.'));
    }
    this.#resting.delete(keyOf(refused));
    if (before !== 'connected')
      logChange(this.#dependencies.logger, { userId, service, state: 'connected', reason: null });
    return ok(renewed);
  }

  async #replace(refused: TokenRecord, renewed: TokenRecord): Promise<boolean> {
    const { connections, logger, pause } = this.#dependencies;
    for (const waitMs of storeAgainAfterMs) {
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

  /** Returns the failure of a renewal a moment ago; null when the provider may be asked. */
  #restOf(key: string, refused: TokenRecord): Renewed | null {
    const rest = this.#resting.get(key);
    const isResting = rest?.accessToken === refused.accessToken && this.#dependencies.clock.now() < rest.until;
    return isResting ? err(rest.failure) : null;
  }

  async #giveUp(record: TokenRecord, reason: string): Promise<Renewed> {
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
