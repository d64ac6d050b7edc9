import { describe, expect, it } from 'vitest';
import { recentBodies } from '#adapters/stores/recent-bodies.ts';
import type { EntryPlace, NewInboxEntry } from '#application/ports/webhook-inbox.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';

/** An inbox that counts how often a body is read from it. */
class CountedInbox extends MemoryWebhookInbox {
  reads = 0;

  override body(entry: EntryPlace): Promise<string | null> {
    this.reads += 1;
    return super.body(entry);
  }
}

const entry = (deliveryId: string, body: string): NewInboxEntry => ({
  service: 'tracker',
  deliveryId,
  orderKey: 'tracker:issue:1',
  event: 'issue.create',
  body,
});
const place = (deliveryId: string, seq = 1): EntryPlace => ({ seq, service: 'tracker', deliveryId });

describe('the body of a delivery that was just stored', () => {
  it('is read from memory once, and from the store after that (INBOX-017)', async () => {
    const store = new CountedInbox({ now: () => 1 });
    const inbox = recentBodies(store);
    expect(await inbox.keep([entry('a', '{"n":1}')])).toBe(1);
    expect([await inbox.body(place('a')), store.reads]).toEqual(['{"n":1}', 0]);
    expect([await inbox.body(place('a')), store.reads]).toEqual(['{"n":1}', 1]);
  });

  it('is what was stored first, also when other content arrives under its id (INBOX-017)', async () => {
    const store = new CountedInbox({ now: () => 1 });
    await store.keep([entry('a', '{"n":1}')]);
    const inbox = recentBodies(store);
    expect(await inbox.keep([entry('a', '{"n":2}')])).toBe(0);
    expect(await inbox.body(place('a'))).toBe('{"n":1}');
    await inbox.keep([entry('b', '{"n":3}'), entry('a', '{"n":4}')]);
    expect(await inbox.body(place('a'))).toBe('{"n":1}');
    expect(await inbox.body(place('b', 2))).toBe('{"n":3}');
  });

  it('that is too large to be cached is read from the store (INBOX-017)', async () => {
    const store = new CountedInbox({ now: () => 1 });
    const inbox = recentBodies(store);
    const large = JSON.stringify('x'.repeat(2_097_152));
    await inbox.keep([entry('a', large)]);
    expect([await inbox.body(place('a')), store.reads]).toEqual([large, 1]);
  });
});
