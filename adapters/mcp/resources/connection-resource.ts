import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The resource's address. */
export const connectionsUri = 'portolan://connections';

/**
 * Offers the status of the user's connections as a resource: which services work, and where to reconnect the others.
 */
export function connectionResource(
  connectionsOf: (user: User) => Promise<readonly Connection[]>,
  { baseUrl, names }: Readonly<{ baseUrl: string; names: ServiceNames }>,
): ResourceSource {
  const entry = {
    uri: connectionsUri,
    name: 'connections',
    title: 'Connections',
    description: 'The connected services, the status of each connection, and where to connect',
    mimeType: 'application/json',
  };
  return {
    templates: [],
    list: async () => ({ entries: [entry], next: null }),
    read: async ({ user }, asked) => {
      if (asked !== connectionsUri) return null;
      const known = new Map((await connectionsOf(user)).map((connection) => [connection.service, connection]));
      const connections = names.keys
        .filter((service) => isPermitted(user, service))
        .map((service) => {
          const { state, reason } = known.get(service) ?? { state: 'none', reason: null };
          return { service, title: names.of(service), state, ...(reason === null ? {} : { reason }) };
        });
      return [
        {
          uri: connectionsUri,
          mimeType: 'application/json',
          text: JSON.stringify({ connections, connectUrl: `${baseUrl}/page` }),
        },
      ];
    },
    addressOf: (_, asked) => (asked === connectionsUri ? asked : null),
    complete: async () => null,
  };
}
