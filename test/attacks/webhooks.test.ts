import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { hostileDeliveries } from '#test/faults/hostile-deliveries.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import {
  dealPayload,
  documentPayload,
  salesCrmDelivery,
  signingDelivery,
  suiteCrmDelivery,
} from '#test/support/webhooks/webhook-senders.ts';
import { post, signIn } from '#test/support/webhooks/webhook-server.ts';
import {
  issueData,
  issuePayload,
  sign,
  trackerDelivery,
  trackerSecret,
} from '#test/support/webhooks/webhook-tracker.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
});

const statusOf = async (delivery: Delivery) => {
  const response = await post(target.origin, delivery);
  await response.arrayBuffer();
  return response.status;
};
const issue = (headers: Parameters<typeof trackerDelivery>[1] = {}, sentAt = Date.now()) =>
  trackerDelivery(issuePayload(sentAt), headers);

describe('a webhook signature', () => {
  const body = Buffer.from(JSON.stringify(issuePayload(Date.now())));
  const good = sign(body);
  const forms: readonly (readonly [string, string])[] = [
    ['none', ''],
    ['of nothing', sign('')],
    ['by another secret', sign(body, 'another')],
    ['by an empty secret', sign(body, ' ')],
    ['cut short', good.slice(0, -2)],
    ['too long', `${good}00`],
    ['by halves', good.slice(0, 32)],
    ['with a prefix', `sha256=${good}x`],
    ['with NUL', `${good.slice(0, -1)}%00`],
    ['in base64 of other bytes', Buffer.from('x'.repeat(32)).toString('base64')],
    ['zeros', '0'.repeat(64)],
    ['no hexadecimal', 'z'.repeat(64)],
    ['twice', `${sign(body, 'x')},${sign(body, 'x')}`],
    ['the secret itself', trackerSecret],
  ];
  it.each(forms)('is refused with 401: %s', async (_, signature) => {
    expect(await statusOf(issue({ 'tracker-signature': signature }))).toBe(401);
  });

  it('of one body is not valid for another', async () => {
    const other = Buffer.from(JSON.stringify(issuePayload(Date.now(), { url: 'https://evil.example' })));
    const headers = { 'tracker-signature': good, 'tracker-delivery': 'swapped' };
    expect(await statusOf({ ...sentTo('tracker'), headers, query: {}, body: other })).toBe(401);
  });

  it('of one service is not valid for another', async () => {
    const { headers, body: bytes } = salesCrmDelivery(dealPayload());
    expect(await statusOf({ ...sentTo('signing'), headers, query: {}, body: bytes })).toBe(401);
    expect(await statusOf({ ...sentTo('tracker'), headers, query: {}, body: bytes })).toBe(401);
  });

  it('that is valid does not help a delivery that is too old, or dated in the future', async () => {
    for (const at of [Date.now() - 3_600_000, Date.now() + 3_600_000]) {
      expect(await statusOf(issue({}, at))).toBe(401);
      expect(await statusOf(signingDelivery(documentPayload(at, 'document_state_changed')))).toBe(401);
    }
  });

  it.each([1e16, 1e17, 1e300, -1e300, -8.64e15])(
    'that is valid and dated %d gets 401, and records no age that cannot be stored (HOOK-022, EDGE-018)',
    async (at) => {
      expect(await statusOf(issue({}, at))).toBe(401);
      const headers = { cookie: await signIn(target.origin, ada) };
      const pageText = async () => {
        const page = await fetch(`${target.origin}/deliveries/senders`, { headers });
        expect(page.status).toBe(200);
        return page.text();
      };
      // The refusal is stored after the answer.
      await expect.poll(pageText).toMatch(/36500 days (ahead|old)/);
      expect(await pageText()).not.toContain('unreadable');
    },
  );

  it.each([
    '',
    'null',
    '"',
    '[]',
    '{"token":null}',
    '{"token":{}}',
    '{"token":["the-token-that-was-chosen"]}',
    '{"token":true}',
  ])('of the suite CRM is refused when the body is %s', async (text) => {
    const bytes = Buffer.from(text);
    expect(await statusOf({ ...sentTo('suite_crm'), headers: {}, query: {}, body: bytes })).toBe(401);
  });

  it('of the suite CRM is compared as a whole token', async () => {
    for (const token of ['the-token-that-was-chose', 'THE-TOKEN-THAT-WAS-CHOSEN', 'the-token-that-was-chosen ']) {
      expect(await statusOf(suiteCrmDelivery({ token }))).toBe(401);
    }
  });
});

describe('a signed body', () => {
  const hostile = hostileDeliveries(0);
  it.each(hostile.map(({ name, delivery }) => [name, delivery] as const))(
    'with %s gets no 5xx (HOOK-012)',
    async (_, delivery) => {
      expect(await statusOf(delivery)).toBeLessThan(500);
    },
  );

  it('with very many events, or events that share much data, gets 413 (HOOK-024)', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    const records = ids(30_000).map((id) => ({ record_id: id, values: {} }));
    const shared = { event: 'Deals.edit', ids: ids(1_000), note: 'x'.repeat(900_000) };
    for (const payload of [
      { event: 'Deals.edit', ids: ids(30_000), affected_values: records.slice(0, 15_000) },
      shared,
    ]) {
      expect(await statusOf(suiteCrmDelivery(payload))).toBe(413);
    }
    const event = { date_created: new Date().toISOString() };
    expect(await statusOf(signingDelivery(Array.from({ length: 20_000 }, () => event)))).toBe(413);
  });

  it('with an unreadable event does not reject the readable ones (HOOK-013)', async () => {
    const good = Array.from({ length: 20 }, (_, index) => {
      const data = issueData({ id: `good-${index}`, identifier: `GOOD-${index}` });
      return trackerDelivery(issuePayload(Date.now(), { data }), { 'tracker-delivery': `good-${index}` });
    });
    const statuses = Promise.all(good.map(statusOf));
    await Promise.all(hostileDeliveries(1).map(({ delivery }) => statusOf(delivery)));
    expect(new Set(await statuses)).toEqual(new Set([200]));
  });

  it('that is compressed is decompressed only up to a bound', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, 0x20));
    const headers = { 'tracker-signature': sign(bomb), 'content-encoding': 'gzip' };
    const status = await statusOf({ ...sentTo('tracker'), headers, query: {}, body: bomb });
    expect([400, 401, 413, 415]).toContain(status);
  });

  it('that is captured and sent under the id of a later one does not make the later one a duplicate (HOOK-015)', async () => {
    const former = issue({ 'tracker-delivery': 'former' });
    expect(await statusOf(former)).toBe(200);
    expect(await statusOf({ ...former, headers: { ...former.headers, 'tracker-delivery': 'later' } })).toBe(200);
    const data = issueData({ id: 'captured', identifier: 'CAP-1', title: 'Not lost' });
    const later = trackerDelivery(issuePayload(Date.now(), { data }), { 'tracker-delivery': 'later' });
    expect(await statusOf(later)).toBe(200);
    await expect
      .poll(
        async () =>
          (await target.call('GET', '/api/vault/vault/Issues/CAP-1%20Not%20lost.md', { token: target.admin })).status,
        {
          timeout: 60_000,
        },
      )
      .toBe(200);
  });
});
