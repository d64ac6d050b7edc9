import { beforeEach, describe, expect, it } from 'vitest';
import { keyedSource } from '#adapters/services/webhooks/keyed-source.ts';
import { rejectedDelivery } from '#adapters/services/webhooks/webhook-rejection.ts';
import { jsonOf, secretGiven } from '#adapters/services/webhooks/webhook-signature.ts';
import { SealedWebhookKeys } from '#adapters/stores/sealed-webhook-keys.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { ok } from '#domain/shared/result.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';

const receiver = 'signing/pandadoc';
const boxOf = (...secrets: readonly string[]) => new AesGcmBox(secrets.map((secret) => deriveKey(secret, 'test')));

let facts: MemoryServerFacts;
let clock: SettableClock;
beforeEach(() => {
  facts = new MemoryServerFacts();
  clock = new SettableClock(startAt);
});

/** One server over the shared store. */
const server = (box = boxOf('server secret')) => new SealedWebhookKeys(facts, box, clock);
const stored = () => facts.find(`webhook_keys/${receiver}`);

describe('the secret that a provider chose for its webhook', () => {
  it('is stored encrypted, and known to other servers once they read it (HOOK-026)', async () => {
    const [one, other] = [server(), server()];
    await one.keep(receiver, 'the-shared-key');
    expect(one.of(receiver)).toEqual(['the-shared-key']);
    expect(await stored()).not.toContain('the-shared-key');
    expect(other.of(receiver)).toEqual([]);
    expect(await other.reload(receiver)).toBe(true);
    expect(other.of(receiver)).toEqual(['the-shared-key']);
    expect(other.of('signing/another')).toEqual([]);
  });

  it('is read at most every five seconds', async () => {
    const [one, other] = [server(), server()];
    expect(await other.reload(receiver)).toBe(false);
    await one.keep(receiver, 'first');
    clock.advance(4_999);
    expect(await other.reload(receiver)).toBe(false);
    clock.advance(1);
    expect(await other.reload(receiver)).toBe(true);
    clock.advance(5_000);
    expect(await other.reload(receiver)).toBe(false);
  });

  it('is the current one of five, and not stored again if it is', async () => {
    const keys = server();
    for (const secret of ['1', '2', '3', '4', '5', '6', '3']) await keys.keep(receiver, secret);
    expect(keys.of(receiver)).toEqual(['3', '6', '5', '4', '2']);
    const before = await stored();
    await keys.keep(receiver, '3');
    expect(await stored()).toBe(before);
  });

  it('is encrypted with the current key when it is read, and unknown without the former one', async () => {
    await server(boxOf('former')).keep(receiver, 'kept');
    expect(await server(boxOf('other')).reload(receiver)).toBe(false);
    expect(await server(boxOf('current', 'former')).reload(receiver)).toBe(true);
    const keys = server(boxOf('current'));
    expect(await keys.reload(receiver)).toBe(true);
    expect(keys.of(receiver)).toEqual(['kept']);
  });
});

describe('a receiver', () => {
  /** A sender that sends its secret as the body. */
  const sourceWith = (secrets: readonly string[]): WebhookSource => ({
    service: 'signing',
    verify: ({ body }) => {
      const secret = secretGiven(secrets, String(jsonOf(body)));
      return secret === null
        ? rejectedDelivery(secrets.length === 0 ? 'no_secret' : 'bad_signature', 'not known')
        : ok({ body: 'event', deliveryId: null, secret });
    },
    parts: (body) => [{ name: 'event', orderKey: null, body }],
    read: () =>
      ok({ service: 'signing', name: 'event', record: { service: 'signing', kind: 'a', id: '1' }, occurredAt: 0 }),
  });

  it('accepts a secret that another server has just stored, and one that was replaced meanwhile (HOOK-026)', async () => {
    const keys = server();
    const { logger } = rememberingLogger();
    const receipts = new NoteReceipts({ log: new MemoryReceiptLog(), secretIds: { signing: ['a'] }, clock, logger });
    const receive = new ReceiveDelivery({
      sources: [keyedSource((kept) => sourceWith(['configured', ...kept]), { keys, receiver, configured: 1 })],
      reactions: [],
      inbox: new MemoryWebhookInbox(clock),
      receipts,
      metrics: noMetrics,
      clock,
      logger,
      onKept: () => undefined,
    });
    const isTaken = async (secret: string) => {
      const body = Buffer.from(JSON.stringify(secret));
      return (await receive.run({ ...sentTo('signing'), headers: {}, query: {}, body })).ok;
    };
    expect(await isTaken('configured')).toBe(true);
    expect(await isTaken('first')).toBe(false);
    await server().keep(receiver, 'first');
    clock.advance(5_000);
    expect([await isTaken('first'), await isTaken('configured'), await isTaken('guess')]).toEqual([true, true, false]);
    await server().keep(receiver, 'second');
    clock.advance(5_000);
    expect([await isTaken('second'), await isTaken('first')]).toEqual([true, true]);
  });
});
