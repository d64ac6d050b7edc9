import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { followWrites, tellOfWrite } from '#adapters/vault-folder/index/follow-writes.ts';
import { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import type { FileChange } from '#adapters/vault-folder/index/note-index.ts';
import { ActiveNote } from '#adapters/vault-folder/notes/active-note.ts';
import { VaultFolder, type WriteFile, type WrittenFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import { routesOf } from '#adapters/vault-folder/routes/routes.ts';
import { vaultHandler } from '#adapters/vault-folder/routes/vault-handler.ts';
import { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import { vaultInProcess } from '#adapters/vault-folder/vault-in-process.ts';
import { openVaultSocket } from '#adapters/vault-folder/vault-socket.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import type { ServerTurns } from '#application/ports/server-turns.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';
import { isTemporaryName, writerOf } from '#infrastructure/files/atomic-file.ts';
import type { InProcessServer } from '#infrastructure/http/in-process.ts';

/** Options of the embedded vault. */
export type EmbeddedVaultOptions = Readonly<{
  /** Created if missing. */
  folder: string;
  /** The bearer key that every route except `GET /` requires. */
  apiKey: string;
  /** Where its REST interface listens for HTTP, port 0 for any free port; null serves it in process only. */
  listen: Readonly<{ host: string; port: number }> | null;
  clock: Clock;
  logger: Logger;
  /** How weeks are numbered; 'sunday' by default. */
  weeks?: Weeks;
  /** The maximum size of a request body, in bytes; 50 MiB by default. */
  bodyLimit?: number;
  /** The maximum size of the note texts kept in memory, in bytes; 256 MiB by default. */
  textBudget?: number;
  /** The time limit of work over one text, or of one search by a rule, in ms; 3 s by default. */
  maxJobMs?: number;
  /**
   * The file in which the index is saved for the next start, which then reads only what has changed; none by default.
   */
  savedIndex?: string | null;
  /** Whether the index may be saved now; always by default. */
  maySaveIndex?: () => boolean;
  /**
   * Returns why the folder cannot be used now, as sentences, such as when its disk is not mounted; null when it can.
   * While it cannot, calls are answered 503, and nothing is read or written.
   */
  trouble?: () => string | null;
  /** How long requests that need all notes wait for the first read of the folder, in ms; 5 s by default. */
  indexWaitMs?: number;
  /** Called for each file that changed since the vault was first read, whoever changed it. */
  onFile?: (path: string, change: FileChange) => void;
  /** Writes a file to disk; atomic and synced by default. */
  writeFile?: WriteFile;
  /** The lock that servers sharing the folder take for each change; none by default. */
  turns?: ServerTurns;
  /** The servers that share the folder, to which each write is published; none by default. */
  others?: OtherServers;
}>;

/** A running vault. */
export type EmbeddedVault = Readonly<{
  /** The address it listens on, without a trailing slash; null when it does not listen. */
  url: string | null;
  /** Answers requests of this process with the same handlers, without a socket. */
  inProcess: InProcessServer;
  /** Reads the folder again after it was away. */
  folderIsBack(): void;
  /** Refuses new requests, waits for requests in flight and their writes, and frees the port. */
  close(): Promise<void>;
}>;

const mebibyte = 1024 * 1024;

/**
 * Serves a folder of Markdown through the vault's own REST interface. It accepts requests before the index is built;
 * those that need the index wait for it for a while. Throws when the folder cannot be created or the port is taken.
 */
export async function startEmbeddedVault(options: EmbeddedVaultOptions): Promise<EmbeddedVault> {
  await mkdir(options.folder, { recursive: true });
  const root = await realpath(resolve(options.folder));
  await removeLeftovers(root).catch((error: unknown) => {
    options.logger.warn({ err: error }, 'Unfinished files of an earlier run could not be removed');
  });
  const { savedIndex = null, indexWaitMs, onFile, maySaveIndex, trouble = () => null } = options;
  const isAway = () => trouble() !== null;
  const keeper = new IndexKeeper(root, {
    textBudget: options.textBudget ?? 256 * mebibyte,
    logger: options.logger,
    savedAt: savedIndex,
    ...(indexWaitMs === undefined ? {} : { waitMs: indexWaitMs }),
    isAway,
    ...(maySaveIndex === undefined ? {} : { maySave: maySaveIndex }),
    ...(onFile === undefined ? {} : { onFile }),
  });
  const { writeFile, turns, others = noOtherServers } = options;
  const onChange = async (path: string, written: WrittenFile | null) => {
    await keeper.refresh(path, written);
    tellOfWrite(others, path);
  };
  const folder = new VaultFolder(root, onChange, {
    ...(writeFile === undefined ? {} : { writeFile }),
    ...(turns === undefined ? {} : { turns }),
    aroundChange: (path, change) => keeper.whileChanging(path, change),
    isAway,
  });
  const stopHearing = followWrites(others, keeper, options.logger);
  const work = new TextWork(options.maxJobMs);
  const routes = routesOf({
    folder,
    keeper,
    active: new ActiveNote(),
    clock: options.clock,
    work,
    weeks: options.weeks ?? 'sunday',
  });
  const { apiKey, logger, bodyLimit = 50 * mebibyte } = options;
  const handle = vaultHandler({ routes, apiKey, logger, bodyLimit, trouble });
  const inProcess = vaultInProcess(handle);
  const socket = options.listen === null ? null : await openVaultSocket(handle, { ...options.listen, logger });
  keeper.start();
  return {
    url: socket?.url ?? null,
    inProcess: inProcess.server,
    folderIsBack: () => keeper.folderIsBack(),
    close: async () => {
      await Promise.all([socket?.close(), inProcess.close()]);
      stopHearing();
      await folder.idle();
      await keeper.close();
      await work.close();
    },
  };
}

/** The age in ms from which another machine's temporary file counts as abandoned. A write takes less than a second. */
const leftoverAfterMs = 600_000;

/** Removes temporary files that a crash left behind, never notes. Those of running processes are kept. */
async function removeLeftovers(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const unfinished = entries.filter((entry) => entry.isFile() && isTemporaryName(entry.name));
  for (const entry of unfinished) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => null)) ?? {};
    const writer = writerOf(entry.name);
    const isLeft = writer === 'ended' || (writer === 'elsewhere' && Date.now() - mtimeMs > leftoverAfterMs);
    if (isLeft) await rm(path, { force: true });
  }
}
