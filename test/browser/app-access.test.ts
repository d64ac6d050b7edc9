import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizePath, exchange, registered } from '#test/support/authorization/auth-flow.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { adminPassword, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
const isTooWide = 'document.documentElement.scrollWidth > innerWidth';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';
const redirectUri = 'http://127.0.0.1:8123/callback';

describe.skipIf(chromiumPath === null)(
  `an app’s access in a real browser${reason}`,
  () => {
    let server: WholeServer;
    let browser: Browser;
    let base: string;
    let clientId: string;
    let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

    beforeAll(async () => {
      server = await startWholeServer({ OAUTH_METADATA: 'on' });
      base = server.origin.replace('127.0.0.1', 'localhost');
      const client = await registered(server, { client_name: 'Sextant', redirect_uris: [redirectUri] });
      clientId = client.client_id;
      browser = await openChromium();
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${base}/login`);
      await page.getByLabel('E-mail').fill('admin@localhost');
      await page.getByLabel('Password').fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/floki/index');
      cookies = await context.cookies();
      await context.close();
    }, 120_000);
    afterAll(async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
    });

    const consentAt = (scope: string) =>
      `${base}${authorizePath({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope })}`;
    const opened = async (options: Parameters<Browser['newContext']>[0]) => {
      const context = await browser.newContext(options);
      await context.addCookies(cookies);
      return context;
    };
    const service = (page: Page, name: string | RegExp) => page.getByRole('group', { name });

    it('is chosen by service on the consent page, and changed at /apps, without a script (PAGE-031, PAGE-032)', async () => {
      const context = await opened({ javaScriptEnabled: false });
      await context.route(`${redirectUri}**`, (route) => route.fulfill({ body: 'Connected' }));
      const page = await context.newPage();
      await page.goto(consentAt('tracker:read vault'));
      const tracker = service(page, /^Tracker.*asks to read$/);
      expect(await tracker.getByLabel('Read', { exact: true }).isChecked()).toBe(true);
      expect(
        await service(page, /^Vault.*asks to read and change$/)
          .getByLabel('Read and change')
          .isChecked(),
      ).toBe(true);
      const signing = service(page, /^Contract signing.*not asked for$|^Signing.*not asked for$/);
      expect(await signing.getByLabel('Off').isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Off', exact: true }).click();
      expect(await tracker.getByLabel('Off').isChecked()).toBe(true);
      await service(page, /^Vault/)
        .getByLabel('Read and change')
        .check();
      await tracker.getByLabel('Read', { exact: true }).check();
      await page.getByRole('button', { name: 'Allow Access' }).click();
      await page.waitForURL(`${redirectUri}**`);
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const answer = await exchange(server, { code, client_id: clientId, redirect_uri: redirectUri });
      expect(await answer.json()).toMatchObject({ scope: 'tracker:read vault' });

      await page.goto(`${base}/apps`);
      await page.getByRole('link', { name: 'Services and tools of Sextant' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sextant' }).waitFor();
      await service(page, /^Vault/)
        .getByLabel('Read', { exact: true })
        .check();
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      expect(
        await service(page, /^Vault/)
          .getByLabel('Read', { exact: true })
          .isChecked(),
      ).toBe(true);
      const fold = page.locator('#tools-vault');
      await fold.locator('summary').first().click();
      await fold.getByLabel('Reads a note', { exact: true }).uncheck();
      await fold.getByRole('button', { name: /^Save the tools/ }).click();
      expect(await fold.locator('summary').first().textContent()).toContain('1 switched off');
      await page.goto(`${base}/apps`);
      const row = page.getByRole('row', { name: /Sextant/ });
      expect(await row.textContent()).toMatch(/Read-only.*1 switched off/s);
      await context.close();
    });

    it.each([
      ['light', 1280, 1],
      ['dark', 390, 1],
      ['light', 640, 2],
      ['dark', 1280, 1],
      ['light', 390, 1],
    ] as const)(
      'has no fault that axe finds, and fits: in %s, %i px wide, at %i dots per px (PAGE-010, PAGE-031)',
      async (colorScheme, width, deviceScaleFactor) => {
        const viewport = { width, height: 844 };
        const context = await opened({ colorScheme, viewport, deviceScaleFactor, bypassCSP: true });
        const page = await context.newPage();
        await page.goto(consentAt('tracker:read vault'));
        const look = async () => {
          await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true;');
          await page.evaluate(axe);
          expect(await page.evaluate(violations)).toEqual([]);
          expect(await page.evaluate(isTooWide)).toBe(false);
        };
        await look();
        await page.getByRole('button', { name: 'Off', exact: true }).click();
        await page.getByRole('button', { name: 'Allow Access' }).click();
        expect(await page.getByRole('alert').textContent()).toBe('Choose at least one service, or deny.');
        await look();
        await page.goto(`${base}/account#tokens`);
        await look();
        await context.close();
      },
    );
  },
  120_000,
);
