import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { formOf, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

/** What the vendor does with a revocation. */
let answers: 'accepts' | 'fails' | 'hangs up' | 'hangs';
const revoked: string[] = [];
let crm: SalesCrmEmulator;
let server: WholeServer;
let person: PlainBrowser;

/** The vendor's OAuth host: tokens as the emulator gives them, and an endpoint that revokes them. */
const host = createServer((request, response) => void answer(request, response));
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.url === '/oauth/token') {
    const { 'content-type': type = '', authorization = '' } = request.headers;
    const answer = await fetch(crm.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': type, authorization },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    return;
  }
  revoked.push(`${request.url} ${new URLSearchParams(body).get('token')}`);
  if (answers === 'hangs up') request.socket.destroy();
  if (answers === 'accepts' || answers === 'fails') response.writeHead(answers === 'accepts' ? 200 : 500).end('{}');
}

beforeAll(async () => {
  crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const address = host.address();
  const port = typeof address === 'object' ? address?.port : null;
  server = await startWholeServer({
    SALES_CRM_DIALECT: 'pipedrive',
    SALES_CRM_URL: crm.url,
    SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
    SALES_CRM_TOKEN_URL: `http://127.0.0.1:${port}/oauth/token`,
    SALES_CRM_CLIENT_ID: app.clientId,
    SALES_CRM_CLIENT_SECRET: app.clientSecret,
    WEBHOOK_REGISTRATION: 'off',
  });
  person = await server.signedIn();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await crm.close();
});
beforeEach(() => {
  revoked.length = 0;
});

const json = (method: string, path: string, body?: unknown) => sendJson(server, person, [method, path, body]);
async function connect(): Promise<string> {
  const begun = await person.get('/connect/sales_crm');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(asked.headers.get('location') ?? '');
  await person.get(`${back.pathname}${back.search}`);
  return crm.grants.everGiven.at(-1) ?? '';
}
const isConnected = async () =>
  JSON.stringify((await json('GET', '/api/connections')).body).includes('"service":"sales_crm"');

describe('disconnecting a service oneself', () => {
  it('revokes the tokens at the provider, as JSON and as a form (USER-034)', async () => {
    answers = 'accepts';
    const first = await connect();
    expect(await json('POST', '/disconnect', { service: 'sales_crm' })).toEqual({
      status: 200,
      body: { service: 'sales_crm', state: 'disconnected', revoked: true },
    });
    const second = await connect();
    const page = await (await person.get('/page')).text();
    const answer = await person.post('/disconnect', formOf(page, '/disconnect', 'sales_crm'));
    expect(answer.status).toBe(303);
    expect(revoked).toEqual([`/oauth/revoke ${first}`, `/oauth/revoke ${second}`]);
    expect(await isConnected()).toBe(false);
  });

  it.each(['fails', 'hangs up', 'hangs'] as const)(
    'deletes the tokens when the provider %s (USER-034)',
    async (how) => {
      answers = how;
      await connect();
      expect(await json('POST', '/disconnect', { service: 'sales_crm' })).toEqual({
        status: 200,
        body: { service: 'sales_crm', state: 'disconnected', revoked: false },
      });
      expect(revoked.length).toBeGreaterThan(0);
      expect(await isConnected()).toBe(false);
    },
  );
});
