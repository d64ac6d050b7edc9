import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { takeSecret } from '#bootstrap/start/secret-fingerprint.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { formOf, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const former = 'the secret that the server had at first, long enough';
const current = 'the secret that the server has now, long enough too';

describe('connections whose tokens were encrypted with a lost secret', () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let browser: PlainBrowser;

  const restart = async (secrets: Readonly<Record<string, string>>) => {
    await server.stop();
    server = await startWholeServer({ SALES_CRM_URL: crm.url, ...secrets }, server.dataDir);
    browser = await server.signedIn();
  };
  const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);
  const connect = () =>
    json('POST', '/save', { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken });
  const logged = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('tokens of a connection cannot be decrypted'));

  beforeEach(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    server = await startWholeServer({ SALES_CRM_URL: crm.url, SECRET_KEY_BASE: former });
    browser = await server.signedIn();
    expect(await connect()).toMatchObject({ status: 200, body: { state: 'connected' } });
    await withStored(server.dataDir, ({ database }) => takeSecret(new DatabaseServerFacts(database), current));
    await restart({ SECRET_KEY_BASE: current });
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  it('are shown as to be reconnected, with the reason among the details, while the embedded vault works (CONN-020, CONN-029)', async () => {
    const page = await browser.get('/page');
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(
      /Sales CRM[\s\S]*?Connect again\.[\s\S]*?pill bad">Disconnected<[\s\S]*?<details>[\s\S]*?cannot be decrypted[\s\S]*?Signing/,
    );
    const listed = await json('GET', '/api/connections');
    expect(listed).toMatchObject({
      status: 200,
      body: {
        data: [
          { service: 'sales_crm', state: 'reconnect', reason: expect.stringContaining('SECRET_KEY_BASE_PREVIOUS') },
          { service: 'vault', state: 'connected', reason: null },
        ],
      },
    });
    expect(await json('GET', '/api/vault/commands/')).toMatchObject({ status: 200 });
  });

  it('cannot be called or tested: nothing is sent, and the caller is asked to reconnect (CONN-020)', async () => {
    const asked = crm.requests.length;
    const refused = { status: 502, body: { reason: 'unauthorized', detail: expect.stringContaining('/page') } };
    expect(await json('GET', '/api/sales_crm/deals')).toMatchObject(refused);
    const params = { name: 'sales_crm_deals_list', arguments: {} };
    const tool = await json('POST', '/message', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(JSON.stringify(tool.body)).toContain('Connect it again');
    expect(await json('POST', '/connections/sales_crm/test', {})).toMatchObject({
      status: 200,
      body: { state: 'reconnect', checked: false },
    });
    expect(crm.requests).toHaveLength(asked);
  });

  it('are logged once, however often they are read', async () => {
    for (let times = 0; times < 3; times += 1) {
      await json('GET', '/api/connections');
      await json('GET', '/api/sales_crm/deals');
    }
    const ofSalesCrm = logged().filter((line) => line.includes('"service":"sales_crm"'));
    expect(ofSalesCrm).toHaveLength(1);
    expect(ofSalesCrm[0]).not.toContain(personalToken);
  });

  it('work again once they are reconnected', async () => {
    expect(await connect()).toMatchObject({ status: 200, body: { state: 'connected' } });
    expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
  });

  it('can be disconnected', async () => {
    const form = formOf(await (await browser.get('/page')).text(), '/disconnect', 'sales_crm');
    expect((await browser.post('/disconnect', form)).status).toBe(303);
    expect(await json('GET', '/api/connections')).toMatchObject({ body: { data: [{ service: 'vault' }] } });
  });

  it('work again unchanged when the former secret is configured (SET-007)', async () => {
    await restart({ SECRET_KEY_BASE: current, SECRET_KEY_BASE_PREVIOUS: former });
    expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
    expect(logged()).toEqual([]);
  });
});
