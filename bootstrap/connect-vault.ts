import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A notes app's vault as the settings name it. */
export type SetVault = Readonly<{ url: string; key: string; verifySsl: boolean }>;

type Ports = Readonly<{
  tokens: OutboundTokens;
  standings: ConnectionStandings;
  probe: Pick<CredentialsProbe, 'complete'>;
  clock: Clock;
}>;

/**
 * Connects the automation user to the vault of the settings. One that the user has connected themselves is left alone. A certificate
 * that was taken once at an address stays the one that is trusted there.
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
    },
    updatedAt,
  };
  const completed = await probe.complete(record);
  await tokens.keep(completed.ok ? completed.value : record);
  await standings.keep({
    userId,
    service: 'vault',
    state: 'unchecked',
    since: updatedAt,
    reason: completed.ok ? null : completed.failure.message,
  });
}

/** Forgets the connection that earlier settings made for the automation user: without them the team's vault is theirs too. */
export async function forgetSetVault(
  { tokens, standings }: Pick<Ports, 'tokens' | 'standings'>,
  userId: number,
): Promise<void> {
  const before = await tokens.find(userId, 'vault');
  if (before?.extra['from_settings'] !== true) return;
  await tokens.remove(userId, 'vault');
  await standings.remove(userId, 'vault');
}

function certificateFor(vault: SetVault, before: TokenRecord | null): Readonly<Record<string, unknown>> {
  const { base_url, certificate, certificate_sha256 } = before?.extra ?? {};
  return base_url === vault.url && certificate !== undefined ? { certificate, certificate_sha256 } : {};
}
