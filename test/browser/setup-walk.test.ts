import type { Browser, Page } from 'playwright-core';
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
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    environment = {
      // Where the emulator stands in for Pipedrive; nothing else is set, no vendor either.
      SALES_CRM_PIPEDRIVE_URL: crm.url,
      SALES_CRM_PIPEDRIVE_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_PIPEDRIVE_TOKEN_URL: crm.tokenUrl,
      WEBHOOK_REGISTRATION: 'off',
    };
    server = await startWholeServer(environment);
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  const signIn = async (page: Page) => {
    await page.goto(`${server.origin.replace('127.0.0.1', 'localhost')}/login`);
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/floki/index');
    return new URL(page.url()).origin;
  };

  it('sets Pipedrive up without touching a file, and connects it (PSET-001, PSET-014)', async () => {
    const page = await browser.newPage();
    const origin = await signIn(page);
    await page.goto(`${origin}/setup`);
    await page.locator('a[href="/setup/sales_crm"]').first().click();
    expect(await page.getByLabel('Use Pipedrive').isChecked()).toBe(true);
    await page.getByLabel('Client id').fill(app.clientId);
    await page.getByLabel('Client secret').fill(app.clientSecret);
    await page.getByLabel('Webhook secret').fill('hooks:entered-in-the-browser');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.waitForURL('**/setup/sales_crm?vendor=pipedrive&done=saved#enter');
    expect(await page.locator('.notice.warn').textContent()).toContain('Restart needed');
    expect(await page.content()).not.toContain(app.clientSecret);

    await server.stop();
    server = await startWholeServer(environment, server.dataDir);
    // The session goes on; the port is another one.
    const after = server.origin.replace('127.0.0.1', 'localhost');
    await page.goto(`${after}/setup/sales_crm`);
    expect(await page.locator('.notice.warn').count()).toBe(0);
    await page.goto(`${after}/connect/sales_crm`);
    await page.waitForURL('**/page#sales_crm');
    expect(await page.locator('#sales_crm').textContent()).toContain('Sales CRM (Pipedrive)');
    expect(await page.locator('#sales_crm .pill').first().textContent()).toBe('Connected');
    await page.close();
  });
});
