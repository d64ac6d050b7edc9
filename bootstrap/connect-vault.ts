import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A vault that the settings, or their absence, say. */
export type SetVault = Readonly<{ url: string; key: string; verifySsl: boolean; isEmbedded: boolean }>;

type Ports = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  probe: Pick<CredentialsProbe, 'complete'>;
  clock: Clock;
}>;

/**
 * Connects the automation user to the vault of the settings. The embedded vault has another port at every start, so its
 * connection is written anew; one that the user has made to a vault of his own is left alone. A certificate that was taken
 * once at an address stays the one that is trusted there.
 */
export async function connectVault(
  { tokens, standings, probe, clock }: Ports,
  userId: number,
  vault: SetVault,
): Promise<void> {
  const before = await tokens.find(userId, 'vault');
  const isOurs = before === null || before.extra['from_settings'] === true;
  if (!isOurs) return;
  const updatedAt = clock.now();
  const record: TokenRecord = {
    userId,
    service: 'vault',
    authMethod: 'api_key',
    accessToken: vault.key,
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: {
      ...certificateFor(vault, before),
      base_url: vault.url,
      verify_ssl: vault.verifySsl,
      from_settings: true,
      embedded: vault.isEmbedded,
    },
    updatedAt,
  };
  const completed = await probe.complete(record);
  await tokens.keep(completed.ok ? completed.value : record);
  await standings.keep({
    userId,
    service: 'vault',
    state: vault.isEmbedded ? 'connected' : 'unchecked',
    since: updatedAt,
    reason: completed.ok ? null : completed.failure.message,
  });
}

function certificateFor(vault: SetVault, before: TokenRecord | null): Readonly<Record<string, unknown>> {
  const { base_url, certificate, certificate_sha256 } = before?.extra ?? {};
  return base_url === vault.url && certificate !== undefined ? { certificate, certificate_sha256 } : {};
}
