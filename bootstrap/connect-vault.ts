import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';

/** A vault that the settings, or their absence, say. */
export type SetVault = Readonly<{ url: string; key: string; verifySsl: boolean; isEmbedded: boolean }>;

type Ports = Readonly<{ tokens: OutboundTokens; standings: ConnectionStandings; clock: Clock }>;

/**
 * Connects the automation user to the vault of the settings. The embedded vault has another port at every start, so its
 * connection is written anew; one that the user has made to a vault of his own is left alone.
 */
export async function connectVault(
  { tokens, standings, clock }: Ports,
  userId: number,
  vault: SetVault,
): Promise<void> {
  const before = await tokens.find(userId, 'vault');
  const isOurs = before === null || before.extra['from_settings'] === true;
  if (!isOurs) return;
  const updatedAt = clock.now();
  await tokens.keep({
    userId,
    service: 'vault',
    authMethod: 'api_key',
    accessToken: vault.key,
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: { base_url: vault.url, verify_ssl: vault.verifySsl, from_settings: true, embedded: vault.isEmbedded },
    updatedAt,
  });
  await standings.keep({
    userId,
    service: 'vault',
    state: vault.isEmbedded ? 'connected' : 'unchecked',
    since: updatedAt,
    reason: null,
  });
}
