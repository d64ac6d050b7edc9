import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Random } from '#application/ports/random.ts';
import type { ConnectionState } from '#domain/connections/connection.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isOver } from '#domain/tokens/refresh-due.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What the use case works with. `pause` waits that many milliseconds. */
export type AccessTokensParts = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  grants: ProviderGrants;
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
  pause: (ms: number) => Promise<void>;
}>;

/** How long one renewal may hold its lease, in ms; longer than the provider may take to answer. */
const leaseMs = 60_000;
const lookAgainEveryMs = 250;
const patienceMs = 30_000;

type Renewed = Result<TokenRecord, Failure>;

/**
 * The tokens that calls are made with. A renewal is single-flight per user and service: within this process by one shared
 * promise, across processes by a lease. Who waited looks again first; without the lease nobody renews.
 */
export class AccessTokens {
  readonly #parts: AccessTokensParts;
  readonly #running = new Map<string, Promise<Renewed>>();

  constructor(parts: AccessTokensParts) {
    this.#parts = parts;
  }

  /** The record to call with, renewed first when it is over; a failure says why there is none, and what the user can do. */
  async find(userId: number, service: ServiceKey): Promise<Renewed> {
    const record = await this.#parts.tokens.find(userId, service);
    if (record === null) {
      const title = serviceTitles[service].toLowerCase();
      return err(
        failed('not_connected', `You are not connected to the ${title}. Connect it on the page /page, then try again.`),
      );
    }
    const isRenewable = record.refreshToken !== null && isOver(record, this.#parts.clock.now());
    return isRenewable ? this.renew(record) : ok(record);
  }

  /** The record to try once more with after the given one was refused, or is due; a failure says what the user can do. */
  async renew(refused: TokenRecord): Promise<Renewed> {
    const key = `renew:${refused.userId}:${refused.service}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const renewal = this.#renewOnce(key, refused).finally(() => this.#running.delete(key));
    this.#running.set(key, renewal);
    return renewal;
  }

  async #renewOnce(lease: string, refused: TokenRecord): Promise<Renewed> {
    const owner = this.#parts.random.token(12);
    for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += lookAgainEveryMs) {
      const settled = await this.#lookAgain(refused);
      if (settled !== null) return settled;
      if ((await this.#parts.leases.acquire(lease, owner, leaseMs)) !== null)
        return this.#renewAs(lease, owner, refused);
      await this.#parts.pause(lookAgainEveryMs);
    }
    return err(
      failed('unavailable', `The ${titleOf(refused)} is being renewed elsewhere. Try again.`, { retryAfterMs: 5_000 }),
    );
  }

  async #renewAs(lease: string, owner: string, refused: TokenRecord): Promise<Renewed> {
    try {
      const settled = await this.#lookAgain(refused);
      if (settled !== null) return settled;
      return await this.#ask(refused);
    } finally {
      await this.#parts.leases.release(lease, owner);
    }
  }

  /** What others have settled meanwhile: a new token, a connection that is gone or needs its user; null when nothing has. */
  async #lookAgain(refused: TokenRecord): Promise<Renewed | null> {
    const { userId, service } = refused;
    const current = await this.#parts.tokens.find(userId, service);
    if (current === null)
      return err(failed('not_connected', `You are not connected to the ${titleOf(refused)} any more.`));
    if (current.accessToken !== refused.accessToken) return ok(current);
    const standing = await this.#parts.standings.find(userId, service);
    if (standing?.state === 'reconnect') return err(needsReconnect(refused, standing.reason));
    if (current.authMethod === 'oauth' && current.refreshToken !== null) return null;
    const reason = `The ${titleOf(refused)} refused the ${current.authMethod === 'oauth' ? 'token' : 'key'}.`;
    await this.#stand(refused, 'reconnect', reason);
    return err(needsReconnect(refused, reason));
  }

  async #ask(refused: TokenRecord): Promise<Renewed> {
    const renewed = await this.#parts.grants.renew(refused);
    if (renewed.ok) {
      await this.#parts.tokens.keep(renewed.value);
      await this.#stand(refused, 'connected', null);
      return renewed;
    }
    const { reason, message } = renewed.failure;
    if (reason === 'refused') {
      await this.#stand(refused, 'reconnect', message);
      return err(needsReconnect(refused, message));
    }
    await this.#stand(refused, 'degraded', message);
    return err(failed('unavailable', message, { retryAfterMs: 30_000 }));
  }

  async #stand({ userId, service }: TokenRecord, state: ConnectionState, reason: string | null): Promise<void> {
    const before = await this.#parts.standings.find(userId, service);
    if (before?.state === state && before.reason === reason) return;
    await this.#parts.standings.keep({ userId, service, state, reason, since: this.#parts.clock.now() });
    const log = state === 'connected' ? 'info' : 'warn';
    this.#parts.logger[log]({ userId, service, state, reason }, 'A connection changed its state');
  }
}

function titleOf(record: TokenRecord): string {
  return serviceTitles[record.service].toLowerCase();
}

function needsReconnect(record: TokenRecord, reason: string | null): Failure {
  const why = reason ?? `The ${titleOf(record)} refused the credentials.`;
  return failed('unauthorized', `${why} Connect it again on the page /page; nothing is tried until then.`);
}
