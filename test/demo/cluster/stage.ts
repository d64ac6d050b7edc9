import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assistant } from '#test/demo/assistant.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import {
  connectAll,
  demoSettings,
  newSecrets,
  type Opening,
  registerWebhooks,
  type Stage,
  startEmulators,
} from '#test/demo/stage.ts';
import { freePort } from '#test/kit/free-port.ts';
import { type RoundRobin, startRoundRobin } from '#test/support/network/round-robin.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';
import { type ClusterServer, serverAsProcess } from '#test/support/server/cluster-server.ts';

/** A stage whose server is three, behind a proxy. */
export type ClusterStage = Stage & Readonly<{ servers: readonly ClusterServer[]; proxy: RoundRobin }>;

const serverCount = 3;

/** Starts everything, reporting each step; what is opened adds how it is closed to `closers`. */
export async function openClusterStage(
  closers: Opening['closers'],
  report: (what: string) => void,
): Promise<ClusterStage> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-cluster-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = await startEmbeddedPostgres();
  closers.push(() => postgres.stop());
  report('PostgreSQL is up: the one thing that the servers share, apart from the folder of notes');
  const emulators = await startEmulators(closers);
  const ports = await Promise.all(Array.from({ length: serverCount }, () => freePort()));
  const proxy = await startRoundRobin(ports.map((port) => `http://127.0.0.1:${port}`));
  closers.push(() => proxy.close());
  const user = { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
  const secrets = newSecrets();
  const notes = join(folder, 'vault');
  const shared = {
    HOST: '127.0.0.1',
    BASE_URL: proxy.url,
    TRUST_PROXY: 'on',
    DATABASE_URL: postgres.url,
    SECRET_KEY_BASE: randomBytes(48).toString('base64url'),
    VAULT_DIR: notes,
    LOG_LEVEL: 'warn',
    ...demoSettings({ emulators, user, secrets }),
  };
  const servers = ports.map((port, index) =>
    serverAsProcess({ ...shared, PORT: String(port), DATA_DIR: join(folder, `server-${index + 1}`) }),
  );
  closers.push(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  await Promise.all(servers.map((server) => server.start()));
  report(`Three servers are up on ports ${ports.join(', ')}; they started on the empty database in the same moment`);
  report(`${proxy.url} gives each request to the next of them`);

  const portolan = { baseUrl: proxy.url, notes, port: Number(new URL(proxy.url).port) };
  const person = await SignedIn.to(proxy.url, user);
  await connectAll(person, emulators);
  await registerWebhooks({ person, emulators, portolan, secrets });
  const assistant = await Assistant.to(proxy.url, user);
  closers.push(() => assistant.close());
  report(
    'A person has signed in and connected the services, and an assistant has been let in, each step at another server',
  );
  const log = () => servers.map((server) => server.log());
  return { emulators, portolan, user, person, assistant, servers, proxy, log };
}
