import { openVaultFolder, type VaultFolderPlace } from '#adapters/vault-folder/open-vault-folder.ts';
import { vaultHandler } from '#adapters/vault-rest/vault-handler.ts';
import { openVaultSocket } from '#adapters/vault-rest/vault-socket.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { VaultTrash } from '#application/ports/vault-folder.ts';
import { Vault } from '#application/vault/vault.ts';
import { VaultChanges } from '#application/vault/vault-changes.ts';
import { VaultGuard } from '#application/vault/vault-guard.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';
import { every } from '#infrastructure/time/every.ts';

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
    /** How long deleted files are in the trash, in ms; by default 0: they are deleted for good. */
    keepDeletedMs?: number;
    /**
     * Returns why the folder cannot be used now, as sentences, such as when its disk is not mounted; null when it can.
     * While it cannot, calls are answered 503, and nothing is read or written.
     */
    trouble?: () => string | null;
  }>;

/** How often the trash is emptied, and how long a deleted file stays in it at least, in ms. */
const emptyingPeriodMs = 3_600_000;
const leastKeptMs = 86_400_000;

/** A running vault. */
export type EmbeddedVault = Readonly<{
  vault: Vault;
  trash: VaultTrash;
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
  const { bodyLimit: maxBody, keepDeletedMs = 0 } = options;
  const vault = new Vault({ ...folder, clock, weeks, logger, maxBody, keepDeletedMs });
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
  const emptying = every(
    emptyingPeriodMs,
    async () => {
      if (trouble() !== null) return;
      const emptied = await folder.trash.empty(clock.now() - Math.max(keepDeletedMs, leastKeptMs));
      if (emptied > 0) logger.info({ emptied }, 'Files in the trash were deleted for good');
    },
    (error) => logger.warn({ err: error }, 'The trash could not be emptied; will retry'),
  );
  return {
    vault,
    trash: folder.trash,
    changes,
    guard,
    url: socket?.url ?? null,
    folderIsBack: () => {
      folder.folderIsBack();
      void changes.resume();
    },
    close: async () => {
      await Promise.all([socket?.close(), guard.close(), emptying.stop()]);
      await folder.close();
    },
  };
}
