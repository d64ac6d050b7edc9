import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { authorizePath, exchange, registered, vector } from '#test/support/authorization/auth-flow.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(`signing in with a real browser${reason}`, () => {
  let app: AuthApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let client: Server;
  let callback: string;
  let arrived: string[];
  let clientId: string;

  beforeAll(async () => {
    app = await openAuthApp();
    browser = await openChromium();
    client = createServer((request, response) => {
      if (request.url?.startsWith('/callback') === true) arrived.push(request.url);
      // Some clients send the browser on: `form-action` must not break that either.
      if (request.url?.startsWith('/callback') === true) response.writeHead(302, { location: '/done' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Connected</title>You may close this.');
    });
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = client.address();
    callback = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
    clientId = (await registered(app, { client_name: 'Sextant', redirect_uris: [callback] })).client_id;
  });

  afterAll(async () => {
    await browser.close();
    client.closeAllConnections();
    await new Promise((resolve) => client.close(resolve));
    await app[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    arrived = [];
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${app.baseUrl}${authorizePath(request())}`);
  });

  afterEach(async () => {
    await context.close();
  });

  const request = () => ({
    client_id: clientId,
    redirect_uri: callback,
    state: 'a&b c',
    code_challenge: vector.challenge,
    code_challenge_method: 'S256',
  });

  const consentPage = () => page.getByRole('heading', { name: 'Allow access?' });

  const signIn = async (password: string) => {
    await page.getByLabel('E-mail').fill(ada.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('signs in, allows access, and delivers the code to the local client', async () => {
    await signIn(ada.password);
    await consentPage().waitFor();
    const text = await page.getByRole('main').textContent();
    for (const shown of ['Sextant', new URL(callback).host, ada.email]) expect(text).toContain(shown);
    await page.getByRole('button', { name: 'Allow Access' }).click();
    await page.waitForURL('**/done');
    expect(await page.title()).toBe('Connected');
    const given = new URL(arrived[0] ?? '', callback).searchParams;
    expect(given.get('state')).toBe('a&b c');
    const code = given.get('code') ?? '';
    const answer = await exchange(app, {
      code,
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: vector.verifier,
    });
    expect(answer.status).toBe(200);
  });

  it('keeps the session in a cookie that scripts cannot read', async () => {
    await signIn(ada.password);
    await consentPage().waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === 'user');
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('shows a wrong password in an alert, keeps the e-mail, and continues from there', async () => {
    await signIn('wrong');
    expect(await page.getByRole('alert').textContent()).toBe('The e-mail or the password is wrong.');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(ada.email);
    await page.locator('#password:focus').waitFor();
    await signIn(ada.password);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
  });

  it('reports a denial to the client', async () => {
    await signIn(ada.password);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL('**/done');
    expect(arrived).toEqual(['/callback?error=access_denied&state=a%26b+c']);
  });

  it('grants the app what was chosen, also without a script, as the token says (PAGE-002)', async () => {
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    page = await plain.newPage();
    await page.goto(`${app.baseUrl}${authorizePath(request())}`);
    await signIn(ada.password);
    const vault = page.getByRole('group', { name: 'Vault' });
    expect(await vault.getByLabel('Read and change').isChecked()).toBe(true);
    await vault.getByLabel('Off').check();
    await page.getByRole('button', { name: 'Allow Access' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Choose at least one service, or deny.');
    expect(await vault.getByLabel('Off').isChecked()).toBe(true);
    expect(arrived).toEqual([]);
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    expect(await vault.getByLabel('Read', { exact: true }).isChecked()).toBe(true);
    expect(arrived).toEqual([]);
    await page.getByRole('button', { name: 'Allow Access' }).click();
    await page.waitForURL('**/done');
    const code = new URL(arrived[0] ?? '', callback).searchParams.get('code') ?? '';
    const answer = await exchange(app, {
      code,
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: vector.verifier,
    });
    expect(await answer.json()).toMatchObject({
      scope: 'sales_crm:read signing:read suite_crm:read tracker:read vault:read',
    });
  });

  it('works by keyboard only', async () => {
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(ada.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ada.password);
    await page.keyboard.press('Enter');
    await consentPage().waitFor();
    // Past the way home and the buttons for all services, to the first choice.
    for (let stop = 0; stop < 5; stop += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/done');
    expect(arrived[0]).toContain('code=code_');
  });

  it('ends from the home page', async () => {
    await signIn(ada.password);
    await consentPage().waitFor();
    await page.goto(`${app.baseUrl}/floki/index`);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    const answer = await page.goto(`${app.baseUrl}/page`);
    expect(answer?.status()).toBe(401);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/login');
  });

  it('is refused in a frame of another page (AUTH-017)', async () => {
    const refused = page.waitForEvent('console', { predicate: isAboutFrames, timeout: 60_000 });
    await page.goto(new URL('/done', callback).href);
    await page.setContent(`<iframe src="${app.baseUrl}/login"></iframe>`);
    expect((await refused).text()).toContain("frame-ancestors 'none'");
    await expect(page.frameLocator('iframe').getByLabel('Password').count()).resolves.toBe(0);
  });

  it('fits a phone without horizontal scrolling', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of [authorizePath(request()), '/login', '/nowhere']) {
      await page.goto(`${app.baseUrl}${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    }
  });
});

function isAboutFrames(message: ConsoleMessage): boolean {
  return message.text().includes('frame-ancestors');
}
