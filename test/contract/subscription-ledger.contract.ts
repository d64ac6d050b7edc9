import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';
import { type Subscription, wanted } from '#domain/subscriptions/subscription.ts';

/** A ledger to test, and how to throw it away. */
export type OpenLedger = () => Promise<Readonly<{ ledger: SubscriptionLedger; close(): Promise<void> }>>;

const at = 1_769_172_700_000;

const wish = {
  userId: 1,
  service: 'suite_crm',
  name: 'records',
  events: ['Leads.all', 'Deals.all'],
  url: 'https://portolan.example/webhooks/suite_crm',
  secretMark: 'aB3_x-9z',
  account: 'acme',
} as const;

/** Every column has a value that no other has. */
const full: Subscription = {
  ...wish,
  state: 'active',
  since: at + 1,
  remoteId: '81234567890123',
  registeredAt: at + 2,
  expiresAt: at + 3,
  checkedAt: at + 4,
  failures: 2,
  retryAt: at + 5,
  reason: 'The suite CRM answered 503.',
  version: 0,
};

/** What every ledger does (WREG-001 to WREG-004). */
export function subscriptionLedgerContract(name: string, open: OpenLedger): void {
  describe(`subscription ledger (${name})`, () => {
    let ledger: SubscriptionLedger;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ ledger, close } = await open());
    });
    afterEach(() => close());

    it('LEDGER-001 gives back every member of a line, with its new version', async () => {
      expect(await ledger.keep(full)).toEqual({ ...full, version: 1 });
      expect(await ledger.list()).toEqual([{ ...full, version: 1 }]);
    });

    it('LEDGER-002 keeps null where there is nothing', async () => {
      const line = wanted({ ...wish, secretMark: null, account: null }, at);
      await ledger.keep(line);
      expect(await ledger.list()).toEqual([{ ...line, version: 1 }]);
    });

    it('LEDGER-003 has one line for a user, a service and a name: a second first one is refused', async () => {
      await ledger.keep(full);
      expect(await ledger.keep({ ...full, remoteId: 'another' })).toBeNull();
      expect(await ledger.list()).toEqual([{ ...full, version: 1 }]);
    });

    it('LEDGER-004 of two changes of one version keeps one', async () => {
      const first = await ledger.keep(full);
      if (first === null) throw new Error('not kept');
      const changes = await Promise.all([
        ledger.keep({ ...first, remoteId: 'one' }),
        ledger.keep({ ...first, remoteId: 'two' }),
      ]);
      const kept = changes.filter((change) => change !== null);
      expect(kept).toHaveLength(1);
      expect(await ledger.list()).toEqual([{ ...first, remoteId: kept[0]?.remoteId, version: 2 }]);
    });

    it('LEDGER-005 removes the line of that version only', async () => {
      const first = await ledger.keep(full);
      if (first === null) throw new Error('not kept');
      const second = await ledger.keep({ ...first, state: 'left' });
      expect(await ledger.remove(first)).toBe(false);
      expect(second !== null && (await ledger.remove(second))).toBe(true);
      expect(second !== null && (await ledger.remove(second))).toBe(false);
      expect(await ledger.list()).toEqual([]);
      expect(await ledger.keep(full)).toEqual({ ...full, version: 1 });
    });

    it('LEDGER-006 lists by user, service and name', async () => {
      const names = [
        [10, 'tracker', 'issues'],
        [2, 'suite_crm', 'records'],
        [2, 'sales_crm', 'updated.person'],
        [2, 'sales_crm', 'updated.deal'],
      ] as const;
      for (const [userId, service, line] of names) await ledger.keep({ ...full, userId, service, name: line });
      const listed = (await ledger.list()).map(({ userId, service, name: line }) => [userId, service, line]);
      expect(listed).toEqual(names.toReversed());
    });
  });
}
