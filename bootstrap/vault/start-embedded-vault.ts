import { openVaultFolder, type VaultFolderPlace } from '#adapters/vault-folder/open-vault-folder.ts';
import { vaultHandler } from '#adapters/vault-rest/vault-handler.ts';
import { openVaultSocket } from '#adapters/vault-rest/vault-socket.ts';
import type { Clock } from '#application/ports/clock.ts';
import { Vault } from '#application/vault/vault.ts';
import { VaultChanges } from '#application/vault/vault-changes.ts';
import { VaultGuard } from '#application/vault/vault-guard.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';

/** Options of the embedded vault. */
export type EmbeddedVaultOptions = Omit<VaultFolderPlace, 'isAway'> &
  Readonly<{
    clock: Clock;
    /** How weeks are numbered; 'sunday' by default. */
    weeks?: Weeks;
    /** Where its REST interface listens, port 0 for any free one, and the key that callers bring; null: nowhere. */
    listen: Readonly<{ host: string; port: number; apiKey: string }> | null;
    /** The maximum size of what is written at once, in bytes; 50 MiB by default. */
    bodyLimit?: number;
    /**
     * Returns why the folder cannot be used now, as sentences, such as when its disk is not mounted; null when it can.
     * While it cannot, calls are answered 503, and nothing is read or written.
     */
    trouble?: () => string | null;
  }>;

/** A running vault. */
export type EmbeddedVault = Readonly<{
  vault: Vault;
  changes: VaultChanges;
  guard: VaultGuard;
  /** The address of its REST interface, without a trailing slash; null when it does not listen. */
  url: string | null;
  /** Reads the folder again after it was away. */
  folderIsBack(): void;
  /** Lets in no more calls, waits for those in flight and their writes, and frees the port. */
  close(): Promise<void>;
}>;

/**
 * Opens a folder of Markdown as a vault. Calls are let in before the index is built; those that need it wait for it for
 * a while. Throws when the folder cannot be created or the port is taken.
 */
export async function startEmbeddedVault(options: EmbeddedVaultOptions): Promise<EmbeddedVault> {
  const { trouble = () => null, listen, logger, clock, weeks = 'sunday' } = options;
  const folder = await openVaultFolder({ ...options, isAway: () => trouble() !== null });
  const vault = new Vault({ ...folder, clock, weeks, logger, maxBody: options.bodyLimit });
  const changes = new VaultChanges({ ...folder, logger });
  const guard = new VaultGuard(trouble, logger);
  await changes.resume();
  const socket =
    listen === null
      ? null
      : await openVaultSocket(vaultHandler({ vault, guard, apiKey: listen.apiKey, logger }), {
          ...listen,
          logger,
        });
  folder.start();
  return {
    vault,
    changes,
    guard,
    url: socket?.url ?? null,
    folderIsBack: () => {
      folder.folderIsBack();
      void changes.resume();
    },
    close: async () => {
      await Promise.all([socket?.close(), guard.close()]);
      await folder.close();
    },
  };
}
