import type { SignedIn } from '#test/demo/signed-in.ts';
import { type MoodyFront, startMoodyFront } from '#test/emulators/bad-mood.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { app as suiteCrmApp } from '#test/emulators/suite-crm/accounts.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';

/** The services by the name of their front. */
export type FrontName = 'salesCrm' | 'signing' | 'suiteCrm' | 'tracker';

/** The four emulated cloud services, each behind a front, and the settings that point servers to them. */
export type EmulatedServices = Awaited<ReturnType<typeof startServices>>;

/** Starts them; the caller closes them. */
export async function startServices() {
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
    /** Connects those that take a key; all but the suite CRM. */
    connectByKeys: async (person: SignedIn) => {
      await person.save('sales_crm', 'personal_token', personalToken);
      await person.save('signing', 'api_key', signing.apiKey);
      await person.save('tracker', 'personal_token', tracker.credentials.apiKey);
    },
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
