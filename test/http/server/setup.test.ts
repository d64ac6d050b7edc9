import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allServices } from '#bootstrap/services.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const secrets = ['hooks:of-the-tests', 'a-secret-nobody-knows', app.clientSecret];
let crm: SalesCrmEmulator;
let server: WholeServer;
let admin: PlainBrowser;

beforeAll(async () => {
  crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
  const settings = {
    SALES_CRM_URL: crm.url,
    SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
    SALES_CRM_TOKEN_URL: crm.tokenUrl,
    SALES_CRM_CLIENT_ID: app.clientId,
    SALES_CRM_CLIENT_SECRET: app.clientSecret,
    SALES_CRM_WEBHOOK_SECRET: 'hooks:of-the-tests',
    // Another provider's token endpoint, which does not know this app.
    HELP_DESK_URL: 'http://127.0.0.1:9',
    HELP_DESK_CLIENT_ID: 'unknown',
    HELP_DESK_CLIENT_SECRET: 'a-secret-nobody-knows',
    HELP_DESK_AUTHORIZE_URL: crm.authorizeUrl,
    HELP_DESK_TOKEN_URL: crm.tokenUrl,
    WEBHOOK_REGISTRATION: 'off',
  };
  server = await startWholeServer(settings, undefined, [...allServices, helpdesk]);
  admin = await server.signedIn();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await crm.close();
});

const page = async (path: string) => (await admin.get(path)).text();
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');
/** The state of a setting as the page of its service shows it. */
const stateOf = (html: string, name: string) =>
  new RegExp(`<code class="pick">${name}</code>.*?<span class="pill \\w+">([^<]+)</span>`, 's').exec(html)?.[1];
const check = async (service: string, more = '') => {
  const fields = hiddenFields(await page(`/setup/${service}`));
  return textOf(await (await admin.post(`/setup/${service}/check${more}`, fields)).text());
};

describe('/setup', () => {
  it('lists all services with their setup status (PAGE-020)', async () => {
    const text = textOf(await page('/setup'));
    expect(text).toContain('Sales CRM Nothing is missing. Ready');
    expect(text).toContain('Help desk Not set up yet: webhooks. Partly set up');
    expect(text).toMatch(/Tracker For Linear, Jira and others. Not set up/);
  });

  it('shows the steps of each vendor, the addresses to copy, and the missing settings (PAGE-020)', async () => {
    const html = await page('/setup/tracker');
    expect(html).toContain('href="https://linear.app/settings/api/applications/new"');
    expect(textOf(html)).toContain('/connect/tracker/callback');
    expect(textOf(html)).toContain('/webhooks/tracker');
    expect(stateOf(html, 'TRACKER_DIALECT')).toBe('Missing');
    expect(stateOf(html, 'TRACKER_URL')).toBe('Not set');
    expect(html).toContain(
      'TRACKER_DIALECT=linear\nTRACKER_CLIENT_ID=\nTRACKER_CLIENT_SECRET=\nTRACKER_WEBHOOK_SECRET=',
    );
    const neutral = await page('/setup/tracker?vendor=neutral');
    expect(stateOf(neutral, 'TRACKER_URL')).toBe('Missing');
  });

  it('shows whether a setting is set, and never its value (PAGE-020)', async () => {
    for (const service of ['sales_crm', 'help_desk']) {
      const html = await page(`/setup/${service}`);
      expect(stateOf(html, `${service.toUpperCase()}_CLIENT_SECRET`)).toBe('Set');
      for (const secret of secrets) expect(html).not.toContain(secret);
    }
  });

  it('answers 404 for an unknown service or vendor', async () => {
    for (const path of ['/setup/none', '/setup/tracker?vendor=none', '/setup/__proto__']) {
      expect((await admin.get(path)).status).toBe(404);
    }
  });

  it('is for administrators in person: not for guests, nor for apps', async () => {
    const guest = new PlainBrowser(server);
    await guest.get('/set');
    expect((await guest.get('/setup')).status).toBe(403);
    const token = await grantToken(server.origin, admin, { name: 'App' });
    const headers = { authorization: `Bearer ${token}` };
    for (const path of ['/setup', '/setup/tracker']) {
      expect((await fetch(`${server.origin}${path}`, { headers })).status).toBe(403);
    }
  });
});

describe('the check of a service', () => {
  it('reports that everything works, at the provider, too (PAGE-022)', async () => {
    expect(await check('sales_crm')).toContain('You are not connected to the Sales CRM.');
    await sendJson(server, admin, [
      'POST',
      '/save',
      { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken },
    ]);
    const text = await check('sales_crm');
    for (const line of [
      `${new URL(crm.url).origin} answers`,
      'The Sales CRM knows the app',
      'Your own connection to the Sales CRM works',
    ]) {
      expect(text).toContain(`Good ${line}`);
    }
    expect(text).toContain(
      `Look BASE_URL: ${server.origin.replace('127.0.0.1', 'localhost')} is reachable only from this machine`,
    );
    expect(text).not.toContain('Wrong');
  });

  it('reports an unreachable provider, and a provider that does not know the app (PAGE-022)', async () => {
    const text = await check('help_desk');
    expect(text).toContain('Something does not work yet.');
    expect(text).toContain('Wrong http://127.0.0.1:9 cannot be reached.');
    expect(text).toContain('Wrong The Help desk does not know the app, or not with this secret');
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it("tests the team's vault, and a service that is not set up at all", async () => {
    expect(await check('vault')).toContain('Good Your own connection to the Vault works');
    expect(await check('signing')).toContain('Look Signing service: not set up');
  });

  it('requires a form of this server (PAGE-003)', async () => {
    const asked = crm.grants.asked;
    expect((await admin.post('/setup/sales_crm/check', { csrf_token: 'forged' })).status).toBe(403);
    expect(crm.grants.asked).toBe(asked);
  });
});
