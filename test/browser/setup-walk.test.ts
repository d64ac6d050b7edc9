import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { adminPassword, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(`an administrator in a real browser${reason}`, () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let browser: Browser;
  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    server = await startWholeServer({
      SALES_CRM_DIALECT: 'pipedrive',
      SALES_CRM_URL: crm.url,
      SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_TOKEN_URL: crm.tokenUrl,
      WEBHOOK_REGISTRATION: 'off',
    });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  it('sets Pipedrive up without touching a file, and connects it (PSET-001, PSET-002)', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin.replace('127.0.0.1', 'localhost')}/login`);
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/floki/index');

    await page.goto(`${new URL(page.url()).origin}/setup/sales_crm`);
    await page.getByLabel('Client id').fill(app.clientId);
    await page.getByLabel('Client secret').fill(app.clientSecret);
    await page.getByLabel('Webhook secret').fill('hooks:entered-in-the-browser');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.waitForURL('**/setup/sales_crm?vendor=pipedrive&done=saved#enter');
    expect(await page.content()).toContain('It is used from now on.');
    expect(await page.content()).not.toContain(app.clientSecret);

    await page.goto(`${new URL(page.url()).origin}/connect/sales_crm`);
    await page.waitForURL('**/page#sales_crm');
    expect(await page.locator('#sales_crm .pill').first().textContent()).toBe('Connected');
    await page.close();
  });
});
