import type { Container } from 'inversify';
import { type EmbeddedVault, startEmbeddedVault } from '#adapters/embedded-vault/start-embedded-vault.ts';
import { codeOf, StartFault } from '#bootstrap/first-start.ts';
import type { Settings } from '#bootstrap/settings.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { claimVaultFolder } from '#bootstrap/vault-folder.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

const host = '127.0.0.1';

/**
 * Serves `VAULT_DIR` as the team's vault on `port` of loopback (0: any free one), and offers it to everybody who has none of their own.
 * Its key is `VAULT_API_KEY`, or one that `secret` gives. Refuses a folder that is not the database's.
 */
export async function serveVault(
  container: Container,
  { settings, secret, port }: Readonly<{ settings: Settings; secret: string; port: number }>,
): Promise<EmbeddedVault> {
  await claimVaultFolder(settings.vaultDir, container.get(tokens.serverFacts));
  const key = settings.VAULT_API_KEY ?? Buffer.from(deriveKey(secret, 'embedded vault key')).toString('base64url');
  const noteChanges = container.get(tokens.noteChanges);
  const vault = await startEmbeddedVault({
    folder: settings.vaultDir,
    apiKey: key,
    port,
    host,
    clock: systemClock,
    weeks: settings.VAULT_WEEKS,
    logger: container.get(tokens.logger).child({ part: 'embedded-vault' }),
    onFile: (path, kind) => {
      if (noteChanges.hasListeners) noteChanges.publish({ userId: null, path, kind });
    },
  }).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new StartFault(
      `VAULT_PORT: another program listens on ${host}:${port}. Stop it, or set VAULT_PORT to a free one.`,
    );
  });
  container.get(tokens.teamVault).serve({ url: vault.url, key, since: systemClock.now() });
  return vault;
}

/** The port that the settings want the team's vault on, 0 for any; throws a `StartFault` where programs could not use it. */
export function vaultPort({ VAULT_PORT: port, VAULT_API_KEY: key }: Settings): number {
  if (port === undefined) return 0;
  if (key !== undefined && key !== '') return port;
  throw new StartFault('VAULT_PORT: set VAULT_API_KEY too, the key that programs bring to the vault on that port.');
}
