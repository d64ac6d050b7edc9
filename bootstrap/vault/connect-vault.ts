import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A notes app's vault, from the settings. */
type SetVault = Readonly<{ url: string; key: string; verifySsl: boolean }>;

type Ports = Readonly<{
  connections: Pick<Connections, 'reload' | 'save' | 'remove'>;
  probe: Pick<CredentialsProbe, 'complete'>;
  clock: Clock;
}>;

/**
 * Connects the automation user to the vault of the settings, unless the user connected a vault themselves. A
 * certificate pinned for the URL is kept.
 */
export async function connectVault(
  { connections, probe, clock }: Ports,
  userId: number,
  vault: SetVault,
): Promise<void> {
  const before = (await connections.reload(userId, 'vault'))?.record ?? null;
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
  const reason = completed.ok ? null : completed.failure.message;
  await connections.save(completed.ok ? completed.value : record, { state: 'unchecked', since: updatedAt, reason });
}

/**
 * Removes the automation user's connection if earlier settings created it, so that the team's vault takes its place.
 */
export async function forgetSetVault({ connections }: Pick<Ports, 'connections'>, userId: number): Promise<void> {
  const before = await connections.reload(userId, 'vault');
  if (before?.record.extra['from_settings'] !== true) return;
  await connections.remove(userId, 'vault');
}

function certificateFor(vault: SetVault, before: TokenRecord | null): Readonly<Record<string, unknown>> {
  const { base_url, certificate, certificate_sha256 } = before?.extra ?? {};
  return base_url === vault.url && certificate !== undefined ? { certificate, certificate_sha256 } : {};
}
