import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';

/** The stores to test, and how to throw them away. */
export type OpenReceipts = () => Promise<
  Readonly<{ receipts: ReceiptLog; partyLinks: PartyLinks; close(): Promise<void> }>
>;

/** What every log of receipts and every mapping table of parties does. */
export function receiptsContract(name: string, open: OpenReceipts): void {
  describe(`receipts and party links (${name})`, () => {
    let receipts: ReceiptLog;
    let partyLinks: PartyLinks;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ receipts, partyLinks, close } = await open());
    });
    afterEach(() => close());

    const stale = (deliveryId: string, receivedAt: number, ageMs: number | null = 61_000) =>
      receipts.noteStale({ service: 'tracker', deliveryId, receivedAt, ageMs });

    it('keep when each secret was last used, and never go back', async () => {
      await receipts.noteUse({ service: 'tracker', secretId: 'b', usedAt: 2000 });
      await receipts.noteUse({ service: 'tracker', secretId: 'b', usedAt: 1000 });
      await receipts.noteUse({ service: 'signing', secretId: 'a', usedAt: 5 });
      await receipts.noteUse({ service: 'signing', secretId: 'a', usedAt: 6 });
      expect(await receipts.uses()).toEqual([
        { service: 'signing', secretId: 'a', usedAt: 6 },
        { service: 'tracker', secretId: 'b', usedAt: 2000 },
      ]);
    });

    it('list stale deliveries, the latest first, and count those that come again (HOOK-022)', async () => {
      await stale('1', 1000);
      await stale('2', 2000, null);
      await stale('1', 3000, 120_000);
      expect(await receipts.stale(10)).toEqual([
        { service: 'tracker', deliveryId: '1', receivedAt: 3000, ageMs: 120_000, times: 2 },
        { service: 'tracker', deliveryId: '2', receivedAt: 2000, ageMs: null, times: 1 },
      ]);
      expect(await receipts.stale(1)).toHaveLength(1);
    });

    it('remember the latest 500 stale deliveries and no more', async () => {
      for (let index = 0; index < 505; index += 1) await stale(`d${index}`, index);
      const kept = await receipts.stale(1000);
      expect(kept).toHaveLength(500);
      expect(kept.at(-1)).toMatchObject({ deliveryId: 'd5' });
    });

    it('find a party’s record from both sides', async () => {
      const record = { service: 'sales_crm', kind: 'person', id: '8' } as const;
      expect(await partyLinks.find(record)).toBeNull();
      await partyLinks.keep({ record, remoteId: 'r1', digest: 'd', appliedAt: 10 });
      await partyLinks.keep({ record, remoteId: 'r2', digest: 'e', appliedAt: 20 });
      expect(await partyLinks.find(record)).toEqual({ record, remoteId: 'r2', digest: 'e', appliedAt: 20 });
      expect(await partyLinks.findByRemote('person', 'r2')).toEqual(record);
      expect(await partyLinks.findByRemote('person', 'r1')).toBeNull();
      expect(await partyLinks.findByRemote('organization', 'r2')).toBeNull();
    });
  });
}
