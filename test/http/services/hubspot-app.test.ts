import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubSpotEmulator, privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { hubspotApp } from '#test/emulators/hubspot/oauth.ts';
import { signedHeaders } from '#test/emulators/hubspot/webhooks.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';
import { metricsToken, notesOf, settled } from '#test/support/webhooks/webhook-server.ts';

let hubspot: HubSpotEmulator;
let server: WholeServer;
let browser: PlainBrowser;

async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
  hubspot = await startHubSpotEmulator();
  server = await startWholeServer({
    RATE_LIMITS: 'off',
    METRICS_TOKEN: metricsToken,
    SALES_CRM_DIALECT: 'hubspot',
    SALES_CRM_URL: hubspot.url,
    SALES_CRM_AUTHORIZE_URL: hubspot.authorizeUrl,
    SALES_CRM_CLIENT_ID: hubspotApp.clientId,
    SALES_CRM_CLIENT_SECRET: hubspotApp.clientSecret,
    ...more,
  });
  browser = await server.signedIn();
}

beforeEach(() => start());
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await hubspot.close();
});

const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);

/** Authorizes the app, as a person does in a browser. */
async function connect(): Promise<void> {
  const begun = await browser.get('/connect/sales_crm');
  const asked = new URL(begun.headers.get('location') ?? '');
  expect(asked.searchParams.get('scope')?.split(' ')).toContain('crm.objects.deals.write');
  const optional = asked.searchParams.get('optional_scope')?.split(' ');
  expect(optional).toEqual(expect.arrayContaining(['crm.objects.leads.read', 'crm.schemas.deals.write']));
  const consent = await fetch(asked, { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  const done = await browser.get(`${back.pathname}${back.search}`);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/page#sales_crm']);
}

/** The address that the app’s developer enters: here the server’s own, which is signed. */
const target = () => `http://localhost:${new URL(server.origin).port}/webhooks/sales_crm`;

describe('HubSpot, with a whole server', () => {
  it('is connected by OAuth, knows its user, and renews an access token that has expired', async () => {
    await connect();
    expect(await json('GET', '/api/sales_crm/users/me')).toMatchObject({
      status: 200,
      body: { data: { id: 21, name: 'Ann Admin' } },
    });
    hubspot.grants.expireTokens();
    const calls = await Promise.all([1, 2, 3].map(() => json('GET', '/api/sales_crm/users/me')));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(hubspot.grants.given).toEqual({ exchanges: 1, renewals: 1 });
  });

  it('asks to connect again once the app was removed, in the vendor’s name', async () => {
    await connect();
    hubspot.grants.revoke();
    const { status, body } = await json('GET', '/api/sales_crm/users/me');
    expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining('HubSpot')]);
    const { body: list } = await json('GET', '/api/connections');
    expect(JSON.stringify(list)).toContain('"reconnect"');
  });

  it('is connected by the token of a private app, whose account it learns', async () => {
    const key = { service: 'sales_crm', auth_method: 'personal_token', access_token: privateAppToken };
    expect(await json('POST', '/save', key)).toEqual({
      status: 200,
      body: { service: 'sales_crm', state: 'connected', checked: true },
    });
    expect(await json('POST', '/save', { ...key, access_token: 'pat-wrong' })).toMatchObject({ status: 422 });
    const deal = await json('POST', '/api/sales_crm/deals', { title: 'Acme' });
    expect(deal.status).toBe(200);
    expect(await json('GET', '/api/sales_crm/users/me')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('Connect by OAuth') },
    });
  });

  it('turns the changes of a deal into its note, with the fields that it has then (HUBSPOT-009)', async () => {
    await connect();
    const acme = hubspot.store.create('companies', { name: 'Acme' });
    const deal = hubspot.store.create('deals', {
      dealname: 'Acme: 20 licences',
      amount: '1200',
      dealstage: 'contractsent',
      pipeline: 'default',
    });
    hubspot.store.associate(deal, acme, [5]);
    hubspot.webhooks.take();
    hubspot.webhooks.target(target());
    hubspot.store.update(deal, { dealstage: 'closedwon', amount: '1300' });
    const events = hubspot.webhooks.take();
    expect(events).toHaveLength(2);
    await hubspot.webhooks.deliver(events);
    await settled(server.origin);
    expect(hubspot.webhooks.answered).toEqual([200]);
    const note =
      (await notesOf(server.dataDir))['Deals/Acme 20 licences.md'] ??
      JSON.stringify(Object.keys(await notesOf(server.dataDir)));
    expect(note).toContain(`sales_crm_deal_id: "${deal.id}"`);
    expect(note).toMatch(/^status: "?won"?$/m);
    expect(note).toMatch(/^value: 1300$/m);
    expect(note.match(/\^evt-/g)).toHaveLength(1);
    // Delivered again, as after a lost answer: the attempt has another number, and nothing is done twice.
    await hubspot.webhooks.deliver(events.map((event) => ({ ...event, attemptNumber: 1 })));
    await settled(server.origin);
    expect((await notesOf(server.dataDir))['Deals/Acme 20 licences.md']).toBe(note);
  });

  it('writes no note for a deal that is gone by the time it is read (HUBSPOT-009)', async () => {
    await connect();
    const deal = hubspot.store.create('deals', { dealname: 'Gone', dealstage: 'contractsent', pipeline: 'default' });
    hubspot.webhooks.take();
    hubspot.webhooks.target(target());
    hubspot.store.update(deal, { amount: '1' });
    const events = hubspot.webhooks.take();
    hubspot.store.remove(deal);
    await hubspot.webhooks.deliver(events);
    await settled(server.origin);
    expect(hubspot.webhooks.answered).toEqual([200]);
    expect(Object.keys(await notesOf(server.dataDir)).filter((path) => path.startsWith('Deals/'))).toEqual([]);
  });

  it('heeds only the events of its accounts, where these are set (HUBSPOT-010)', async () => {
    await server[Symbol.asyncDispose]();
    await hubspot.close();
    await start({ SALES_CRM_ACCOUNT_IDS: '1,2' });
    await connect();
    const deal = hubspot.store.create('deals', { dealname: 'Other', dealstage: 'contractsent', pipeline: 'default' });
    hubspot.webhooks.take();
    hubspot.webhooks.target(target());
    hubspot.store.update(deal, { amount: '1' });
    await hubspot.webhooks.deliver();
    await settled(server.origin);
    expect(hubspot.webhooks.answered).toEqual([200]);
    expect(Object.keys(await notesOf(server.dataDir)).filter((path) => path.startsWith('Deals/'))).toEqual([]);
  });

  it('accepts no delivery that HubSpot did not sign for this address now (HUBSPOT-008)', async () => {
    const body = JSON.stringify([
      { eventId: 1, subscriptionType: 'deal.creation', objectId: 7, occurredAt: Date.now() },
    ]);
    const send = async (headers: Readonly<Record<string, string>>, sent = body) => {
      const response = await fetch(target(), { method: 'POST', headers, body: sent });
      await response.body?.cancel();
      return response.status;
    };
    const url = target();
    const good = signedHeaders({ url, body });
    expect(await send(good)).toBe(200);
    const { 'x-hubspot-signature-v3': signature = '', ...unsigned } = good;
    const { 'x-hubspot-request-timestamp': at = '', ...undated } = good;
    for (const headers of [
      unsigned,
      undated,
      signedHeaders({ url, body, method: 'PUT' }),
      signedHeaders({ url: `${url}/`, body }),
      signedHeaders({ url: 'https://portolan.example/webhooks/sales_crm', body }),
      signedHeaders({ url, body, secret: 'another' }),
      signedHeaders({ url, body, at: Date.now() - 301_000 }),
      signedHeaders({ url, body, at: Date.now() + 301_000 }),
      { ...good, 'x-hubspot-request-timestamp': String(Number(at) + 1) },
      { ...good, 'x-hubspot-signature-v3': `${signature}, ${signature}` },
    ]) {
      expect([headers, await send(headers)]).toEqual([headers, 401]);
    }
    expect(await send(good, body.replace('7', '8'))).toBe(401);
  });
});
