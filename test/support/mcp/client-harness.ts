import { SignedIn } from '#test/demo/signed-in.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { app as suiteCrmApp } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';

/** The whole server with all five services; Ada is connected to each, and `token` is her bearer token. */
export async function openClientHarness(given: Readonly<Record<string, string>> = {}) {
  const dialect = 'neutral';
  const [salesCrm, signing, suiteCrm, tracker] = await Promise.all([
    startSalesCrmEmulator({ dialect }),
    startSigningEmulator({ dialect, draftAfterMs: 0 }),
    startSuiteCrmEmulator({ dialect }),
    startTrackerEmulator({ dialect }),
  ]);
  const services = {
    SALES_CRM_URL: salesCrm.url,
    SIGNING_URL: signing.url,
    SUITE_CRM_URL: `${suiteCrm.url}/us`,
    SUITE_CRM_AUTHORIZE_URL: `${suiteCrm.url}/us/oauth/v2/auth`,
    SUITE_CRM_TOKEN_URL: `${suiteCrm.url}/us/oauth/v2/token`,
    SUITE_CRM_CLIENT_ID: suiteCrmApp.clientId,
    SUITE_CRM_CLIENT_SECRET: suiteCrmApp.clientSecret,
    TRACKER_URL: `${tracker.url}/graphql`,
    WEBHOOK_REGISTRATION: 'off',
  };
  const server = await openWholeServer({ RATE_LIMITS: 'off', ...services, ...given });
  const person = await SignedIn.to(server.origin, ada);
  await person.save('sales_crm', 'personal_token', personalToken);
  await person.save('signing', 'api_key', signing.apiKey);
  await person.connect('suite_crm');
  await person.save('tracker', 'personal_token', tracker.credentials.apiKey);
  salesCrm.records.create('deal', { title: 'A deal of Acme' });
  const { baseUrl, dataDir } = server;
  return {
    server,
    baseUrl,
    dataDir,
    person,
    signing,
    token: await accessToken(server),
    /** The settings for another process on the same data. */
    besideIt: { ...services, BASE_URL: baseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Promise.all([salesCrm.close(), signing.close(), suiteCrm.close(), tracker.close()]);
    },
  };
}

/** An open harness. */
export type ClientHarness = Awaited<ReturnType<typeof openClientHarness>>;
