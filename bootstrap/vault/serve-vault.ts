import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { maxVersions, type NoteHistory } from '#adapters/services/vault/details/note-versions.ts';
import { localVaultOperations } from '#adapters/services/vault/operations/local.ts';
import { openapiYaml } from '#adapters/vault-rest/openapi.ts';
import { routesOf } from '#adapters/vault-rest/routes.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { codeOf, StartError } from '#bootstrap/start/first-start.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { tracedLocally } from '#bootstrap/tracing/traced-requests.ts';
import { KeptFolder } from '#bootstrap/vault/kept-folder.ts';
import { type EmbeddedVault, startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';
import { claimVaultFolder } from '#bootstrap/vault/vault-folder.ts';
import { teamAccount } from '#domain/tokens/account.ts';
import { isSamePlace, placeAt } from '#infrastructure/files/file-place.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

const dayMs = 24 * 60 * 60_000;

/** The host on which `VAULT_PORT` is opened: this machine only. */
const host = '127.0.0.1';

/**
 * Opens `VAULT_DIR` as the team's vault and offers it to all users without a vault of their own: operations over it are
 * done in this process. Its REST interface is served on the loopback `port`, with the key `VAULT_API_KEY`, unless that
 * is null. Rejects a folder that does not belong to the database.
 */
export async function serveVault(
  container: Container,
  { settings, port }: Readonly<{ settings: Settings; port: number | null }>,
): Promise<EmbeddedVault> {
  const id = await claimVaultFolder(settings.vaultDir, container.get(tokens.serverFacts));
  const storage = container.get(Storage);
  const kept = new KeptFolder(await realpath(settings.vaultDir), id);
  let vault: EmbeddedVault | null = null;
  storage.add({ name: 'vault', look: kept.look.bind(kept), onBack: () => vault?.folderIsBack() });
  const dataDir = placeAt(settings.dataDir);
  const noteChanges = container.get(tokens.noteChanges);
  vault = await startEmbeddedVault({
    folder: settings.vaultDir,
    listen: port === null ? null : { host, port, apiKey: settings.VAULT_API_KEY ?? '' },
    clock: systemClock,
    weeks: settings.VAULT_WEEKS,
    keepDeletedMs: settings.UNDO_DAYS * dayMs,
    savedIndex: join(settings.dataDir, 'vault-index.jsonl'),
    maySaveIndex: () => storage.trouble() === null && isSamePlace(dataDir, placeAt(settings.dataDir)),
    // A folder of data that took the other's place may have a copy of the notes, with the same marker.
    trouble: storage.troubleIn('vault', 'database'),
    turns: container.get(tokens.serverTurns),
    others: container.get(tokens.otherServers),
    logger: container.get(tokens.logger).child({ part: 'embedded-vault' }),
    onFile: (path, kind) => {
      if (noteChanges.hasListeners) noteChanges.publish({ userId: null, path, kind });
    },
  }).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new StartError(
      `VAULT_PORT: another program listens on ${host}:${port}. Stop it, or set VAULT_PORT to a free port.`,
    );
  });
  const { vault: notes } = vault;
  const local = container.get(tokens.localOperations);
  const tracer = container.get(tokens.tracer);
  for (const [name, run] of localVaultOperations(vault, () => openapiYaml(routesOf(notes)), historyIn(container))) {
    local.set(name, tracer === null ? run : tracedLocally(tracer, 'vault', name, run));
  }
  container.get(tokens.noteStamps).of = (paths) => notes.stamps(paths);
  container.get(tokens.stores).teamVault.serve(systemClock.now());
  return vault;
}

/** What is kept of the changes of the team's vault. */
function historyIn(container: Container): NoteHistory {
  const { keptChanges } = container.get(tokens.stores);
  const users = container.get(tokens.users);
  const { settings } = container.get(tokens.runtime);
  const inTeamVault = { service: 'vault', account: teamAccount, limit: maxVersions };
  return {
    list: (path) =>
      keptChanges.list({ ...inTeamVault, recordId: path, since: systemClock.now() - settings.UNDO_DAYS * dayMs }),
    find: (id) => keptChanges.find(id),
    whoIs: (userId) => users.find(userId),
  };
}

/**
 * Returns the port of the team's vault; null when none is set. Throws a `StartError` when clients could not
 * authenticate on it.
 */
export function vaultPort({ VAULT_PORT: port, VAULT_API_KEY: key }: Settings): number | null {
  if (port === undefined) return null;
  if (key !== undefined && key !== '') return port;
  throw new StartError('VAULT_PORT: also set VAULT_API_KEY, the key that programs send to the vault on that port.');
}
