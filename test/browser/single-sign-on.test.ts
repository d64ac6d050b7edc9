import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Assistant } from '#test/support/authorization/browser-assistant.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { openOidcServer } from '#test/support/oidc/oidc-server.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(`single sign-on in a real browser${reason}`, () => {
  let server: Awaited<ReturnType<typeof openOidcServer>>;
  let browser: Browser;
  let callback: LoopbackServer;
  beforeAll(async () => {
    callback = await serveOnLoopback((_, response) => void response.end('You can close this window.'));
    server = await openOidcServer({ OIDC_DOMAINS: 'example.com', OIDC_RIGHTS: 'team=vault' });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await callback.close();
  });

  it('leads from an assistant through the provider and consent to its first call (OIDC-003)', async () => {
    const page = await browser.newPage();
    server.provider.signsIn({ sub: 'grace', email: 'grace@example.com', email_verified: true, groups: ['team'] });
    const address = `${server.baseUrl}/message`;
    const assistant = new Assistant(`${callback.url}/callback`, page);
    const transport = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: assistant });
    const first = transport();
    await expect(new Client({ name: 'Astrolabe', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    await page.getByText('Astrolabe').first().waitFor();
    await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await page.getByRole('button', { name: 'Continue as me' }).click();
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    expect(await page.getByText('grace@example.com').count()).toBe(1);
    await page.getByRole('button', { name: /^Allow/ }).click();
    await page.waitForURL(`${callback.url}/callback?**`);
    await first.finishAuth(new URL(page.url()).searchParams.get('code') ?? '');
    const client = new Client({ name: 'Astrolabe', version: '1' });
    await client.connect(transport());
    expect(await client.callTool({ name: 'vault_vault_list', arguments: {} })).not.toHaveProperty('isError', true);
    await client.close();
    await page.close();
  });

  it('links an account by the page Account, signs in by it, and turns strangers away (ACCT-005, OIDC-015)', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    server.provider.signsIn({ sub: 'ada', email: 'ada@work.net', email_verified: true });
    await page.goto(`${server.baseUrl}/login`);
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.goto(`${server.baseUrl}/account`);
    await page.getByRole('button', { name: 'Link single sign-on' }).click();
    await page.getByRole('button', { name: 'Continue as me' }).click();
    await page.getByText('Single sign-on is linked').waitFor();
    expect(await page.getByText('ada@work.net').count()).toBe(1);
    await context.close();

    const stranger = await browser.newContext();
    const other = await stranger.newPage();
    server.provider.signsIn({ sub: 'eve', email: 'eve@evil.com', email_verified: true, groups: ['team'] });
    await other.goto(`${server.baseUrl}/login`);
    await other.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await other.getByRole('button', { name: 'Continue as me' }).click();
    await other.getByRole('heading', { name: 'Your account is not invited' }).waitFor();
    await stranger.close();
  });
});
