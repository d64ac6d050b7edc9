import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignedIn } from '#test/demo/signed-in.ts';
import { freePort } from '#test/kit/free-port.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { type RoundRobin, startRoundRobin } from '#test/support/network/round-robin.ts';
import { freshDatabase, onServer } from '#test/support/persistence/fresh-database.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { type ClusterServer, serverAsProcess, serverInProcess } from '#test/support/server/cluster-server.ts';
import { startServices } from '#test/support/services/emulated-services.ts';
import { serverSettings } from '#test/support/webhooks/webhook-server.ts';

/** The options of a cluster; by default three servers in this process and their own PostgreSQL. */
export type ClusterOptions = Readonly<{
  servers?: number;
  /** Separate processes can be killed and suspended; servers in this process start faster. */
  as?: 'processes' | 'in process';
  /** Further settings for all servers, or for each by index. */
  env?: Readonly<Record<string, string>> | ((index: number) => Readonly<Record<string, string>>);
  /** The URL of an existing PostgreSQL server, in which the cluster creates its database. */
  postgresUrl?: string;
  /** Maps the URL of the created database to the one that the servers use, such as a proxy's. */
  reachedBy?: (databaseUrl: string) => Promise<string>;
}>;

/** Servers on one database and one folder of notes, behind a round-robin proxy. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Starts a cluster, all servers at once; the caller closes it. Throws if no PostgreSQL is available. */
export async function openCluster(options: ClusterOptions = {}) {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  try {
    return { ...(await open(options, closers)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  { servers: count = 3, as = 'in process', env = {}, postgresUrl, reachedBy }: ClusterOptions,
  closers: (() => Promise<unknown>)[],
) {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-cluster-'));
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const databaseUrl = await databaseIn(postgresUrl, closers);
  const services = await startServices();
  closers.push(() => services.close());

  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const proxy: RoundRobin = await startRoundRobin(ports.map((port) => `http://127.0.0.1:${port}`));
  closers.push(() => proxy.close());
  const shared = {
    BASE_URL: proxy.url,
    DATABASE_URL: (await reachedBy?.(databaseUrl)) ?? databaseUrl,
    SECRET_KEY_BASE: randomBytes(48).toString('base64url'),
    VAULT_DIR: join(folder, 'vault'),
    ADMIN_EMAIL: ada.email,
    ADMIN_PASSWORD: ada.password,
    WEBHOOK_REGISTRATION: 'off',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'on',
    ...services.settings,
  };
  const servers: readonly ClusterServer[] = ports.map((port, index) => {
    const own = typeof env === 'function' ? env(index) : env;
    const settings = serverSettings(join(folder, `server-${index}`), { ...shared, PORT: String(port), ...own });
    return as === 'processes' ? serverAsProcess(settings) : serverInProcess(settings);
  });
  closers.push(() => Promise.all(servers.map((server) => (as === 'processes' ? server.kill() : server.stop()))));
  await Promise.all(servers.map((server) => server.start()));
  return {
    /** The base URL: the proxy's. */
    baseUrl: proxy.url,
    /** The same, under the name that test helpers expect. */
    origin: proxy.url,
    proxy,
    servers,
    services,
    databaseUrl,
    /** Runs a statement directly on the database. */
    query: (statement: string) => onServer(databaseUrl, statement),
    vaultDir: shared.VAULT_DIR,
    settings: shared,
    /** The first user in a browser, signed in at one server, or by the proxy. */
    signIn: (origin = proxy.url) => SignedIn.to(origin, ada),
  };
}

async function databaseIn(given: string | undefined, closers: (() => Promise<unknown>)[]): Promise<string> {
  if (given !== undefined) return fresh(given, closers);
  const postgres = await startPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  closers.push(() => postgres.stop());
  return fresh(postgres.url, closers);
}

async function fresh(serverUrl: string, closers: (() => Promise<unknown>)[]): Promise<string> {
  const { url, drop } = await freshDatabase(serverUrl);
  closers.push(drop);
  return url;
}
