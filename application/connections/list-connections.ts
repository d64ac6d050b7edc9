import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { Connection } from '#domain/connections/connection.ts';

/** The connections of a user as he may see them, in the order of the service keys: never a token. */
export async function listConnections(
  { tokens, standings }: Readonly<{ tokens: OutboundTokens; standings: ConnectionStandings }>,
  userId: number,
): Promise<readonly Connection[]> {
  const [records, all] = await Promise.all([tokens.list(userId), standings.list(userId)]);
  const standingOf = new Map(all.map((standing) => [standing.service, standing]));
  return records.map(({ service, authMethod, scope, expiresAt, updatedAt }) => {
    const standing = standingOf.get(service);
    return {
      service,
      authMethod,
      scope,
      expiresAt,
      state: standing?.state ?? 'connected',
      since: standing?.since ?? updatedAt,
      reason: standing?.reason ?? null,
    };
  });
}
