import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const password = 'what-signs-deliveries-in';
const clientSecret = 'the-secret-of-the-app';

describe('an app that may use the sales CRM', () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let token: string;

  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
    server = await startWholeServer({
      SALES_CRM_DIALECT: 'pipedrive',
      SALES_CRM_URL: crm.url,
      SALES_CRM_WEBHOOK_SECRET: `portolan:${password}`,
      WEBHOOK_REGISTRATION: 'off',
    });
    const browser = await server.signedIn();
    const saved = { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken, extra: {} };
    expect(await sendJson(server, browser, ['POST', '/save', saved])).toMatchObject({ status: 200 });
    token = await grantToken(server.origin, browser, { name: 'A curious app' });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  it('cannot read a webhook secret from any answer about webhooks (OP-017)', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${server.origin}/api/sales_crm${path}`, { method, headers, ...sent });
      return { status: response.status, text: await response.text() };
    };
    const made = await call('POST', '/webhooks', {
      subscription_url: 'https://portolan.example/webhooks/sales_crm',
      event_action: 'updated',
      event_object: 'deal',
      http_auth_user: 'portolan',
      http_auth_password: password,
    });
    const listed = await call('GET', '/webhooks');
    const removed = await call('DELETE', '/webhooks/1');
    expect(listed.text).toContain('https://portolan.example/webhooks/sales_crm');
    for (const { status, text } of [made, listed, removed]) {
      expect(status).toBe(200);
      expect(text).not.toContain(password);
    }
  });
});

describe('a provider that issues no tokens', () => {
  let provider: LoopbackServer;
  let server: WholeServer;
  let browser: PlainBrowser;
  let sent: string;

  /** It repeats all that it was sent, and adds what a page, a log or a terminal could take for its own. */
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://provider');
    if (url.pathname === '/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'the-code-of-the-provider');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    sent = (await buffer(request)).toString();
    const said = `<script>alert(1)</script>\u001b[2J\u202e\n{"level":"error","msg":"forged"} ${sent} ${clientSecret}`;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'invalid_client', error_description: said }));
  };

  beforeAll(async () => {
    provider = await serveOnLoopback((request, response) => void answer(request, response));
    server = await startWholeServer({
      SALES_CRM_URL: provider.url,
      SALES_CRM_AUTHORIZE_URL: `${provider.url}/authorize`,
      SALES_CRM_TOKEN_URL: `${provider.url}/token`,
      SALES_CRM_CLIENT_ID: 'the-app',
      SALES_CRM_CLIENT_SECRET: clientSecret,
      WEBHOOK_REGISTRATION: 'off',
    });
    browser = await server.signedIn();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider.close();
  });

  it('is quoted without adding markup to the page, a line to the log, or a secret to either (CONN-008, CONN-023)', async () => {
    const begun = await browser.get('/connect/sales_crm');
    const consent = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    const page = await (await browser.get(`${back.pathname}${back.search}`)).text();
    expect(sent).toContain(clientSecret);
    expect(page).toContain('It said: &quot;invalid_client: &lt;script&gt;');
    expect(page).not.toContain('<script>alert');
    const lines = server
      .log()
      .split('\n')
      .filter((line) => line.includes('Service not connected'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'sales_crm', msg: 'Service not connected' });
    expect(server.log()).not.toMatch(/^\{"level":"error","msg":"forged"/m);
    for (const text of [page, server.log()]) {
      for (const secret of [clientSecret, 'the-code-of-the-provider', '\u001b', '\u202e'])
        expect(text).not.toContain(secret);
    }
  });
});
