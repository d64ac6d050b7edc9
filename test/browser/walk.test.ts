import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { Assistant } from '#test/support/authorization/browser-assistant.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { adminPassword, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(`a stranger's walk in a real browser${reason}`, () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let browser: Browser;
  let callback: LoopbackServer;

  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    callback = await serveOnLoopback((_, response) => void response.end('You can close this window.'));
    server = await startWholeServer({
      SALES_CRM_URL: crm.url,
      SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_TOKEN_URL: crm.tokenUrl,
      SALES_CRM_CLIENT_ID: app.clientId,
      SALES_CRM_CLIENT_SECRET: app.clientSecret,
      WEBHOOK_REGISTRATION: 'off',
    });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await callback.close();
    await crm.close();
  });

  it('leads from the bare address to a first call, to what it did, and back to nothing (PAGE-023)', async () => {
    const base = server.origin.replace('127.0.0.1', 'localhost');
    const page = await browser.newPage();
    const stepOf = (title: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

    // The bare address asks who it is, and leads home.
    await page.goto(base);
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Your Portolan' }).waitFor();

    // Step 1: a service, by the provider's own page.
    await page.getByRole('link', { name: 'Connect a service' }).click();
    await page.getByRole('link', { name: 'Connect: Sales CRM' }).click();
    await page.waitForURL('**/page#sales_crm');
    expect(await page.locator('#sales_crm .pill').textContent()).toBe('Connected');

    // Step 2: an assistant, by the address that home shows.
    await page.getByRole('link', { name: 'Home' }).click();
    await stepOf('Connect a service').getByText('Done').waitFor();
    const address = (await stepOf('Connect an assistant').locator('.copy code').first().textContent()) ?? '';
    expect(address).toMatch(/^http:\/\/localhost:\d+\/message$/);
    const assistant = new Assistant(`${callback.url}/callback`, page);
    const transport = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: assistant });
    const first = transport();
    await expect(new Client({ name: 'Astrolabe', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    await page.getByText('Astrolabe').first().waitFor();
    await page.getByRole('button', { name: /^Allow/ }).click();
    await page.waitForURL(`${callback.url}/callback?**`);
    await first.finishAuth(new URL(page.url()).searchParams.get('code') ?? '');

    // Step 3: the first call.
    const client = new Client({ name: 'Astrolabe', version: '1' });
    await client.connect(transport());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('sales_crm_deals_list');
    expect(await client.callTool({ name: 'sales_crm_deals_list', arguments: {} })).not.toHaveProperty('isError', true);

    // It is seen under Activity, once what was done is written.
    const row = page.getByRole('row').filter({ hasText: 'Astrolabe' });
    await expect
      .poll(
        async () => {
          await page.goto(`${base}/activity`);
          return row.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await row.textContent()).toMatch(/Lists deals.*Sales CRM.*Done/s);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('1 call in 30 days').waitFor();
    await page.getByText('Connect another service or assistant').click();
    await stepOf('Try it').getByText('Done').waitFor();

    // The app is taken back: its next call is refused.
    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByRole('button', { name: 'Revoke access: Astrolabe' }).click();
    await page.getByText('No app is connected.').waitFor();
    const { access_token: token } = assistant.tokens() ?? {};
    const after = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
    await expect(client.callTool({ name: 'sales_crm_deals_list', arguments: {} })).rejects.toThrow();
    await client.close();
  });
});
