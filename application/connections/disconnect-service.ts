import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Forgets a user's tokens at a service; false when there were none. */
export async function disconnectService(
  { tokens, standings }: Readonly<{ tokens: OutboundTokens; standings: ConnectionStandings }>,
  userId: number,
  service: ServiceKey,
): Promise<boolean> {
  const wasThere = await tokens.remove(userId, service);
  await standings.remove(userId, service);
  return wasThere;
}
