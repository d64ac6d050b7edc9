import { setImmediate } from 'node:timers/promises';
import { cachedConnections } from '#adapters/stores/cached-stores.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import type { Logger } from '#application/ports/logger.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { ActiveUsers } from '#test/doubles/active-users.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { RotatingProvider } from '#test/support/connections/rotating-provider.ts';
import { neutralNames } from '#test/support/services/five-services.ts';

export const start = Date.UTC(2026, 0, 23, 12);

/** A connection by OAuth whose token ends in an hour. */
export const connected: TokenRecord = {
  userId: 1,
  service: 'sales_crm',
  authMethod: 'oauth',
  accessToken: 'access-0',
  refreshToken: 'refresh-0',
  scope: 'deals:full',
  expiresAt: start + 3_600_000,
  extra: { company_domain: 'acme' },
  updatedAt: start,
};

/** A store, a clock, a provider, and as many processes over them as a test wants. */
export class ConnectionHarness {
  readonly clock = new SettableClock(start);
  readonly connections = new MemoryConnections();
  readonly leases = new MemoryLeases(this.clock);
  readonly provider = new RotatingProvider(() => this.clock.now());
  readonly users = new ActiveUsers();
  readonly lines: string[] = [];
  readonly logger: Logger = this.#logger();
  pause = async (_ms: number): Promise<void> => {
    await setImmediate();
  };

  /** One process: what it remembers is its own, what it stores is shared. */
  process(): AccessTokens {
    const { leases, users, clock, logger, provider: grants } = this;
    return new AccessTokens({
      connections: cachedConnections(this.connections),
      grants,
      leases,
      users,
      clock,
      logger,
      random: systemRandom,
      names: neutralNames,
      pause: (ms) => this.pause(ms),
    });
  }

  job(accessTokens: AccessTokens = this.process()): RenewDueTokens {
    const { connections, users, clock, logger, provider: grants } = this;
    return new RenewDueTokens({ connections, grants, accessTokens, users, clock, logger });
  }

  /** Keeps a connection; one that nothing is known against when no status is given. */
  async keep(record: TokenRecord, status: ConnectionStatus = connectedSince(record.updatedAt)): Promise<void> {
    await this.connections.save(record, status);
  }

  /** The record of user 1 at the sales CRM as it is stored; null when there is none. */
  async record(): Promise<TokenRecord | null> {
    return (await this.connections.reload(1, 'sales_crm'))?.record ?? null;
  }

  /** The status of the same connection; null when there is none. */
  async status(): Promise<ConnectionStatus | null> {
    return (await this.connections.reload(1, 'sales_crm'))?.status ?? null;
  }

  #logger(): Logger {
    const note = (fields: Readonly<Record<string, unknown>>, message: string): void => {
      this.lines.push(`${message} ${JSON.stringify(fields)}`);
    };
    return { debug: note, info: note, warn: note, error: note, child: () => this.logger };
  }
}
