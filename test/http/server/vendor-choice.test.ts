import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '#bootstrap/checks/database.ts';
import { findingLine } from '#bootstrap/checks/finding.ts';
import { checkServices } from '#bootstrap/checks/services.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const secrets = { client_id: app.clientId, client_secret: app.clientSecret };

let crm: SalesCrmEmulator;
let server: WholeServer;
let admin: PlainBrowser;
/** Only where the emulator stands in for the vendor; no vendor is named. */
const environment = () => ({
  SALES_CRM_PIPEDRIVE_URL: crm.url,
  SALES_CRM_PIPEDRIVE_AUTHORIZE_URL: crm.authorizeUrl,
  SALES_CRM_PIPEDRIVE_TOKEN_URL: crm.tokenUrl,
  WEBHOOK_REGISTRATION: 'off',
});

beforeAll(async () => {
  crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
  server = await startWholeServer(environment());
  admin = await server.signedIn();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await crm.close();
});

const restart = async (env: Readonly<Record<string, string>> = environment()) => {
  await server.stop();
  server = await startWholeServer(env, server.dataDir);
  admin = await server.signedIn();
};
const json = async (method: string, path: string, body?: unknown) => {
  const answer = await sendJson(server, admin, [method, path, body]);
  return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) };
};
const vendors = async (service = 'sales_crm') => (await json('GET', `/api/setup/${service}`)).body.vendors;
const page = async (path: string) => (await admin.get(path)).text();

describe('the vendors of a service', () => {
  it('are chosen with what is entered for them, and used from the next start on (PSET-014, PSET-016)', async () => {
    expect(await vendors()).toEqual({
      in_use: ['neutral'],
      from_next_start: ['neutral'],
      offered: ['neutral', 'pipedrive', 'hubspot'],
      is_from_environment: false,
      needs_restart: false,
    });
    const before = await page('/setup/sales_crm');
    expect(before).toMatch(/name="use" value="pipedrive" checked/);
    const saved = await admin.post('/setup/sales_crm/settings', {
      ...hiddenFields(before),
      use: 'pipedrive',
      ...secrets,
    });
    expect(saved.headers.get('location')).toBe('/setup/sales_crm?vendor=pipedrive&done=saved#enter');
    expect(await vendors()).toMatchObject({
      in_use: ['neutral'],
      from_next_start: ['pipedrive'],
      needs_restart: true,
    });
    const { settings } = (await json('GET', '/api/setup/sales_crm')).body;
    expect(settings.map(({ variable }: { variable: string }) => variable)).toEqual([
      'SALES_CRM_CLIENT_ID',
      'SALES_CRM_CLIENT_SECRET',
      'SALES_CRM_SCOPES',
      'SALES_CRM_WEBHOOK_SECRET',
    ]);
    expect(await page('/setup/sales_crm?done=saved')).toContain('uses Pipedrive from its next start on');
    expect(await page('/setup')).toContain('Restart needed');
    expect((await admin.get('/connect/sales_crm')).status).toBe(409);

    await restart();
    expect(await vendors()).toMatchObject({ in_use: ['pipedrive'], needs_restart: false });
    expect(await page('/setup')).not.toContain('Restart needed');
    const begun = await admin.get('/connect/sales_crm');
    const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(asked.headers.get('location') ?? '');
    await admin.get(`${back.pathname}${back.search}`);
    const { body } = await json('GET', '/api/connections');
    expect(body.data).toContainEqual(expect.objectContaining({ service: 'sales_crm', state: 'connected' }));
    expect(await page('/page')).toContain('Sales CRM (Pipedrive)');
  });

  it('are several, in the order in which they were chosen, and given up one by one (PSET-014)', async () => {
    const form = async (vendor: string) => hiddenFields(await page(`/setup/sales_crm?vendor=${vendor}`));
    await admin.post('/setup/sales_crm/settings', { ...(await form('hubspot')), use: 'hubspot' });
    expect(await vendors()).toMatchObject({ in_use: ['pipedrive'], from_next_start: ['pipedrive', 'hubspot'] });
    await restart();
    expect(await vendors()).toMatchObject({ in_use: ['pipedrive', 'hubspot'], needs_restart: false });
    await admin.post('/setup/sales_crm/settings', await form('hubspot'));
    expect(await vendors()).toMatchObject({ from_next_start: ['pipedrive'], needs_restart: true });
  });

  it('are known to doctor, and their change to the audit log (PSET-012, PSET-014)', async () => {
    const { body } = await json('GET', '/api/audit?action=setup.changed');
    expect(body.data).toEqual([
      expect.objectContaining({ subject: 'sales_crm', detail: 'vendors: pipedrive' }),
      expect.objectContaining({ subject: 'sales_crm', detail: 'vendors: pipedrive, hubspot' }),
      expect.objectContaining({
        subject: 'sales_crm',
        detail: 'pipedrive: client_id set, client_secret set; vendors: pipedrive',
      }),
    ]);
    await restart();
    const settings = readSettings({ ...environment(), DATA_DIR: server.dataDir });
    settings.live.start((await checkDatabase(settings, null)).entered);
    expect(checkServices(settings.live.current).map(findingLine)[0]).toContain('Sales CRM: not set up');
  });

  it('are those of the environment where it names any, and none can be chosen then (PSET-015)', async () => {
    await restart({ ...environment(), SALES_CRM_DIALECT: 'hubspot' });
    expect(await vendors()).toMatchObject({ in_use: ['hubspot'], is_from_environment: true, needs_restart: false });
    const shown = await page('/setup/sales_crm?vendor=hubspot');
    expect(shown).toContain('The vendors are set by <code>SALES_CRM_DIALECT</code> in the environment, which wins.');
    expect(shown).not.toContain('name="use"');
    expect(await json('PUT', '/api/setup/sales_crm', { vendors: ['pipedrive'] })).toMatchObject({ status: 400 });
    const forged = { ...hiddenFields(shown), vendor: 'pipedrive', chooses: 'yes', use: 'pipedrive' };
    await admin.post('/setup/sales_crm/settings', forged);
    expect(await vendors()).toMatchObject({ from_next_start: ['hubspot'] });
  });

  it('are the neutral one again when nobody chooses any (PSET-014)', async () => {
    await restart();
    expect(await json('PUT', '/api/setup/sales_crm', { vendors: [] })).toMatchObject({
      status: 200,
      body: { vendors: { in_use: ['pipedrive'], from_next_start: ['neutral'] } },
    });
    await restart();
    expect(await vendors()).toMatchObject({ in_use: ['neutral'] });
  });
});
