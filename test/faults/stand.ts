import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignedIn } from '#test/demo/signed-in.ts';
import { type MoodyFront, startMoodyFront } from '#test/emulators/bad-mood.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { app as suiteCrmApp } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { Watcher } from '#test/faults/effects.ts';
import { freePort } from '#test/kit/free-port.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { type ServerProcess, startServer } from '#test/support/server/server-process.ts';
import { serverSettings } from '#test/support/webhooks/webhook-server.ts';

/** A real server in a process of its own, the four services behind fronts that can be put into moods, all connected. */
export type Stand = Awaited<ReturnType<typeof openStand>>;

/** The services as a stand has them, by the name of their front. */
export type FrontName = 'salesCrm' | 'signing' | 'suiteCrm' | 'tracker';

/** How a stand departs from the usual: further settings, a data folder that is there already, and no connections. */
export type StandOptions = Readonly<{
  env?: Readonly<Record<string, string>>;
  dataDir?: string;
  /** Where notes are looked for; the embedded vault's folder when not given. */
  notes?: string;
  isConnected?: boolean;
}>;

/** Opens a stand; whoever opens it closes it. */
export async function openStand({ env = {}, dataDir: given, notes, isConnected = true }: StandOptions = {}) {
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
    server = await startServer(settings);
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

/** The four services, each behind a front, and how the server is told of them. */
async function startServices() {
  const dialect = 'neutral';
  const [salesCrm, signing, suiteCrm, tracker] = await Promise.all([
    startSalesCrmEmulator({ dialect }),
    startSigningEmulator({ dialect, draftAfterMs: 0 }),
    startSuiteCrmEmulator({ dialect, credits: 1_000_000 }),
    startTrackerEmulator({ dialect }),
  ]);
  const fronts: Readonly<Record<FrontName, MoodyFront>> = {
    salesCrm: await startMoodyFront(salesCrm.url),
    signing: await startMoodyFront(signing.url),
    suiteCrm: await startMoodyFront(suiteCrm.url),
    tracker: await startMoodyFront(tracker.url),
  };
  const settings = {
    SALES_CRM_URL: fronts.salesCrm.url,
    SIGNING_URL: fronts.signing.url,
    SUITE_CRM_URL: `${fronts.suiteCrm.url}/us`,
    SUITE_CRM_AUTHORIZE_URL: `${fronts.suiteCrm.url}/us/oauth/v2/auth`,
    SUITE_CRM_TOKEN_URL: `${fronts.suiteCrm.url}/us/oauth/v2/token`,
    SUITE_CRM_CLIENT_ID: suiteCrmApp.clientId,
    SUITE_CRM_CLIENT_SECRET: suiteCrmApp.clientSecret,
    TRACKER_URL: `${fronts.tracker.url}/graphql`,
  };
  return {
    emulators: { salesCrm, signing, suiteCrm, tracker },
    fronts,
    settings,
    organizations: () => suiteCrm.state.all('Accounts').map((account) => String(account['Account_Name'])),
    connect: async (person: SignedIn) => {
      await person.save('sales_crm', 'personal_token', personalToken);
      await person.save('signing', 'api_key', signing.apiKey);
      await person.connect('suite_crm');
      await person.save('tracker', 'personal_token', tracker.credentials.apiKey);
    },
    close: async () => {
      await Promise.all(Object.values(fronts).map((front) => front.close()));
      await Promise.all([salesCrm.close(), signing.close(), suiteCrm.close(), tracker.close()]);
    },
  };
}
