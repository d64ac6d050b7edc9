import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { ActiveNote } from '#adapters/embedded-vault/active-note.ts';
import { IndexKeeper } from '#adapters/embedded-vault/index-keeper.ts';
import type { FileChange } from '#adapters/embedded-vault/note-index.ts';
import { routesOf } from '#adapters/embedded-vault/routes.ts';
import { TextWork } from '#adapters/embedded-vault/text-work.ts';
import { vaultApp } from '#adapters/embedded-vault/vault-app.ts';
import { VaultFolder, type WriteFile } from '#adapters/embedded-vault/vault-folder.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';
import { isLeftOfAnEndedProcess, isTemporaryName } from '#infrastructure/files/atomic-file.ts';

/** How the embedded vault is started. */
export type EmbeddedVaultOptions = Readonly<{
  /** Made when it is missing. */
  folder: string;
  /** The bearer key that every route but `GET /` needs. */
  apiKey: string;
  /** 0 takes any free port. */
  port: number;
  host: string;
  clock: Clock;
  logger: Logger;
  /** How weeks are counted; 'sunday' when not given. */
  weeks?: Weeks;
  /** The largest body that is read, in bytes; 50 MiB when not given. */
  bodyLimit?: number;
  /** How much of the notes' text is kept in memory, in bytes; 256 MiB when not given. */
  textBudget?: number;
  /** Told of each file that has become another since the vault was first read, whoever changed it. */
  onFile?: (path: string, change: FileChange) => void;
  /** How files get onto the disk; atomic and synced when not given. */
  writeFile?: WriteFile;
}>;

/** A vault that is being served. `url` has no slash at its end. */
export type EmbeddedVault = Readonly<{
  url: string;
  /** Ends new requests, waits for the changes under way, and frees the port. */
  close(): Promise<void>;
}>;

const mebibyte = 1024 * 1024;

/**
 * Serves a folder of Markdown with the vault's own REST interface. It listens before the index is built; requests that
 * need the index wait for it. Throws when the folder cannot be made or the port is taken.
 */
export async function startEmbeddedVault(options: EmbeddedVaultOptions): Promise<EmbeddedVault> {
  await mkdir(options.folder, { recursive: true });
  const root = await realpath(resolve(options.folder));
  await removeLeftovers(root).catch((error: unknown) => {
    options.logger.warn({ err: error }, 'Unfinished files of an earlier run could not be removed');
  });
  const keeper = new IndexKeeper(root, options.textBudget ?? 256 * mebibyte, options.logger, options.onFile);
  const folder = new VaultFolder(root, (path) => keeper.refresh(path), options.writeFile);
  const work = new TextWork();
  const routes = routesOf({
    folder,
    keeper,
    active: new ActiveNote(),
    clock: options.clock,
    work,
    weeks: options.weeks ?? 'sunday',
  });
  const { apiKey, logger, bodyLimit = 50 * mebibyte } = options;
  const handle = vaultApp({ routes, apiKey, logger, bodyLimit }).callback();
  const server = createServer((request, response) => void handle(request, response));
  await listen(server, options);
  keeper.start();
  return { url: urlOf(server, options.host), close: () => close(server, { folder, keeper, work }) };
}

/** How old an unfinished file of another machine is at least that nobody is writing any more, in ms. */
const leftoverAfterMs = 60_000;

/** Removes unfinished files that a crash left behind; no note is ever one of them. A running process's own stay. */
async function removeLeftovers(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const unfinished = entries.filter((entry) => entry.isFile() && isTemporaryName(entry.name));
  for (const entry of unfinished) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => null)) ?? {};
    const isLeft = isLeftOfAnEndedProcess(entry.name) || Date.now() - mtimeMs > leftoverAfterMs;
    if (isLeft) await rm(path, { force: true });
  }
}

function listen(server: Server, { port, host }: EmbeddedVaultOptions): Promise<void> {
  return new Promise((settle, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      settle();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The embedded vault does not listen');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

type Kept = Readonly<{ folder: VaultFolder; keeper: IndexKeeper; work: TextWork }>;

async function close(server: Server, { folder, keeper, work }: Kept): Promise<void> {
  const closed = new Promise<void>((settle) => {
    server.close(() => settle());
  });
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), 5000).unref();
  await closed;
  clearTimeout(deadline);
  await folder.idle();
  keeper.close();
  await work.close();
}
