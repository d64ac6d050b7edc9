import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { adminPassword, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(`the page of connections in a real browser${reason}`, () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let base: string;

  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    server = await startWholeServer({
      SALES_CRM_URL: crm.url,
      SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_TOKEN_URL: crm.tokenUrl,
      SALES_CRM_CLIENT_ID: app.clientId,
      SALES_CRM_CLIENT_SECRET: app.clientSecret,
    });
    base = server.origin.replace('127.0.0.1', 'localhost');
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${base}/login`);
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/floki/index');
    await page.goto(`${base}/page`);
  });
  afterEach(() => context.close());

  const service = () => page.locator('#sales_crm');
  const stateText = () => service().locator('.pill').textContent();

  it('connects by OAuth with one click, tests the connection, and disconnects', async () => {
    await page.getByRole('link', { name: 'Connect: Sales CRM' }).click();
    await page.waitForURL('**/page#sales_crm');
    expect(await stateText()).toBe('Connected');
    await page.getByRole('button', { name: 'Test: Sales CRM' }).click();
    await service().getByText('The Sales CRM works').waitFor();
    expect(new URL(page.url()).pathname).toBe('/page');
    await service().locator('summary', { hasText: 'Advanced' }).click();
    await page.getByRole('button', { name: 'Disconnect: Sales CRM' }).click();
    await service().getByText('Not connected').waitFor();
  });

  it('connects with a token that is never shown again, and reports a refused one', async () => {
    const connect = async (token: string) => {
      await service().locator('summary', { hasText: 'Advanced' }).click();
      await page.getByLabel('Personal token').fill(token);
      await service().getByRole('button', { name: 'Test and save' }).click();
    };
    await connect('not-the-token');
    await service().getByRole('alert').getByText('It did not work').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    await connect(personalToken);
    await service().getByText('Works.').waitFor();
    expect(await stateText()).toBe('Connected');
    expect(await page.content()).not.toContain(personalToken);
  });

  it('answers on the page without a script, too, with the focus on the notice (PAGE-002)', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies(await context.cookies());
    page = await plain.newPage();
    await page.goto(`${base}/page`);
    await service().locator('summary', { hasText: 'Advanced' }).click();
    await page.getByLabel('Personal token').fill('not-the-token');
    await service().getByRole('button', { name: 'Test and save' }).click();
    await service().getByRole('alert').getByText('It did not work').waitFor();
    await page.locator('#sales_crm [role=alert]:focus').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your connections');
  });

  it('has the times of its user in the zone of their browser at once, and for good (ACCT-004)', async () => {
    await using abroad = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
    await abroad.addCookies(await context.cookies());
    await withStored(server.dataDir, ({ users }) => users.change(1, { timeZone: null }));
    const stored = async () => (await context.request.get(`${base}/page`)).text();
    await expect.poll(stored, { timeout: 30_000 }).toContain('data-zone="unset"');
    page = await abroad.newPage();
    const kept = page.waitForResponse('**/account/time-zone');
    await page.goto(`${base}/page`);
    await page.locator('#sales_crm summary', { hasText: 'Advanced' }).click();
    const time = page.locator('#sales_crm dd time').first();
    await kept;
    await page.locator('#sales_crm dd time[title$="Asia/Tokyo"]').first().waitFor();
    const iso = (await time.getAttribute('datetime')) ?? '';
    const inTokyo = new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().replace('T', ' ').slice(0, 16);
    expect(await time.textContent()).toBe(inTokyo);
    await page.goto(`${base}/account`);
    expect(await page.getByLabel('Times are shown in').inputValue()).toBe('Asia/Tokyo');
  });

  it('works by keyboard only', async () => {
    await page.locator('#vault summary', { hasText: 'Advanced' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('http://127.0.0.1:1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a-key');
    await page.keyboard.press('Enter');
    await page.locator('#vault').getByText('Not checked yet').waitFor();
  });

  it('fits a phone without horizontal scrolling, with every form open', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  it('has a label for every field, and no field that a browser would autofill', async () => {
    for (const summary of await page.locator('summary').all()) await summary.click();
    const fields = '.services input:not([type=hidden]), .services select';
    const labels = await page.evaluate(
      `[...new Set([...document.querySelectorAll('${fields}')].map((field) => field.labels.length))]`,
    );
    expect(labels).toEqual([1]);
    for (const key of await page.locator('input[name=access_token]').all()) {
      expect([await key.getAttribute('type'), await key.getAttribute('autocomplete')]).toEqual(['password', 'off']);
    }
  });
});
