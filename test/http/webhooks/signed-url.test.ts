import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { webhookRoutes } from '#adapters/http/webhooks/webhook-routes.ts';
import {
  type Delivery,
  jsonOf,
  ok,
  parsedTime,
  rejectedDelivery,
  signedInBase64By,
  singleHeader,
  staleness,
  type WebhookSource,
} from '#bootstrap/package/service.ts';
import { openAuthApp } from '#test/support/authorization/auth-app.ts';

const baseUrl = 'https://portolan.example/behind';
const secret = 'the secret of the app';
const now = Date.UTC(2026, 0, 23, 12, 0, 0);

/** A receiver with the package's helpers only, whose sender signs the method, the URL, the body and the time. */
const verify: WebhookSource['verify'] = (delivery, at) => {
  const time = singleHeader(delivery, 'X-Time') ?? '';
  const text = `${delivery.method}${delivery.url}${Buffer.from(delivery.body).toString()}${time}`;
  const signedIt = signedInBase64By([secret], Buffer.from(text), singleHeader(delivery, 'X-Signature') ?? '');
  if (signedIt === null) return rejectedDelivery('bad_signature', 'the secret did not make this signature');
  const verified = { deliveryId: null, secret: signedIt };
  const stale = staleness({ at: parsedTime(time), field: 'X-Time', now: at, windowMs: 300_000 }, verified);
  return stale ?? ok({ ...verified, body: jsonOf(delivery.body) });
};

async function openReceiver() {
  const received: Delivery[] = [];
  const run = async (delivery: Delivery) => {
    received.push(delivery);
    const verified = verify(delivery, now);
    return verified.ok ? ok({ isNew: true }) : verified;
  };
  const idle = { isBusy: () => false, refuses: () => false, mayReceive: () => true, notReceived: () => undefined };
  const app = await openAuthApp({ routes: webhookRoutes({ ...idle, run }, ['sales_crm'], { baseUrl }) });
  return { app, received, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const body = '[{"objectId": 7}]';
const sign = (url: string, time: string, method = 'POST') =>
  createHmac('sha256', secret).update(`${method}${url}${body}${time}`).digest('base64');
const fresh = new Date(now - 60_000).toISOString();

describe('a delivery', () => {
  it('has the method and the public URL that the sender called, with path and query as received (HOOK-025)', async () => {
    await using receiver = await openReceiver();
    const { app, received } = receiver;
    const query = '?portal=1&name=%C3%A9+%2f&portal=2&';
    await fetch(`${app.origin}/webhooks/sales_crm${query}`, { method: 'POST', body });
    expect(received[0]).toMatchObject({ method: 'POST', url: `${baseUrl}/webhooks/sales_crm${query}` });
  });

  it('is verified by a signature of the method, URL, body and time (HOOK-025)', async () => {
    await using receiver = await openReceiver();
    const send = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(`${receiver.app.origin}${path}`, { method: 'POST', body, headers });
      return response.status;
    };
    const signed = (url: string, time = fresh, method = 'POST') => ({
      'X-Signature': sign(url, time, method),
      'X-Time': time,
    });
    const address = `${baseUrl}/webhooks/sales_crm`;
    expect(await send('/webhooks/sales_crm', signed(address))).toBe(200);
    expect(await send('/webhooks/sales_crm?more=1', signed(address))).toBe(401);
    expect(await send('/webhooks/sales_crm', signed(address, fresh, 'PUT'))).toBe(401);
    expect(await send('/webhooks/sales_crm', signed(`${receiver.app.origin}/webhooks/sales_crm`))).toBe(401);
    expect(await send('/webhooks/sales_crm', signed(address, new Date(now - 600_000).toISOString()))).toBe(401);
    const received = receiver.received.at(-1);
    expect(received && verify(received, now)).toMatchObject({ failure: { reason: 'stale', ageMs: 600_000 } });
  });

  it('has a URL that no header of the sender changes (HOOK-025)', async () => {
    await using receiver = await openReceiver();
    const elsewhere = 'https://elsewhere.example/webhooks/sales_crm';
    const headers = {
      'X-Forwarded-Host': 'elsewhere.example',
      'X-Forwarded-Proto': 'https',
      'X-Original-Url': elsewhere,
      'X-Signature': sign(elsewhere, fresh),
      'X-Time': fresh,
    };
    const response = await fetch(`${receiver.app.origin}/webhooks/sales_crm`, { method: 'POST', body, headers });
    expect(response.status).toBe(401);
    expect(receiver.received[0]?.url).toBe(`${baseUrl}/webhooks/sales_crm`);
  });
});
