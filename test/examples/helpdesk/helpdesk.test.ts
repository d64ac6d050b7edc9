import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireRequest } from '#adapters/services/requests/wire-request.ts';
import { allServices } from '#bootstrap/services.ts';
import { startHelpdesk } from '#test/examples/helpdesk/provider.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import type { LoopbackServer } from '#test/support/network/loopback-server.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

describe('a sixth service, defined by a folder and one line in the list', () => {
  let desk: LoopbackServer;
  let server: WholeServer;
  let browser: PlainBrowser;

  beforeAll(async () => {
    desk = await startHelpdesk();
    const settings = {
      HELP_DESK_URL: desk.url,
      HELP_DESK_CLIENT_ID: 'portolan',
      HELP_DESK_CLIENT_SECRET: 'app-secret',
      HELP_DESK_AUTHORIZE_URL: `${desk.url}/authorize`,
      HELP_DESK_TOKEN_URL: `${desk.url}/token`,
      HELP_DESK_WEBHOOK_SECRET: 'a webhook secret',
    };
    server = await startWholeServer(settings, undefined, [...allServices, helpdesk]);
    browser = await server.signedIn();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await desk.close();
  });

  const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);
  const rpc = (method: string, params: object) => json('POST', '/message', { jsonrpc: '2.0', id: 1, method, params });
  const deliver = (body: string, secret: string) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-help-desk-signature': signature };
    return fetch(`${server.origin}/webhooks/help_desk`, { method: 'POST', headers, body });
  };

  it('is on the connections page, and is connected by OAuth', async () => {
    expect(await (await browser.get('/page')).text()).toContain('Help desk');
    const begun = await browser.get('/connect/help_desk');
    const consent = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    const finished = await browser.get(`${back.pathname}${back.search}`);
    expect([finished.status, finished.headers.get('location')]).toEqual([303, '/page#help_desk']);
  });

  it('has its tools listed and called over MCP', async () => {
    const listed = JSON.stringify((await rpc('tools/list', {})).body);
    expect(listed).toContain('"help_desk_ticket_get"');
    expect(listed).toContain('"help_desk_ticket_create"');
    const called = await rpc('tools/call', { name: 'help_desk_ticket_get', arguments: { id: '7' } });
    expect(called.body).toMatchObject({ result: { structuredContent: { subject: 'The lamp is out' } } });
  });

  it('is searched with the other services (WORK-005)', async () => {
    const called = await rpc('tools/call', { name: 'workspace_search', arguments: { query: '7' } });
    const hit = { service: 'help_desk', kind: 'ticket', id: '7', title: 'The lamp is out', state: 'open' };
    expect(called.body).toMatchObject({ result: { structuredContent: { hits: [hit], unanswered: [] } } });
  });

  it('has validated REST routes', async () => {
    const opened = await json('POST', '/api/help_desk/tickets', { subject: 'It flickers' });
    expect(opened).toMatchObject({ status: 200, body: { data: { id: '8', subject: 'It flickers' } } });
    expect(await json('POST', '/api/help_desk/tickets', { subjct: 'x' })).toMatchObject({ status: 400 });
    expect(await json('GET', '/api/help_desk/tickets/9')).toMatchObject({ status: 404 });
  });

  it('is described in /openapi.json', async () => {
    expect((await json('GET', '/openapi.json')).body).toMatchObject({
      paths: { '/api/help_desk/tickets/{id}': { get: { summary: 'Gets a ticket' } } },
    });
  });

  it('turns a signed delivery into a note, by its own reaction only', async () => {
    const body = JSON.stringify({
      event: 'ticket.opened',
      at: 1_769_172_780_000,
      ticket: { id: '7', subject: 'Lamp' },
    });
    expect((await deliver(body, 'another secret')).status).toBe(401);
    expect((await deliver(body, 'a webhook secret')).status).toBe(200);
    const note = join(server.dataDir, 'vault', 'Tickets', 'Lamp.md');
    await expect
      .poll(() => readFile(note, 'utf8').catch(() => ''))
      .toMatch(/^---\nhelp_desk_ticket_id: "7"\ntitle: Lamp\n---\n[\s\S]*- 2026-01-23 12:53 UTC: opened/);
  });

  it('fetches the record of a delivery that carries its id only, and shows it in a dry run (REACT-015, INBOX-022)', async () => {
    const body = JSON.stringify({ event: 'ticket.opened', at: 1_769_172_790_000, ticket: { id: '7' } });
    expect((await deliver(body, 'a webhook secret')).status).toBe(200);
    const note = join(server.dataDir, 'vault', 'Tickets', 'Lamp.md');
    await expect.poll(() => readFile(note, 'utf8')).toContain('title: The lamp is out');

    const page = await (await browser.get('/deliveries/2')).text();
    const token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const tried = await browser.post('/deliveries/2/dry-run', { csrf_token: token });
    const text = await tried.text();
    expect(text).toContain('The event with its record, as fetched now');
    expect(text).toMatch(/subject(?:&quot;|"): (?:&quot;|")The lamp is out/);
  });
});

describe("a vendor's dialect", () => {
  it.each([
    [{ HELP_DESK_DIALECT: 'deskly' }, 'https://api.deskly.example/api/cases/7'],
    [{ HELP_DESK_URL: 'https://desk.example' }, 'https://desk.example/v1/tickets/7'],
  ])('overrides the rows that name it: %j', (env, url) => {
    const { operations, dialect } = helpdesk.configure(env).provider();
    const row = operations['tickets.get'];
    if (row?.kind !== 'request') throw new Error('There is no such row.');
    expect(wireRequest(row, { id: '7' }, dialect, tokenRecord('help_desk')).url).toBe(url);
  });
});
