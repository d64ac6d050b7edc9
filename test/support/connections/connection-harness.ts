import { setImmediate } from 'node:timers/promises';
import { RecentConnections } from '#adapters/memory/recent-connections.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import type { Logger } from '#application/ports/logger.ts';
import { neutralNames } from '#domain/services/service-names.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { MemoryConnectionStandings } from '#test/doubles/memory-connection-standings.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { MemoryOutboundTokens } from '#test/doubles/memory-outbound-tokens.ts';
import { RotatingProvider } from '#test/support/connections/rotating-provider.ts';
import { SettableClock } from '#test/support/persistence/moving-clock.ts';

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

/** Stores, a clock, a provider, and as many processes over them as a test wants. */
export class ConnectionHarness {
  readonly clock = new SettableClock(start);
  readonly tokens = new MemoryOutboundTokens();
  readonly standings = new MemoryConnectionStandings();
  readonly leases = new MemoryLeases(this.clock);
  readonly provider = new RotatingProvider(() => this.clock.now());
  readonly lines: string[] = [];
  readonly logger: Logger = this.#logger();
  pause = async (_ms: number): Promise<void> => {
    await setImmediate();
  };

  /** One process: what it remembers is its own, what it stores is shared. */
  process(): AccessTokens {
    const { leases, clock, logger, provider: grants } = this;
    const known = new RecentConnections(this.tokens, this.standings);
    return new AccessTokens({
      known,
      tokens: known.tokens,
      standings: known.standings,
      grants,
      leases,
      clock,
      logger,
      random: systemRandom,
      names: neutralNames,
      pause: (ms) => this.pause(ms),
    });
  }

  job(accessTokens: AccessTokens = this.process()): RenewDueTokens {
    const { tokens, standings, clock, logger, provider: grants } = this;
    return new RenewDueTokens({ tokens, standings, grants, accessTokens, clock, logger });
  }

  async state(): Promise<Readonly<{ state: string; reason: string | null }> | null> {
    return this.standings.find(1, 'sales_crm');
  }

  #logger(): Logger {
    const note = (fields: Readonly<Record<string, unknown>>, message: string): void => {
      this.lines.push(`${message} ${JSON.stringify(fields)}`);
    };
    return { debug: note, info: note, warn: note, error: note, child: () => this.logger };
  }
}
