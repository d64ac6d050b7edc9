import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignedIn } from '#test/demo/signed-in.ts';
import { Watcher } from '#test/faults/effects.ts';
import { freePort } from '#test/kit/free-port.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { startServices } from '#test/support/services/emulated-services.ts';
import { serverSettings } from '#test/support/webhooks/webhook-server.ts';

/** A real server in a process of its own, the four services behind fronts that can be put into moods, all connected. */
export type Stand = Awaited<ReturnType<typeof openStand>>;

/** How a stand departs from the usual: further settings, a data folder that is there already, and no connections. */
export type StandOptions = Readonly<{
  env?: Readonly<Record<string, string>>;
  dataDir?: string;
  /** Where notes are looked for; the embedded vault's folder when not given. */
  notes?: string;
  isConnected?: boolean;
  /** A command that becomes the server. */
  via?: readonly string[];
}>;

/** Opens a stand; whoever opens it closes it. */
export async function openStand({ env = {}, dataDir: given, notes, isConnected = true, via = [] }: StandOptions = {}) {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'portolan-faults-')));
  const services = await startServices();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const settings = {
    ...serverSettings(dataDir, { PORT: String(port), BASE_URL: baseUrl, LOG_LEVEL: 'warn' }),
    ADMIN_EMAIL: ada.email,
    ADMIN_PASSWORD: ada.password,
    WEBHOOK_REGISTRATION: 'off',
    ...services.settings,
    ...env,
  };
  let server: ServerProcess | null = null;
  const start = async () => {
    // As `npm start` does: the starter looks how much memory the server may have.
    const started = via.length === 0 ? undefined : ['bootstrap/node24.mjs', await testedProgram('bootstrap/main.ts')];
    server = await startServer(settings, started, via);
    return server;
  };
  const running = () => {
    if (server === null) throw new Error('The server has not been started.');
    return server;
  };
  const watcher = new Watcher({ notes: notes ?? join(dataDir, 'vault'), organizations: services.organizations });
  const close = async () => {
    await watcher.stop();
    await server?.end('SIGKILL');
    await services.close();
    if (given === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await start();
    const person = await SignedIn.to(baseUrl, ada);
    if (isConnected) await services.connect(person);
    const token = await accessToken({ origin: baseUrl });
    return {
      ...services,
      baseUrl,
      dataDir,
      settings,
      watcher,
      person,
      /** A bearer token of the one user. */
      token,
      server: running,
      start,
      /** Ends the server as a crash would, and starts it again. */
      crash: async () => {
        await running().end('SIGKILL');
        await start();
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
