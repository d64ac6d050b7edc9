import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderGrants } from '#application/ports/provider-grants.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isShared } from '#domain/tokens/token-record.ts';

type DisconnectServiceDependencies = Readonly<{
  connections: Pick<Connections, 'reload' | 'list' | 'remove'>;
  grants: Pick<ProviderGrants, 'revoke'>;
  /** Removes the user's webhooks at the service, which needs the tokens. */
  forgetWebhooks: (userId: number, service: ServiceKey) => Promise<unknown>;
  logger: Logger;
  /** Waits that long, in ms. */
  pause: (ms: number) => Promise<void>;
}>;

/** How long a provider’s answer to a revocation is waited for, in ms; it goes on after that. */
const maxAnswerMs = 3_000;

/** How many connections were removed, and how many of them were revoked at the provider. */
export type Disconnected = Readonly<{ connections: number; revoked: number }>;

/** Disconnects users from services: removes webhooks, revokes the tokens at the provider where it can, and deletes them. */
export class DisconnectService {
  readonly #dependencies: DisconnectServiceDependencies;

  constructor(dependencies: DisconnectServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Removes one connection, whatever the provider answers, and does not wait long for it. Returns whether it is known to
   * be revoked there; null when the user has no connection of their own to the service.
   */
  async run(userId: number, service: ServiceKey): Promise<boolean | null> {
    const { connections, grants, forgetWebhooks, logger, pause } = this.#dependencies;
    const stored = await connections.reload(userId, service);
    if (stored === null || isShared(stored.record)) return null;
    const failed = (error: unknown): false => {
      logger.warn({ err: error, userId, service }, 'A connection could not be revoked at its provider');
      return false;
    };
    await forgetWebhooks(userId, service).catch(failed);
    const revoked = grants.revoke(stored.record).catch(failed);
    if (!(await connections.remove(userId, service))) return null;
    return Promise.race([revoked, pause(maxAnswerMs).then(() => false)]);
  }

  /** Removes all connections of a user's own. */
  async all(userId: number): Promise<Disconnected> {
    const own = (await this.#dependencies.connections.list(userId)).filter(({ record }) => !isShared(record));
    const done = await Promise.all(own.map(({ record: { service } }) => this.run(userId, service)));
    return {
      connections: done.filter((isRevoked) => isRevoked !== null).length,
      revoked: done.filter((isRevoked) => isRevoked === true).length,
    };
  }
}
