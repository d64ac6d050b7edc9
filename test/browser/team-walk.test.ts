import { createHmac } from 'node:crypto';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { Assistant } from '#test/support/authorization/browser-assistant.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { startReceiver } from '#test/support/notifications/receivers.ts';
import { adminPassword, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';
const webhookSecret = 'hooks:of-the-team';
const reaction = (once: string) => `---
reaction: on
when: sales_crm.added.deal
note: Log.md
once: "${once}"
---
- {{ deal.title }}
`;

describe.skipIf(chromiumPath === null)(`a team in a real browser${reason}`, () => {
  let crm: SalesCrmEmulator;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let folder: string;
  let server: WholeServer;
  let base: string;
  let browser: Browser;
  let callback: LoopbackServer;
  let admin: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-team-'));
    await mkdir(join(folder, 'vault', 'Reactions'), { recursive: true });
    // Its key is empty: it fails on every deal.
    await writeFile(join(folder, 'vault', 'Reactions', 'Log.md'), reaction('{% if deal.id == 0 %}x{% endif %}'));
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    receiver = await startReceiver();
    callback = await serveOnLoopback((_, response) => void response.end('You can close this window.'));
    const settings = {
      SALES_CRM_URL: crm.url,
      SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_TOKEN_URL: crm.tokenUrl,
      SALES_CRM_CLIENT_ID: app.clientId,
      SALES_CRM_CLIENT_SECRET: app.clientSecret,
      SALES_CRM_WEBHOOK_SECRET: webhookSecret,
      WEBHOOK_REGISTRATION: 'off',
      NOTIFY_URL: receiver.url,
      NOTIFY_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    };
    server = await startWholeServer(settings, folder);
    base = server.origin.replace('127.0.0.1', 'localhost');
    browser = await openChromium();
    admin = await browser.newPage();
    await admin.goto(`${base}/login`);
    await admin.getByLabel('E-mail').fill('admin@localhost');
    await admin.getByLabel('Password').fill(adminPassword);
    await admin.getByRole('button', { name: 'Sign in' }).click();
    await admin.waitForURL('**/floki/index');
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await Promise.all([callback.close(), receiver.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const posted = (kind: string) =>
    receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === kind);
  const isThere = (path: string) =>
    access(join(folder, 'vault', path)).then(
      () => true,
      () => false,
    );

  it('somebody is invited, accepts, connects, works with an assistant, takes a change back, and leaves (USER-020, USER-027, PAGE-023)', async () => {
    // The administrator invites them, and sends them the link.
    await admin.goto(`${base}/users`);
    await admin.getByLabel('E-mails, one in each line').fill('bea@example.com');
    for (const service of ['sales_crm', 'vault']) await admin.locator(`#new-${service}`).check();
    await admin.getByRole('button', { name: 'Invite', exact: true }).click();
    await admin.getByRole('heading', { name: 'One person was invited' }).waitFor();
    const link = (await admin.locator('.copy code').first().textContent()) ?? '';
    await expect.poll(() => posted('user.invited').length, { timeout: 30_000 }).toBe(1);

    // They accept it, and are signed in.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByLabel('New password').fill('the password of Bea');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL('**/floki/index');

    // They connect a service and an assistant.
    await page.goto(`${base}/page`);
    await page.getByRole('link', { name: 'Connect: Sales CRM' }).click();
    await page.waitForURL('**/page#sales_crm');
    expect(await page.locator('#sales_crm .pill').first().textContent()).toBe('Connected');
    const assistant = new Assistant(`${callback.url}/callback`, page);
    const transport = () => new StreamableHTTPClientTransport(new URL(`${base}/message`), { authProvider: assistant });
    const first = transport();
    await expect(new Client({ name: 'Sextant', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    await page.getByRole('button', { name: /^Allow/ }).click();
    await page.waitForURL(`${callback.url}/callback?**`);
    await first.finishAuth(new URL(page.url()).searchParams.get('code') ?? '');
    const client = new Client({ name: 'Sextant', version: '1' });
    await client.connect(transport());
    const call = { name: 'vault_note_write', arguments: { path: 'Of Bea.md', content: 'Text' } };
    expect(await client.callTool(call)).not.toHaveProperty('isError', true);
    expect(await isThere('Of Bea.md')).toBe(true);

    // They find it under Activity, and take it back.
    const change = page.locator('a[href^="/activity/change"]').first();
    await expect
      .poll(
        async () => {
          await page.goto(`${base}/activity`);
          return change.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await change.click();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Taken back').first().waitFor();
    expect(await isThere('Of Bea.md')).toBe(false);

    // They leave: the administrator deactivates them, and nothing of theirs works from then on.
    await admin.goto(`${base}/users`);
    await admin.getByRole('link', { name: 'bea@example.com' }).first().click();
    await admin
      .getByRole('link', { name: /^Deactivate/ })
      .first()
      .click();
    await admin.getByText('revoked at the provider').first().waitFor();
    await admin.getByRole('button', { name: /^Deactivate/ }).click();
    await admin.getByText('1 connection removed').waitFor();
    expect((await page.goto(`${base}/page`))?.status()).toBe(401);
    await expect(client.callTool(call)).rejects.toThrow();
    await client.close();
    await context.close();
  });

  it('an automation that fails is seen, notified of and mended (PAGE-030, NOTIFY-002)', async () => {
    const meta = { id: 7, timestamp: Math.floor(Date.now() / 1000) };
    const body = JSON.stringify({ event: 'added.deal', meta, current: { id: 7, title: 'Acme' } });
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-salescrm-signature': signature };
    const answer = await fetch(`${server.origin}/webhooks/sales_crm`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);

    // It is notified of, with a link, and Home says so.
    await expect.poll(() => posted('reaction.failed').length, { timeout: 60_000 }).toBe(1);
    const { url } = posted('reaction.failed')[0].data;
    await expect
      .poll(
        async () => {
          await admin.goto(`${base}/floki/index`);
          return admin.getByRole('heading', { name: 'Needs your attention' }).count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await admin.goto(String(url).replace('127.0.0.1', 'localhost'));
    const row = admin.locator('#reactions + table tr').filter({ hasText: 'Log' });
    expect(await row.textContent()).toContain('Failed');
    expect(await isThere('Log.md')).toBe(false);

    // It is mended, and the delivery replayed.
    await writeFile(join(folder, 'vault', 'Reactions', 'Log.md'), reaction('{{ deal.id }}'));
    const address = admin.url();
    await expect
      .poll(
        async () => {
          await admin.goto(address);
          const replay = admin.getByRole('button', { name: 'Replay' });
          if ((await replay.count()) > 0) await replay.click();
          await admin.goto(address);
          return row.textContent();
        },
        { timeout: 90_000, interval: 1_000 },
      )
      .toContain('Done');
    expect(await isThere('Log.md')).toBe(true);
    await expect
      .poll(
        async () => {
          await admin.goto(`${base}/floki/index`);
          return admin.getByRole('heading', { name: 'Needs your attention' }).count();
        },
        { timeout: 60_000 },
      )
      .toBe(0);
  });
});
