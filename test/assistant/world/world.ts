import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#bootstrap/config/settings.ts';
import { startPortolan } from '#bootstrap/portolan.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { fillSigning, fillSuite } from '#test/assistant/world/documents.ts';
import { Notes } from '#test/assistant/world/notes.ts';
import { fillSales } from '#test/assistant/world/sales.ts';
import { fillTracker } from '#test/assistant/world/tracker.ts';
import { fillVault } from '#test/assistant/world/vault.ts';
import { accessToken } from '#test/demo/assistant.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { app as suiteCrmApp } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';

/** A company with its five services, in the words of their vendors, and the server that is connected to them. */
export type World = Awaited<ReturnType<typeof openWorld>>;

type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Opens a world of its own: everything in it is made from constants and today's date. */
export async function openWorld() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-world-'));
  await writeEmptySqlite(join(dataDir, 'portolan.sqlite'));
  await fillVault(join(dataDir, 'vault'));
  const emulators = await startEmulators();
  fillSales(emulators.salesCrm.records);
  fillSigning(emulators.signing);
  fillSuite(emulators.suiteCrm.state);
  fillTracker(emulators.tracker.space, emulators.tracker.seed);
  const user = { email: 'kim@example.com', password: randomBytes(12).toString('base64url') };
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, ...settingsFor(emulators, user) });
  const logger = openLogger('info', { write: () => true });
  const portolan = await startPortolan({ settings, logger, version: '0.0.0' });
  await connect(await SignedIn.to(portolan.baseUrl, user), emulators);
  await publishDeals(emulators.salesCrm, `${portolan.baseUrl}/webhooks/sales_crm`);
  const { salesCrm, signing, suiteCrm, tracker } = emulators;
  return {
    origin: portolan.baseUrl,
    token: await accessToken(portolan.baseUrl, user),
    sales: salesCrm.records,
    signing,
    suite: suiteCrm.state,
    tracker: tracker.space,
    team: tracker.seed,
    notes: new Notes(portolan.notes),
    /** Changes a deal in the sales CRM, and waits until the server has been sent it. */
    changeDeal: async (id: number, fields: Readonly<Record<string, unknown>>) => {
      salesCrm.records.update('deal', String(id), fields);
      await salesCrm.webhooks.settled();
    },
    close: async () => {
      await portolan.stop();
      await Promise.all([salesCrm, signing, suiteCrm, tracker].map((emulator) => emulator.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startEmulators() {
  const [salesCrm, signing, suiteCrm, tracker] = await Promise.all([
    startSalesCrmEmulator({ dialect: 'pipedrive', requestsPer2s: 10_000 }),
    startSigningEmulator({ dialect: 'pandadoc', draftAfterMs: 0 }),
    startSuiteCrmEmulator({ dialect: 'zoho' }),
    startTrackerEmulator({ dialect: 'linear' }),
  ]);
  return { salesCrm, signing, suiteCrm, tracker };
}

function settingsFor(
  { salesCrm, signing, suiteCrm, tracker }: Emulators,
  { email, password }: Readonly<{ email: string; password: string }>,
) {
  return {
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    WEBHOOK_REGISTRATION: 'off',
    SALES_CRM_DIALECT: 'pipedrive',
    SALES_CRM_URL: salesCrm.url,
    SALES_CRM_WEBHOOK_SECRET: webhookUser.join(':'),
    SIGNING_DIALECT: 'pandadoc',
    SIGNING_URL: signing.url,
    SUITE_CRM_DIALECT: 'zoho',
    SUITE_CRM_URL: `${suiteCrm.url}/us`,
    SUITE_CRM_AUTHORIZE_URL: `${suiteCrm.url}/us/oauth/v2/auth`,
    SUITE_CRM_TOKEN_URL: `${suiteCrm.url}/us/oauth/v2/token`,
    SUITE_CRM_CLIENT_ID: suiteCrmApp.clientId,
    SUITE_CRM_CLIENT_SECRET: suiteCrmApp.clientSecret,
    TRACKER_DIALECT: 'linear',
    TRACKER_URL: `${tracker.url}/graphql`,
  };
}

/** Name and password of the sales CRM's deliveries. */
const webhookUser = ['hooks', randomBytes(12).toString('base64url')];

/** Has changed deals sent to an address, as a person sets it up at the sales CRM. */
async function publishDeals({ url }: Emulators['salesCrm'], subscription_url: string): Promise<void> {
  const [http_auth_user, http_auth_password] = webhookUser;
  const event = { event_action: 'change', event_object: 'deal', name: 'Deals' };
  const { ok, status } = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-token': personalToken },
    body: JSON.stringify({ ...event, subscription_url, http_auth_user, http_auth_password }),
  });
  if (!ok) throw new Error(`The sales CRM took no webhook: ${status}`);
}

async function connect(person: SignedIn, { signing, tracker }: Emulators): Promise<void> {
  await person.save('sales_crm', 'personal_token', personalToken);
  await person.save('signing', 'api_key', signing.apiKey);
  await person.connect('suite_crm');
  await person.save('tracker', 'personal_token', tracker.credentials.apiKey);
}
