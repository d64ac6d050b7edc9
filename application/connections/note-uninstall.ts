import type { TestConnection } from '#application/connections/test-connection.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { AppCredentials, ProviderGrants } from '#application/ports/provider-grants.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';

type NoteUninstallDependencies = Readonly<{
  grants: Pick<ProviderGrants, 'isReporter'>;
  connections: Pick<Connections, 'renewable'>;
  test: Pick<TestConnection, 'probe'>;
  users: Pick<Users, 'find'>;
  logger: Logger;
}>;

/**
 * Heeds a provider's report that somebody removed this server's app from their account. The report names accounts in the
 * provider's terms, which connections do not store: all connections to the service are tested, and those that have lost
 * their access say so.
 */
export class NoteUninstall {
  readonly #dependencies: NoteUninstallDependencies;
  readonly #testing = new Map<ServiceKey, Promise<void>>();

  constructor(dependencies: NoteUninstallDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the report is authentic; if so, tests the connections in the background, once at a time. */
  run(service: ServiceKey, credentials: AppCredentials): boolean {
    const { grants, logger } = this.#dependencies;
    if (!grants.isReporter(service, credentials)) return false;
    logger.info({ service }, 'The provider reports that the app was removed from an account');
    const testing = (this.#testing.get(service) ?? Promise.resolve()).then(() => this.#testAll(service));
    this.#testing.set(service, testing);
    return true;
  }

  async #testAll(service: ServiceKey): Promise<void> {
    const { connections, test, users, logger } = this.#dependencies;
    try {
      for (const place of await connections.renewable()) {
        const user = place.service === service ? await users.find(place.userId) : null;
        if (user !== null && isActive(user)) await test.probe(user.id, service);
      }
    } catch (error) {
      logger.error({ err: error, service }, 'Connections could not be tested after an app was removed');
    }
  }
}
