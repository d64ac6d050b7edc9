import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { connect } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookRoutes } from '#adapters/http/webhooks/webhook-routes.ts';
import { openAuthApp } from '#test/support/authorization/auth-app.ts';
import { webhookServiceKeys } from '#test/support/services/five-services.ts';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { issuePayload, sign } from '#test/support/webhooks/webhook-tracker.ts';

const baseUrl = 'https://portolan.example/behind';

let harness: ReturnType<typeof webhookHarness>;
let server: Server;
let base: string;

beforeEach(async () => {
  harness = webhookHarness();
  const router = new Router();
  for (const { path, run } of webhookRoutes(harness.receive, webhookServiceKeys, { baseUrl }))
    router.post(path, async (ctx) => run(ctx));
  server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  base = `http://127.0.0.1:${address.port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const entries = async () => (await harness.inbox.list({ limit: 100 })).length;
const fresh = JSON.stringify(issuePayload(startAt));

function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, service = 'tracker') {
  const own = { 'Content-Type': 'application/json', 'Tracker-Delivery': '9b8c', 'Tracker-Signature': sign(body) };
  return fetch(`${base}/webhooks/${service}`, { method: 'POST', body, headers: { ...own, ...headers } });
}

describe('POST /webhooks/tracker', () => {
  it('keeps a signed delivery and answers 200 {"received":true} (PUB-001, HOOK-023)', async () => {
    const response = await send(fresh);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ received: true });
    expect(await harness.inbox.list({ limit: 2 })).toMatchObject([
      {
        service: 'tracker',
        deliveryId: expect.stringMatching(/^9b8c\.[0-9a-f]{32}$/),
        event: 'issue.create',
        calls: 'vault',
        state: 'pending',
      },
    ]);
    expect(harness.wakes.count).toBe(1);
  });

  it('answers a repeated delivery 200 and keeps it once (HOOK-010)', async () => {
    await send(fresh);
    const again = await send(fresh);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ received: true });
    expect(await entries()).toBe(1);
    expect(harness.wakes.count).toBe(1);
  });

  it('identifies a delivery without an id by its body (HOOK-010)', async () => {
    await send(fresh, { 'Tracker-Delivery': '' });
    await send(fresh, { 'Tracker-Delivery': '' });
    expect(await harness.inbox.list({ limit: 2 })).toMatchObject([
      { deliveryId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
  });

  it('accepts a signature in capital letters', async () => {
    expect((await send(fresh, { 'Tracker-Signature': sign(fresh).toUpperCase() })).status).toBe(200);
  });

  it('verifies the bytes as received, not as they would be serialized again (HOOK-002)', async () => {
    const spaced = `${JSON.stringify(issuePayload(startAt), null, 3)}\n`;
    expect((await send(spaced)).status).toBe(200);
  });

  it('accepts a delivery that is 60 s old, and one that is 60 s ahead (HOOK-007)', async () => {
    expect((await send(JSON.stringify(issuePayload(startAt - 60_000)))).status).toBe(200);
    expect((await send(JSON.stringify(issuePayload(startAt + 60_000)))).status).toBe(200);
  });

  it('keeps an unknown event (HOOK-011)', async () => {
    expect((await send(JSON.stringify(issuePayload(startAt, { type: 'Weather' })))).status).toBe(200);
    expect(await entries()).toBe(1);
  });

  it('accepts a body of 1 MiB', async () => {
    const empty = JSON.stringify(issuePayload(startAt, { padding: '' }));
    const full = JSON.stringify(issuePayload(startAt, { padding: 'x'.repeat(1_048_576 - empty.length) }));
    expect(full).toHaveLength(1_048_576);
    expect((await send(full)).status).toBe(200);
  });

  const altered = fresh.replace('Fix login', 'Fix logout');
  const notUtf8 = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  const withoutTime = JSON.stringify(issuePayload(startAt, { webhookTimestamp: undefined }));
  const refusals: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number, string][] = [
    ['an empty signature', fresh, { 'Tracker-Signature': '' }, 401, 'unsigned'],
    ['a short signature', fresh, { 'Tracker-Signature': sign(fresh).slice(0, 63) }, 401, 'unsigned'],
    ['a long signature', fresh, { 'Tracker-Signature': `${sign(fresh)}0` }, 401, 'unsigned'],
    ['a signature that is not hexadecimal', fresh, { 'Tracker-Signature': 'z'.repeat(64) }, 401, 'unsigned'],
    ['a signature of another secret', fresh, { 'Tracker-Signature': sign(fresh, 'guess') }, 401, 'bad_signature'],
    ['an altered body', altered, { 'Tracker-Signature': sign(fresh) }, 401, 'bad_signature'],
    ['a body that is 61 s old', JSON.stringify(issuePayload(startAt - 61_000)), {}, 401, 'stale'],
    ['a body that is 61 s ahead', JSON.stringify(issuePayload(startAt + 61_000)), {}, 401, 'stale'],
    ['a body without a time', withoutTime, {}, 401, 'stale'],
    ['a signed JSON value that is no object', '7', {}, 401, 'stale'],
    ['a signed body that is not JSON', 'action=create', {}, 400, 'not_json'],
    ['an empty signed body', '', {}, 400, 'not_json'],
    ['a signed body that is not UTF-8', notUtf8, {}, 400, 'not_json'],
    ['an unsigned body that is not UTF-8', notUtf8, { 'Tracker-Signature': sign('x') }, 401, 'bad_signature'],
  ];

  it.each(refusals)(
    'refuses %s, writes nothing and logs why (HOOK-003, HOOK-007, HOOK-009)',
    async (_, body, headers, status, reason) => {
      const response = await send(body, headers);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: status === 401 ? 'unauthorized' : 'not_json' });
      expect(await entries()).toBe(0);
      expect(harness.lines).toMatchObject([{ level: 'warn', service: 'tracker', reason }]);
      expect(harness.wakes.count).toBe(0);
    },
  );

  it('refuses a delivery without a signature (HOOK-003)', async () => {
    const response = await fetch(`${base}/webhooks/tracker`, { method: 'POST', body: fresh });
    expect(response.status).toBe(401);
    expect(await entries()).toBe(0);
  });

  it('refuses a body over 1 MiB with 413, whether its length was announced or not (HOOK-009)', async () => {
    const oversize = JSON.stringify(issuePayload(startAt, { padding: 'x'.repeat(1_048_576) }));
    expect((await send(oversize)).status).toBe(413);
    expect(await chunked(oversize)).toBe(413);
    expect(await entries()).toBe(0);
  });

  it.each(['sales_crm', 'signing', 'suite_crm'])(
    'answers 401 at /webhooks/%s to what the tracker signed (HOOK-001)',
    async (service) => {
      expect((await send(fresh, {}, service)).status).toBe(401);
      expect(await entries()).toBe(0);
      expect(harness.lines).toMatchObject([{ service, reason: 'unsigned' }]);
    },
  );
});

describe('a server that is short of processor time', () => {
  it('refuses with 503 and Retry-After what it may not accept, and stores the rest (INBOX-021)', async () => {
    Object.assign(harness.pace, { isShort: true, left: 1 });
    expect((await send(fresh)).status).toBe(200);
    const refused = await send(fresh, { 'Tracker-Delivery': 'another' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
    expect(await refused.json()).toMatchObject({ error: 'unavailable' });
    expect(await entries()).toBe(1);
    harness.pace.isShort = false;
    expect((await send(fresh, { 'Tracker-Delivery': 'another' })).status).toBe(200);
    expect(await entries()).toBe(2);
  });

  it('stores no delivery whose sender has disconnected (INBOX-021)', async () => {
    await sendAndLeave('first');
    await expect.poll(entries).toBe(1);
    // The sender that gave up uses up nothing.
    Object.assign(harness.pace, { isShort: true, left: 1 });
    await sendAndLeave('second');
    expect((await send(fresh, { 'Tracker-Delivery': 'third' })).status).toBe(200);
    expect(await entries()).toBe(2);
  });
});

describe('the whole app while it is short of processor time', () => {
  it('refuses before the pipeline, with the headers of every answer (INBOX-021, EDGE-006)', async () => {
    await using app = await openAuthApp({ routes: webhookRoutes(harness.receive, webhookServiceKeys, { baseUrl }) });
    Object.assign(harness.pace, { isShort: true, left: 1 });
    base = app.origin;
    expect((await send(fresh)).status).toBe(200);
    const logged = app.lines.length;
    const { status, headers } = await send(fresh, { 'Tracker-Delivery': 'another' });
    expect([status, headers.get('retry-after')]).toEqual([503, '10']);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^\S{8,}$/);
    expect(app.lines).toHaveLength(logged);
    harness.pace.left = 1;
    expect((await send(fresh, { 'Tracker-Delivery': 'another' })).status).toBe(200);
    expect(await entries()).toBe(2);
  });

  it('logs one line for all that it refuses within ten seconds (INBOX-021)', async () => {
    await using app = await openAuthApp({ routes: webhookRoutes(harness.receive, webhookServiceKeys, { baseUrl }) });
    Object.assign(harness.pace, { isShort: true, left: 0 });
    base = app.origin;
    for (const after of [0, 3_000, 3_000, 4_000]) {
      harness.clock.advance(after);
      expect((await send(fresh)).status).toBe(503);
    }
    expect(harness.lines).toMatchObject([
      { level: 'warn', refused: 1 },
      { level: 'warn', refused: 3 },
    ]);
  });
});

/** Sends a delivery whole, closes the connection without waiting for an answer, and resolves once the server has closed it too. */
async function sendAndLeave(id: string): Promise<void> {
  const accepted = once(server, 'connection');
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  const head = `POST /webhooks/tracker HTTP/1.1\r\nHost: x\r\nTracker-Delivery: ${id}\r\nTracker-Signature: ${sign(fresh)}`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(fresh)}\r\n\r\n${fresh}`);
  socket.resume();
  const [taken] = await accepted;
  await once(taken, 'close');
}

/** The status of a request without an announced length. */
function chunked(body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sending = request(`${base}/webhooks/tracker`, {
      method: 'POST',
      headers: { 'Tracker-Signature': sign(body) },
    });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sending.on('error', reject);
    for (let at = 0; at < body.length; at += 65_536) sending.write(body.slice(at, at + 65_536));
    sending.end();
  });
}
