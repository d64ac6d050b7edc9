import type { AccessTokens } from '#application/connections/access-tokens.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionPlace, Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Users } from '#application/ports/users.ts';
import { countInTurns } from '#application/turns/count-in-turns.ts';
import { isActive } from '#domain/sessions/session.ts';
import { isRenewalDue, renewalMarginMs } from '#domain/tokens/refresh-due.ts';

type RenewDueTokensDependencies = Readonly<{
  connections: Pick<Connections, 'renewable' | 'reload'>;
  grants: ProviderGrants;
  accessTokens: AccessTokens;
  users: Pick<Users, 'find'>;
  clock: Clock;
  logger: Logger;
}>;

/** The number of connections renewed concurrently, so that one slow provider does not delay the others. */
const atOnce = 8;

/** Renews every token of an active user that is due, before it expires (RENEW-001, RENEW-009). */
export class RenewDueTokens {
  readonly #dependencies: RenewDueTokensDependencies;

  constructor(dependencies: RenewDueTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Renews the due tokens and returns their number. Connections that the user has to reconnect are skipped; a failed
   * renewal is retried by the next run; an error with one connection is logged and does not affect the others.
   */
  async run(): Promise<number> {
    const { connections, grants, clock } = this.#dependencies;
    const now = clock.now();
    const services = grants.renewedServices().map(({ service, everyMs }) => ({ service, storedUntil: now - everyMs }));
    const places = await connections.renewable({ services, expiresUntil: now + renewalMarginMs });
    return countInTurns(places, atOnce, (place) => this.#renewIfDue(place));
  }

  async #renewIfDue({ userId, service }: ConnectionPlace): Promise<boolean> {
    const { connections, grants, accessTokens, users, clock, logger } = this.#dependencies;
    try {
      const connection = await connections.reload(userId, service);
      if (connection === null || connection.status.state === 'reconnect') return false;
      const { record } = connection;
      if (!isRenewalDue(record, grants.renewEveryMs(record), clock.now())) return false;
      const user = await users.find(userId);
      if (user === null || !isActive(user)) return false;
      return (await accessTokens.renew(record)).ok;
    } catch (error) {
      logger.error({ err: error, userId, service }, 'Token could not be renewed; it will be retried');
      return false;
    }
  }
}
