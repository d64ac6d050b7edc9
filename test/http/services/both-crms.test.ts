import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { hubspotApp } from '#test/emulators/hubspot/oauth.ts';
import { credentials, type JiraEmulator, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { allowReaction } from '#test/support/changes/decision-form.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';
import { notesOf } from '#test/support/webhooks/webhook-server.ts';

const won = `---
reaction: on
when: sales_crm.updated.deal
if: deal.status == "won" and previous.status != "won"
once: "{{ deal.id }}"
do:
  - tracker.issues.create: { team: ENG, title: "Onboard {{ deal.title }}" }
---
`;

describe('two people with two CRMs, and Jira', () => {
  let pipedrive: SalesCrmEmulator;
  let hubspot: HubSpotEmulator;
  let jira: JiraEmulator;
  let server: WholeServer;
  let ada: PlainBrowser;
  let bob: PlainBrowser;

  beforeAll(async () => {
    pipedrive = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    hubspot = await startHubSpotEmulator();
    jira = await startJiraEmulator();
    server = await startWholeServer({
      RATE_LIMITS: 'off',
      SALES_CRM_DIALECT: 'pipedrive,hubspot',
      SALES_CRM_URL: pipedrive.url,
      SALES_CRM_WEBHOOK_SECRET: 'hooks:a-long-password',
      SALES_CRM_HUBSPOT_URL: hubspot.url,
      SALES_CRM_HUBSPOT_CLIENT_ID: hubspotApp.clientId,
      SALES_CRM_HUBSPOT_CLIENT_SECRET: hubspotApp.clientSecret,
      TRACKER_DIALECT: 'jira',
      TRACKER_URL: jira.url,
    });
    ada = await server.signedIn();
    bob = await invited(server, ada, 'bob@example.com', { permissions: ['sales_crm', 'tracker', 'vault'] });
    await mkdir(join(server.dataDir, 'vault', 'Reactions'), { recursive: true });
    await writeFile(join(server.dataDir, 'vault', 'Reactions', 'won.md'), won);
    const save = (browser: PlainBrowser, service: string, token: string, extra: object) =>
      sendJson(server, browser, [
        'POST',
        '/save',
        { service, auth_method: 'personal_token', access_token: token, extra },
      ]);
    expect(await save(ada, 'sales_crm', personalToken, { vendor: 'pipedrive' })).toMatchObject({ status: 200 });
    expect(await save(bob, 'sales_crm', privateAppToken, { vendor: 'hubspot' })).toMatchObject({ status: 200 });
    const site = { site: credentials.site };
    expect(await save(ada, 'tracker', credentials.apiToken, site)).toMatchObject({ status: 200 });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await Promise.all([pipedrive.close(), hubspot.close(), jira.close()]);
  });

  const issues = () => JSON.stringify([...jira.site.issues.values()]);
  const reactionIsRead = () =>
    expect
      .poll(async () => (await notesOf(server.dataDir))['Reactions/won.md'], { timeout: 40_000 })
      .toContain('reaction_status: ok');

  it('open an issue when a deal is won at HubSpot, over the connection of the one who has it (VEND-004)', async () => {
    await reactionIsRead();
    const pages = { get: async (path: string) => (await ada.get(path)).text(), post: ada.post.bind(ada) };
    expect(await allowReaction('Reactions/won.md', pages)).toBe(303);
    const deal = hubspot.store.create('deals', {
      dealname: 'Twenty chairs',
      amount: '1200',
      dealstage: 'contractsent',
      pipeline: 'default',
    });
    hubspot.webhooks.take();
    hubspot.webhooks.target(`${server.origin.replace('127.0.0.1', 'localhost')}/webhooks/sales_crm`);
    hubspot.store.update(deal, { dealstage: 'closedwon' });
    await hubspot.webhooks.deliver(hubspot.webhooks.take());
    expect(hubspot.webhooks.answered).toEqual([200]);
    await expect
      .poll(async () => (await notesOf(server.dataDir))['Deals/Twenty chairs.md'], { timeout: 20_000 })
      .toContain(`sales_crm_deal_id: hubspot/${deal.id}`);
    await expect.poll(issues, { timeout: 20_000 }).toContain('Onboard Twenty chairs');
  });

  it('and another when one is won at Pipedrive', async () => {
    const data = { id: 7, title: 'Ten tables', status: 'won', value: 30, update_time: '2026-01-02T10:00:00Z' };
    const meta = { action: 'change', entity: 'deal', entity_id: '7', id: 'e-1', timestamp: '2026-01-02T10:00:00Z' };
    const delivered = await fetch(`${server.origin}/webhooks/sales_crm`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('hooks:a-long-password').toString('base64')}`,
      },
      body: JSON.stringify({ meta, data, previous: { status: 'open' } }),
    });
    expect(delivered.status).toBe(200);
    await expect.poll(issues, { timeout: 20_000 }).toContain('Onboard Ten tables');
    expect((await notesOf(server.dataDir))['Deals/Ten tables.md']).toContain('sales_crm_deal_id: "7"');
  });
});
