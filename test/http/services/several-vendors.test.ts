import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allServices } from '#bootstrap/services.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startAcme } from '#test/examples/acme-crm/provider.ts';
import { salesCrmWithAcme } from '#test/examples/acme-crm/vendor.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import type { LoopbackServer } from '#test/support/network/loopback-server.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const acmeSecret = 'what Acme signs with';
const pipedriveSecret = 'hooks:a-long-password';

describe('a server of several vendors of one kind', () => {
  let pipedrive: SalesCrmEmulator;
  let acme: LoopbackServer;
  let server: WholeServer;
  let ada: PlainBrowser;
  let bob: PlainBrowser;

  beforeAll(async () => {
    pipedrive = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    acme = await startAcme();
    server = await startWholeServer(
      {
        SALES_CRM_DIALECT: 'pipedrive,acme',
        SALES_CRM_URL: pipedrive.url,
        SALES_CRM_WEBHOOK_SECRET: pipedriveSecret,
        SALES_CRM_ACME_URL: acme.url,
        SALES_CRM_ACME_WEBHOOK_SECRET: acmeSecret,
      },
      undefined,
      allServices.map((service) => (service.key === 'sales_crm' ? salesCrmWithAcme : service)),
    );
    ada = await server.signedIn();
    bob = await invited(server, ada, 'bob@example.com', { permissions: ['sales_crm', 'vault'] });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await pipedrive.close();
    await acme.close();
  });

  const save = (browser: PlainBrowser, token: string, extra: object) =>
    sendJson(server, browser, [
      'POST',
      '/save',
      { service: 'sales_crm', auth_method: 'personal_token', access_token: token, extra },
    ]);
  const call = async (browser: PlainBrowser, name: string, args: object) => {
    const params = { name, arguments: args };
    const { body } = await sendJson(server, browser, [
      'POST',
      '/message',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    ]);
    return body as { result: { isError?: boolean; structuredContent?: object; content: readonly { text: string }[] } };
  };
  const deliver = async (headers: Readonly<Record<string, string>>, body: string): Promise<number> => {
    const url = `${server.origin}/webhooks/sales_crm`;
    const sent = { 'content-type': 'application/json', ...headers };
    return (await fetch(url, { method: 'POST', headers: sent, body })).status;
  };
  const signedByAcme = (body: string) => {
    const publicUrl = server.origin.replace('127.0.0.1', 'localhost');
    const signed = `POST ${publicUrl}/webhooks/sales_crm\n${body}`;
    return { 'X-Acme-Signature': createHmac('sha256', acmeSecret).update(signed).digest('base64') };
  };
  const basic = { Authorization: `Basic ${Buffer.from(pipedriveSecret).toString('base64')}` };
  const notes = async () => {
    const folder = join(server.dataDir, 'vault', 'Deals');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };

  it('lets each person choose their vendor on the connections page (VEND-001, VEND-002)', async () => {
    const html = await (await ada.get('/page')).text();
    expect(html).toContain('Your account is with');
    expect(html).toMatch(
      /<option value="pipedrive"[^>]*>Pipedrive<\/option><option value="acme"[^>]*>Acme CRM<\/option>/,
    );
    expect(await save(ada, personalToken, { vendor: 'pipedrive' })).toMatchObject({ status: 200 });
    expect(await save(bob, 'the-token-of-bob', { vendor: 'acme' })).toMatchObject({ status: 200 });
    expect(await save(bob, 'x', { vendor: 'nobody' })).toMatchObject({ status: 400 });
    expect(await (await bob.get('/page')).text()).toContain('Sales CRM (Acme CRM)');
  });

  it('calls the same tool at the vendor of each person (VEND-002)', async () => {
    const made = await call(ada, 'sales_crm_deal_create', { title: 'Chair', value: 12 });
    expect(made.result.structuredContent).toMatchObject({ title: 'Chair' });
    expect(pipedrive.requests.at(-1)).toMatchObject({ method: 'POST' });
    expect((await call(bob, 'sales_crm_deal_get', { id: 7 })).result.structuredContent).toMatchObject({
      id: 7,
      title: 'Lamp',
      status: 'open',
    });
  });

  it('names the vendor in what it says, and which vendors lack a tool (VEND-005)', async () => {
    const lacking = await call(bob, 'sales_crm_leads_list', {});
    expect(lacking.result).toMatchObject({ isError: true });
    expect(lacking.result.content[0]?.text).toContain(
      'The Sales CRM (Acme CRM) behind this server has no such operation',
    );
    expect(lacking.result.content[0]?.text).toContain('Acme CRM has sales only.');
    const missing = await call(bob, 'sales_crm_deal_get', { id: 404 });
    expect(missing.result.content[0]?.text).toContain('The Sales CRM (Acme CRM) refused: no such sale.');
    const { body } = await sendJson(server, bob, ['GET', '/api/connections']);
    expect(body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ vendor: 'acme' })]) });
  });

  it('accepts the deliveries of each vendor by its own secret only (VEND-003)', async () => {
    const body = JSON.stringify({ what: 'changed', sale: { number: 7, subject: 'Lamp', worth: 90, open: false } });
    expect(await deliver({ 'X-Acme-Signature': 'x' }, body)).toBe(401);
    expect(await deliver({ Authorization: `Basic ${Buffer.from(acmeSecret).toString('base64')}` }, body)).toBe(401);
    expect(await deliver(signedByAcme(body), body)).toBe(200);
  });

  it('keeps records of two vendors apart that have the same id (VEND-004)', async () => {
    const data = {
      id: 7,
      title: 'Table',
      status: 'won',
      value: 30,
      currency: 'EUR',
      update_time: '2026-01-02T10:00:00Z',
    };
    const meta = { action: 'change', entity: 'deal', entity_id: '7', id: 'e-1', timestamp: '2026-01-02T10:00:00Z' };
    expect(await deliver(basic, JSON.stringify({ meta, data, previous: { status: 'open' } }))).toBe(200);
    await expect.poll(async () => (await notes()).length, { timeout: 20_000 }).toBe(2);
    const texts = (await notes()).sort();
    expect(
      texts.filter((text) => text.includes('sales_crm_deal_id: "7"') && text.includes('title: Table')),
    ).toHaveLength(1);
    expect(
      texts.filter((text) => text.includes('sales_crm_deal_id: acme/7') && text.includes('title: Lamp')),
    ).toHaveLength(1);
  });
});
