import { beforeEach, describe, expect, it } from 'vitest';
import { KnownServices, knownInbox } from '#adapters/stores/known-stores.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';

let clock: SettableClock;
let stored: MemoryWebhookInbox;
let inbox: WebhookInbox;
let warned: unknown[];

const claim = { owner: 'a', leaseMs: 1_000, limit: 10 };

beforeEach(async () => {
  clock = new SettableClock(1_000);
  stored = new MemoryWebhookInbox(clock);
  warned = [];
  inbox = knownInbox(stored, new KnownServices(['tracker'], { warn: (fields) => void warned.push(fields) }));
  const senders = ['gone', 'tracker', 'gone', 'gone', 'tracker', 'tracker', 'gone'];
  const entries = senders.map((service, index) => ({ service, deliveryId: `${index + 1}`, orderKey: `${index}` }));
  await stored.keep(entries.map((entry) => ({ ...entry, event: 'e', body: '{}' })));
});

describe('deliveries of a service that the server does not have', () => {
  it('leave no gaps in the pages of a list (CONF-008)', async () => {
    const page = await inbox.list({ limit: 2 });
    expect(page.map(({ seq }) => seq)).toEqual([6, 5]);
    expect((await inbox.list({ limit: 2, before: 5 })).map(({ seq }) => seq)).toEqual([2]);
    expect(await inbox.list({ limit: 2, before: 2 })).toEqual([]);
    expect(warned).toEqual([{ store: 'webhookInbox', service: 'gone' }]);
  });

  it('are set aside when they are claimed, without an attempt (CONF-008)', async () => {
    expect((await inbox.claim(claim)).map(({ seq }) => seq)).toEqual([2, 5, 6]);
    expect(await stored.find(1)).toMatchObject({ state: 'pending', attempts: 0, availableAt: 3_601_000 });
    expect(await inbox.claim({ ...claim, owner: 'b' })).toEqual([]);
    expect(await stored.claim({ ...claim, owner: 'b' })).toEqual([]);
  });

  it('are neither found, replayed nor skipped (CONF-008)', async () => {
    expect([await inbox.find(1), await inbox.replay(1), await inbox.skip(1)]).toEqual([null, false, false]);
    expect([(await inbox.find(2))?.service, await inbox.skip(2), await inbox.replay(2)]).toEqual([
      'tracker',
      true,
      true,
    ]);
  });
});
