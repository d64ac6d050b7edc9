import { expect, it } from 'vitest';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { signingDelivery, suiteCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const event = { date_created: new Date(startAt).toISOString() };

it.each<[string, Delivery, string]>([
  ['too many events', signingDelivery(Array.from({ length: 1_001 }, () => event)), '1001 events in one delivery'],
  [
    'events that share too much',
    suiteCrmDelivery({ event: 'Deals.edit', ids: ids(1_000), note: 'x'.repeat(9_000) }),
    'more than 8388608 characters in its events',
  ],
])('a delivery of %s is refused, and nothing of it is stored (HOOK-024)', async (_, delivery, detail) => {
  const { receive, inbox } = webhookHarness();
  expect(await receive.run(delivery)).toMatchObject({ ok: false, failure: { reason: 'too_large', detail } });
  expect(await inbox.list({ limit: 1 })).toEqual([]);
});

it('a delivery of a thousand events is stored as such (HOOK-024)', async () => {
  const { receive, inbox } = webhookHarness();
  const delivery = suiteCrmDelivery({ event: 'Deals.edit', ids: ids(1_000), note: 'x'.repeat(7_000) });
  expect(await receive.run(delivery)).toMatchObject({ ok: true });
  expect(await inbox.list({ limit: 2_000 })).toHaveLength(1_000);
});
