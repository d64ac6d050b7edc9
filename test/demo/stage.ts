import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type RunningPortolan, startPortolan } from '#bootstrap/portolan.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { Assistant } from '#test/demo/assistant.ts';
import { type Credentials, SignedIn } from '#test/demo/signed-in.ts';
import { startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app as salesCrmApp } from '#test/emulators/sales-crm/oauth.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { app as suiteCrmApp } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';

/** The four services, emulated on loopback ports. */
export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Everything that runs: the services, the server with its vault, its first user, and an assistant. */
export type Stage = Readonly<{
  emulators: Emulators;
  portolan: Pick<RunningPortolan, 'baseUrl' | 'notes' | 'port'>;
  user: Credentials;
  person: SignedIn;
  assistant: Assistant;
  /** What the server has logged last, newest last. */
  log(): readonly string[];
}>;

/** What the demo makes, and how it goes away. */
export type Opening = Readonly<{ port: number | string; isVerbose: boolean; closers: (() => Promise<void> | void)[] }>;

const linesKept = 60;
/** A notification channel lives 7 days at the most (WREG-003); a demo that continues is notified for that long. */
const channelLifeMs = 6 * 86_400_000;

/**
 * Starts it all in a folder of its own, with settings of its own: neither the environment nor a `.env` file is read. What is
 * opened adds how it is closed to `closers`, also when a later part fails.
 */
export async function openStage({ port, isVerbose, closers }: Opening): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-demo-'));
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const emulators = await startEmulators(closers);
  const user = { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
  const secrets = newSecrets();
  const settings = readSettings({
    PORT: String(port),
    DATA_DIR: dataDir,
    ...demoSettings({ emulators, user, secrets }),
  });
  const lines: string[] = [];
  const keep = {
    write: (line: string) => {
      lines.push(line);
      if (lines.length > linesKept) lines.shift();
      if (isVerbose) process.stderr.write(line);
    },
  };
  const portolan = await startPortolan({ settings, logger: openLogger('info', keep), version: 'demo' });
  closers.push(() => portolan.stop());
  const person = await SignedIn.to(portolan.baseUrl, user);
  await connectAll(person, emulators);
  await registerWebhooks({ person, emulators, portolan, secrets });
  const assistant = await Assistant.to(portolan.baseUrl, user);
  closers.push(() => assistant.close());
  return { emulators, portolan, user, person, assistant, log: () => lines };
}

/** Starts the four services; each adds how it is closed to `closers`. */
export async function startEmulators(closers: Opening['closers']) {
  const salesCrm = await startSalesCrmEmulator({ dialect: 'neutral' });
  closers.push(() => salesCrm.close());
  const signing = await startSigningEmulator({ dialect: 'neutral' });
  closers.push(() => signing.close());
  const suiteCrm = await startSuiteCrmEmulator({ dialect: 'neutral' });
  closers.push(() => suiteCrm.close());
  const tracker = await startTrackerEmulator({ dialect: 'neutral' });
  closers.push(() => tracker.close());
  return { salesCrm, signing, suiteCrm, tracker };
}

/** What the services sign their deliveries with, where that is chosen here. */
export type Secrets = Readonly<{ signing: string; suiteCrm: string; tracker: string }>;

/** Makes them. */
export function newSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url');
  return { signing: secret(), suiteCrm: secret(), tracker: secret() };
}

/** The settings of the services and the first user, by their names. */
export function demoSettings({
  emulators: { salesCrm, signing, suiteCrm, tracker },
  user,
  secrets,
}: Readonly<{ emulators: Emulators; user: Credentials; secrets: Secrets }>) {
  return {
    ADMIN_EMAIL: user.email,
    ADMIN_PASSWORD: user.password,
    // On loopback the server registers none by itself; the demo does, below.
    WEBHOOK_REGISTRATION: 'off',
    SALES_CRM_URL: salesCrm.url,
    SALES_CRM_AUTHORIZE_URL: salesCrm.authorizeUrl,
    SALES_CRM_TOKEN_URL: salesCrm.tokenUrl,
    SALES_CRM_CLIENT_ID: salesCrmApp.clientId,
    // Deliveries of the sales CRM are signed with it too (HOOK-004).
    SALES_CRM_CLIENT_SECRET: salesCrmApp.clientSecret,
    SIGNING_URL: signing.url,
    SIGNING_WEBHOOK_KEY: secrets.signing,
    SUITE_CRM_URL: `${suiteCrm.url}/us`,
    SUITE_CRM_AUTHORIZE_URL: `${suiteCrm.url}/us/oauth/v2/auth`,
    SUITE_CRM_TOKEN_URL: `${suiteCrm.url}/us/oauth/v2/token`,
    SUITE_CRM_CLIENT_ID: suiteCrmApp.clientId,
    SUITE_CRM_CLIENT_SECRET: suiteCrmApp.clientSecret,
    SUITE_CRM_WEBHOOK_TOKEN: secrets.suiteCrm,
    TRACKER_URL: `${tracker.url}/graphql`,
    TRACKER_AUTHORIZE_URL: `${tracker.url}/oauth/authorize`,
    TRACKER_TOKEN_URL: `${tracker.url}/oauth/token`,
    TRACKER_CLIENT_ID: tracker.credentials.clientId,
    TRACKER_CLIENT_SECRET: tracker.credentials.clientSecret,
    TRACKER_SCOPES: 'read,write,admin',
    TRACKER_WEBHOOK_SECRET: secrets.tracker,
  };
}

/** By OAuth where the service has it, the signing service by its sandbox key; the vault is connected by the server itself. */
export async function connectAll(person: SignedIn, { signing }: Emulators): Promise<void> {
  await person.connect('sales_crm');
  await person.save('signing', 'api_key', signing.apiKey);
  await person.connect('suite_crm');
  await person.connect('tracker');
}

/** Has the services report to the server what happens, through the server's own operations where there is one. */
export async function registerWebhooks({
  person,
  emulators,
  portolan,
  secrets,
}: Readonly<{ person: SignedIn; emulators: Emulators; portolan: Stage['portolan']; secrets: Secrets }>): Promise<void> {
  const receiver = (service: string) => `${portolan.baseUrl}/webhooks/${service}`;
  await person.call('POST', '/api/sales_crm/webhooks', {
    subscription_url: receiver('sales_crm'),
    event_action: '*',
    event_object: '*',
  });
  // No operation makes them: webhooks of the signing service are made in its own settings.
  emulators.signing.subscribe(receiver('signing'), secrets.signing);
  await person.call('POST', '/api/suite_crm/actions/watch', {
    watch: [
      {
        channel_id: '1000000068001',
        events: ['Contacts.all', 'Accounts.all'],
        notify_url: receiver('suite_crm'),
        token: secrets.suiteCrm,
        channel_expiry: new Date(Date.now() + channelLifeMs).toISOString(),
      },
    ],
  });
  await person.call('POST', '/api/tracker/webhooks', {
    url: receiver('tracker'),
    resourceTypes: ['Issues'],
    allPublicTeams: true,
    secret: secrets.tracker,
  });
}
