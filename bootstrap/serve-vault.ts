import { join } from 'node:path';
import type { FileChange } from '#adapters/embedded-vault/note-index.ts';
import { type EmbeddedVault, startEmbeddedVault } from '#adapters/embedded-vault/start-embedded-vault.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Settings } from '#bootstrap/settings.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** The embedded vault as it runs, the folder that it serves, and the key that opens it. */
export type ServedVault = Readonly<{ vault: EmbeddedVault; folder: string; apiKey: string }>;

/** Serves `DATA_DIR/vault` on a free loopback port, with a key of its own that `secret` gives. `onFile` is told of each file that changes. */
export async function serveVault({
  settings,
  secret,
  logger,
  onFile,
}: Readonly<{
  settings: Settings;
  secret: string;
  logger: Logger;
  onFile: (path: string, change: FileChange) => void;
}>): Promise<ServedVault> {
  const folder = join(settings.dataDir, 'vault');
  const apiKey = Buffer.from(deriveKey(secret, 'embedded vault key')).toString('base64url');
  const vault = await startEmbeddedVault({
    folder,
    apiKey,
    port: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: logger.child({ part: 'embedded-vault' }),
    onFile,
  });
  return { vault, folder, apiKey };
}
