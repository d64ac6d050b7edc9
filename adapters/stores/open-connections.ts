import { forwarding } from '#adapters/stores/forwarding.ts';
import type { Connections, StoredConnection } from '#application/ports/connections.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * Connects everybody to services to which nobody connects, such as a program of the configuration. Such a connection is
 * never stored and has no credentials; access is governed by the permission of the service, which is checked where it is
 * used.
 */
export function openConnections(stored: Connections, open: readonly ServiceKey[], since: number): Connections {
  if (open.length === 0) return stored;
  const keys = new Set(open);
  const connectionOf = (userId: number, service: ServiceKey): StoredConnection => ({
    record: {
      userId,
      service,
      authMethod: 'api_key',
      accessToken: 'unused',
      refreshToken: null,
      scope: null,
      expiresAt: null,
      extra: { open: true },
      updatedAt: since,
    },
    status: connectedSince(since),
  });
  return forwarding(stored, {
    find: async (userId, service) => (keys.has(service) ? connectionOf(userId, service) : stored.find(userId, service)),
    reload: async (userId, service) =>
      keys.has(service) ? connectionOf(userId, service) : stored.reload(userId, service),
    list: async (userId) => {
      const others = (await stored.list(userId)).filter(({ record }) => !keys.has(record.service));
      return [...others, ...open.map((service) => connectionOf(userId, service))];
    },
    overview: async (userId) => {
      const { services, ...rest } = await stored.overview(userId);
      return { ...rest, services: new Set([...services, ...open]) };
    },
    changeStatus: async (place, status) => (keys.has(place.service) ? true : stored.changeStatus(place, status)),
  });
}
